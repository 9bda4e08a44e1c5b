import type { FastifyPluginAsync } from 'fastify'
import { privateHeaders } from '#platform/http/security.ts'
import { accountRoutes, historyRoutes, sessionRoutes } from './accounts.ts'
import { commentRoutes } from './comments.ts'
import { type ExportDeleteRoutesContext, exportDeleteRoutes } from './export-delete.ts'
import { type FediverseRoutesContext, fediverseRoutes } from './fediverse.ts'
import { followerImportRoutes } from './follower-imports.ts'
import { type FollowerRoutesContext, followerRoutes } from './followers.ts'
import { frontPageRoutes } from './front-page.ts'
import { importRoutes } from './imports.ts'
import { keyRoutes, type WebhookRoutesContext, webhookRoutes } from './integrations.ts'
import { type MediaRoutesContext, uploadRoutes } from './media.ts'
import { decisionRoutes, invitationRoutes, reviewRoutes } from './moderation.ts'
import { passkeyRoutes, recoveryCodeRoutes } from './passkeys.ts'
import { type PictureCopyContext, pictureCopyRoutes } from './picture-copies.ts'
import { deskPieceRoutes, statRoutes, tagRoutes, trashRoutes } from './pieces.ts'
import { previewLinkRoutes } from './preview.ts'
import { profileRoutes } from './profile.ts'
import { readYourWrites } from './read-your-writes.ts'
import { requestRoutes } from './requests.ts'
import { seriesRoutes } from './series.ts'
import { rejectApiKey, requireSameOrigin } from './session.ts'
import { shopRoutes } from './shop.ts'

type Context = MediaRoutesContext &
  PictureCopyContext &
  ExportDeleteRoutesContext &
  WebhookRoutesContext &
  FollowerRoutesContext &
  FediverseRoutesContext

/** /desk/api: everything the desk's application calls. Nothing here accepts an API key or a cross-site request. */
export const deskRoutes: FastifyPluginAsync<Context> = async (app, options) => {
  // Our prefix already applies; passed on, it would be added to each plugin again.
  const context: Context = { ...options, prefix: '' }
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', rejectApiKey)
  app.addHook('onRequest', requireSameOrigin(context))
  readYourWrites(app, context)

  await app.register(accountRoutes, context)
  await app.register(historyRoutes, context)
  await app.register(exportDeleteRoutes, context)
  await app.register(sessionRoutes, context)
  await app.register(passkeyRoutes, context)
  await app.register(recoveryCodeRoutes, context)
  await app.register(keyRoutes, { ...context, prefix: '/keys' })
  await app.register(deskPieceRoutes, { ...context, prefix: '/pieces' })
  await app.register(profileRoutes, { ...context, prefix: '/profile' })
  await app.register(shopRoutes, { ...context, prefix: '/products' })
  await app.register(previewLinkRoutes, { ...context, prefix: '/pieces' })
  await app.register(commentRoutes, { ...context, prefix: '/pieces' })
  await app.register(trashRoutes, { ...context, prefix: '/trash' })
  await app.register(tagRoutes, { ...context, prefix: '/tags' })
  await app.register(requestRoutes, context)
  await app.register(importRoutes, { ...context, prefix: '/imports' })
  await app.register(seriesRoutes, { ...context, prefix: '/series' })
  await app.register(uploadRoutes, context)
  await app.register(pictureCopyRoutes, context)
  await app.register(reviewRoutes, { ...context, prefix: '/review' })
  await app.register(invitationRoutes, { ...context, prefix: '/review/invitations' })
  await app.register(frontPageRoutes, { ...context, prefix: '/front-page' })
  await app.register(decisionRoutes, { ...context, prefix: '/decisions' })
  await app.register(statRoutes, { ...context, prefix: '/stats' })
  await app.register(followerRoutes, context)
  await app.register(fediverseRoutes, { ...context, prefix: '/fediverse' })
  await app.register(followerImportRoutes, context)
  await app.register(webhookRoutes, { ...context, prefix: '/webhook' })
}
