import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invite, listInvitations, withdrawInvitation } from '#features/accounts/invitations.ts'
import { InvitationMade, Invitations, NewInvitation, OneInvitation } from '#features/accounts/invitations-schema.ts'
import { Done } from '#features/accounts/schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { moderatorOf, signedIn } from './session.ts'

/** /desk/api/review/invitations: who may sign up, where not everybody may. */
export const invitationRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts } = context
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  app.get('/', { schema: { ...ownPages, response: { 200: Invitations, ...refusals } } }, (request) =>
    listInvitations(accounts, moderatorOf(request)),
  )

  app.post(
    '/',
    { schema: { ...ownPages, body: NewInvitation, response: { 201: InvitationMade, ...refusals } } },
    async (request, reply) =>
      reply.code(201).send(await invite(accounts, moderatorOf(request), request.body.email ?? null)),
  )

  app.delete(
    '/:invitation',
    { schema: { ...ownPages, params: OneInvitation, response: { 200: Done, ...refusals } } },
    async (request) => {
      await withdrawInvitation(accounts, moderatorOf(request), request.params.invitation)
      return { ok: true as const }
    },
  )
}
