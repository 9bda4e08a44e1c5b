import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { confirmByPasskey, offerConfirmation } from '#features/accounts/passkeys.ts'
import { presentSession } from '#features/accounts/present.ts'
import {
  ConfirmBody,
  ConfirmOptionsBody,
  Done,
  Ended,
  OneOfMine,
  Options,
  SessionList,
} from '#features/accounts/schema.ts'
import { endOtherSessions, endSession, listSessions, signOut } from '#features/accounts/sessions.ts'
import { confirmByPassword } from '#features/accounts/sign-in.ts'
import { invalid } from '#platform/errors.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { clearCookie, readCookie, setCookie } from './cookies.ts'
import { personOf, signedIn } from './session.ts'

/** Sessions: seen, ended, and renewed by showing once more who it is. */
export const sessionRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const inside = [...gate('desk', 'read'), signedIn(context)]
  const confirming = [...gate('desk', 'signIn'), signedIn(context)]

  app.post(
    '/sign-out',
    { onRequest: gate('desk', 'read'), schema: { ...ownPages, response: { 200: Done, ...refusals } } },
    async (request, reply) => {
      const token = readCookie(request, context, 'desk')
      if (token !== undefined) await signOut(accounts, token)
      clearCookie(reply, context, 'desk')
      return { ok: true as const }
    },
  )

  app.get(
    '/sessions',
    { onRequest: inside, schema: { ...ownPages, response: { 200: SessionList, ...refusals } } },
    async (request) => {
      const sessions = (await listSessions(accounts, personOf(request))).map(presentSession)
      return { ok: true as const, count: sessions.length, sessions }
    },
  )

  app.delete(
    '/sessions/:id',
    { onRequest: inside, schema: { ...ownPages, params: OneOfMine, response: { 200: Done, ...refusals } } },
    async (request) => {
      await endSession(accounts, personOf(request), request.params.id)
      return { ok: true as const }
    },
  )

  app.post(
    '/sessions/end-others',
    { onRequest: inside, schema: { ...ownPages, response: { 200: Ended, ...refusals } } },
    async (request) => ({ ok: true as const, ended: await endOtherSessions(accounts, personOf(request)) }),
  )

  app.post(
    '/reauthenticate/options',
    {
      onRequest: confirming,
      schema: { ...ownPages, body: ConfirmOptionsBody, response: { 200: Options, ...refusals } },
    },
    async (request) => ({
      ok: true as const,
      options: await offerConfirmation(accounts, personOf(request), request.body.nonce),
    }),
  )

  app.post(
    '/reauthenticate',
    { onRequest: confirming, schema: { ...ownPages, body: ConfirmBody, response: { 200: Done, ...refusals } } },
    async (request, reply) => {
      const { password, credential, nonce } = request.body
      const person = personOf(request)
      if ((password === undefined) === (credential === undefined)) {
        throw invalid([{ pointer: '/', code: 'malformed', detail: 'needs either a password or a passkey' }])
      }
      const token =
        password === undefined
          ? await confirmByPasskey(accounts, person, credential!, nonce)
          : await confirmByPassword(accounts, person, password)
      setCookie(reply, context, 'desk', token)
      return { ok: true as const }
    },
  )
}
