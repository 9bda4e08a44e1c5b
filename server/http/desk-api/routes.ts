import type { FastifyPluginAsync } from 'fastify'
import { privateDoor } from '#platform/http/security.ts'
import { accountRoutes } from './accounts.ts'
import { decisionRoutes } from './decisions.ts'
import { type LeavingDoor, leavingRoutes } from './export-delete.ts'
import { historyRoutes } from './history.ts'
import { invitationRoutes } from './invitations.ts'
import { keyRoutes } from './keys.ts'
import { type MediaDoor, uploadRoutes } from './media.ts'
import { passkeyRoutes } from './passkeys.ts'
import { deskPieceRoutes } from './pieces.ts'
import { linkRoutes } from './preview-links.ts'
import { profileRoutes } from './profile.ts'
import { tellWhatWasWritten } from './read-your-writes.ts'
import { recoveryCodeRoutes } from './recovery-codes.ts'
import { reviewRoutes } from './review.ts'
import { sameOrigin, withoutKey } from './session.ts'
import { sessionRoutes } from './sessions.ts'
import { shopRoutes } from './shop.ts'
import { statRoutes } from './stats.ts'
import { trashRoutes } from './trash.ts'
import { type WebhookDoor, webhookRoutes } from './webhook.ts'

/** /desk/api: what people do at the desk. Whatever is registered here takes no key and nothing from other sites. */
export const deskRoutes: FastifyPluginAsync<MediaDoor & LeavingDoor & WebhookDoor> = async (app, options) => {
  // Ours is /desk/api already; given on, it would be put before each of theirs once more.
  const door: MediaDoor & LeavingDoor & WebhookDoor = { ...options, prefix: '' }
  app.addHook('onRequest', privateDoor)
  app.addHook('onRequest', withoutKey)
  app.addHook('onRequest', sameOrigin(door))
  tellWhatWasWritten(app, door)

  await app.register(accountRoutes, door)
  await app.register(historyRoutes, door)
  await app.register(leavingRoutes, door)
  await app.register(sessionRoutes, door)
  await app.register(passkeyRoutes, door)
  await app.register(recoveryCodeRoutes, door)
  await app.register(keyRoutes, { ...door, prefix: '/keys' })
  await app.register(deskPieceRoutes, { ...door, prefix: '/pieces' })
  await app.register(profileRoutes, { ...door, prefix: '/profile' })
  await app.register(shopRoutes, { ...door, prefix: '/products' })
  await app.register(linkRoutes, { ...door, prefix: '/pieces' })
  await app.register(trashRoutes, { ...door, prefix: '/trash' })
  await app.register(uploadRoutes, door)
  await app.register(reviewRoutes, { ...door, prefix: '/review' })
  await app.register(invitationRoutes, { ...door, prefix: '/review/invitations' })
  await app.register(decisionRoutes, { ...door, prefix: '/decisions' })
  await app.register(statRoutes, { ...door, prefix: '/stats' })
  await app.register(webhookRoutes, { ...door, prefix: '/webhook' })
}
