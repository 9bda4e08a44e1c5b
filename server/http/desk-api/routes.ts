import type { FastifyPluginAsync } from 'fastify'
import { privateHeaders } from '#platform/http/security.ts'
import { accountRoutes } from './accounts.ts'
import { decisionRoutes } from './decisions.ts'
import { type LeavingRoutesContext, leavingRoutes } from './export-delete.ts'
import { historyRoutes } from './history.ts'
import { invitationRoutes } from './invitations.ts'
import { keyRoutes } from './keys.ts'
import { type MediaRoutesContext, uploadRoutes } from './media.ts'
import { passkeyRoutes } from './passkeys.ts'
import { deskPieceRoutes } from './pieces.ts'
import { linkRoutes } from './preview-links.ts'
import { profileRoutes } from './profile.ts'
import { readYourWrites } from './read-your-writes.ts'
import { recoveryCodeRoutes } from './recovery-codes.ts'
import { reviewRoutes } from './review.ts'
import { sameOrigin, withoutKey } from './session.ts'
import { sessionRoutes } from './sessions.ts'
import { shopRoutes } from './shop.ts'
import { statRoutes } from './stats.ts'
import { trashRoutes } from './trash.ts'
import { type WebhookRoutesContext, webhookRoutes } from './webhook.ts'

/** /desk/api: what people do at the desk. Whatever is registered here takes no key and nothing from other sites. */
export const deskRoutes: FastifyPluginAsync<MediaRoutesContext & LeavingRoutesContext & WebhookRoutesContext> = async (
  app,
  options,
) => {
  // Ours is /desk/api already; given on, it would be put before each of theirs once more.
  const context: MediaRoutesContext & LeavingRoutesContext & WebhookRoutesContext = { ...options, prefix: '' }
  app.addHook('onRequest', privateHeaders)
  app.addHook('onRequest', withoutKey)
  app.addHook('onRequest', sameOrigin(context))
  readYourWrites(app, context)

  await app.register(accountRoutes, context)
  await app.register(historyRoutes, context)
  await app.register(leavingRoutes, context)
  await app.register(sessionRoutes, context)
  await app.register(passkeyRoutes, context)
  await app.register(recoveryCodeRoutes, context)
  await app.register(keyRoutes, { ...context, prefix: '/keys' })
  await app.register(deskPieceRoutes, { ...context, prefix: '/pieces' })
  await app.register(profileRoutes, { ...context, prefix: '/profile' })
  await app.register(shopRoutes, { ...context, prefix: '/products' })
  await app.register(linkRoutes, { ...context, prefix: '/pieces' })
  await app.register(trashRoutes, { ...context, prefix: '/trash' })
  await app.register(uploadRoutes, context)
  await app.register(reviewRoutes, { ...context, prefix: '/review' })
  await app.register(invitationRoutes, { ...context, prefix: '/review/invitations' })
  await app.register(decisionRoutes, { ...context, prefix: '/decisions' })
  await app.register(statRoutes, { ...context, prefix: '/stats' })
  await app.register(webhookRoutes, { ...context, prefix: '/webhook' })
}
