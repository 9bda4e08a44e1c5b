import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { makeRecoveryCodes, signInByCode } from '#features/accounts/recovery-codes.ts'
import { CodeBody, Done, RecoveryCodes } from '#features/accounts/schema.ts'
import { letIn, visitorOf } from './client-info.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { freshly, personOf, signedIn } from './session.ts'

/** Recovery codes: made, and signed in with. */
export const recoveryCodeRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const knocking = gate('desk', 'signIn')

  app.post(
    '/account/recovery-codes',
    {
      onRequest: [...knocking, signedIn(context)],
      schema: { ...ownPages, response: { 201: RecoveryCodes, ...refusals } },
    },
    async (request, reply) => {
      const codes = await makeRecoveryCodes(accounts, freshly(personOf(request)))
      return reply.code(201).send({ ok: true, codes })
    },
  )

  app.post(
    '/sign-in/recovery-code',
    { onRequest: knocking, schema: { ...ownPages, body: CodeBody, response: { 200: Done, ...refusals } } },
    async (request, reply) => {
      letIn(reply, context, await signInByCode(accounts, request.body, visitorOf(request, context)))
      return { ok: true as const }
    },
  )
}
