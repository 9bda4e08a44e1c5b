import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { presentPasskey } from '#features/accounts/account.ts'
import {
  addFirstPasskey,
  addPasskey,
  deletePasskey,
  listPasskeys,
  offerFirstPasskey,
  offerPasskey,
  offerSignIn,
  renamePasskey,
  signInByPasskey,
} from '#features/accounts/passkeys.ts'
import { makeRecoveryCodes, signInByCode } from '#features/accounts/recovery-codes.ts'
import {
  CodeBody,
  Done,
  FirstPasskeyBody,
  NameBody,
  NewcomerBody,
  NewPasskeyBody,
  OneOfMine,
  Options,
  PasskeyAdded,
  PasskeyList,
  PasskeySignInBody,
  RecoveryCodes,
  SignedInto,
} from '#features/accounts/schema.ts'
import {
  answerSignIn,
  clientInfoOf,
  type DeskRoutesContext,
  errorResponses,
  hidden,
  personOf,
  requireRecentSignIn,
  requireSession,
} from './session.ts'

/**
 * Passkeys: create, rename, delete and sign in. Each WebAuthn ceremony begins with `…/options`. The database requires a
 * recent sign-in to create or delete one.
 */
export const passkeyRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const signInGate = gate('desk', 'signIn')
  const authenticated = [...gate('desk', 'read'), requireSession(context)]
  const optionsResponse = { 200: Options, ...errorResponses }

  // Called on every visit so that the browser can offer a passkey; it is not a sign-in attempt yet.
  app.post(
    '/sign-in/passkey/options',
    { onRequest: gate('desk', 'read'), schema: { ...hidden, response: optionsResponse } },
    async () => ({ ok: true as const, options: await offerSignIn(accounts) }),
  )

  app.post(
    '/sign-in/passkey',
    {
      onRequest: signInGate,
      schema: { ...hidden, body: PasskeySignInBody, response: { 200: SignedInto, ...errorResponses } },
    },
    async (request, reply) =>
      answerSignIn(
        reply,
        context,
        await signInByPasskey(accounts, request.body.credential, clientInfoOf(request, context)),
      ),
  )

  app.post(
    '/first-passkey/options',
    { onRequest: signInGate, schema: { ...hidden, body: NewcomerBody, response: optionsResponse } },
    async (request) => {
      const { token, name } = request.body
      return { ok: true as const, options: await offerFirstPasskey(accounts, token, name) }
    },
  )

  app.post(
    '/first-passkey',
    {
      onRequest: signInGate,
      schema: { ...hidden, body: FirstPasskeyBody, response: { 200: SignedInto, ...errorResponses } },
    },
    async (request, reply) => {
      const { token, name, credential } = request.body
      const opened = await addFirstPasskey(accounts, token, name, credential, clientInfoOf(request, context))
      return answerSignIn(reply, context, opened)
    },
  )

  app.get(
    '/passkeys',
    { onRequest: authenticated, schema: { ...hidden, response: { 200: PasskeyList, ...errorResponses } } },
    async (request) => {
      const passkeys = (await listPasskeys(accounts, personOf(request))).map(presentPasskey)
      return { ok: true as const, count: passkeys.length, passkeys }
    },
  )

  app.post(
    '/passkeys/options',
    { onRequest: authenticated, schema: { ...hidden, response: optionsResponse } },
    async (request) => ({
      ok: true as const,
      options: await offerPasskey(accounts, personOf(request)),
    }),
  )

  app.post(
    '/passkeys',
    {
      onRequest: authenticated,
      schema: { ...hidden, body: NewPasskeyBody, response: { 201: PasskeyAdded, ...errorResponses } },
    },
    async (request, reply) => {
      const { credential, name } = request.body
      const id = await addPasskey(accounts, personOf(request), credential, name)
      return reply.code(201).send({ ok: true, id })
    },
  )

  app.patch(
    '/passkeys/:id',
    {
      onRequest: authenticated,
      schema: { ...hidden, params: OneOfMine, body: NameBody, response: { 200: Done, ...errorResponses } },
    },
    async (request) => {
      await renamePasskey(accounts, personOf(request), request.params.id, request.body.name)
      return { ok: true as const }
    },
  )

  app.delete(
    '/passkeys/:id',
    { onRequest: authenticated, schema: { ...hidden, params: OneOfMine, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      await deletePasskey(accounts, personOf(request), request.params.id)
      return { ok: true as const }
    },
  )
}

/** Creates recovery codes and signs in with one. */
export const recoveryCodeRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const signInGate = gate('desk', 'signIn')

  app.post(
    '/account/recovery-codes',
    {
      onRequest: [...signInGate, requireSession(context)],
      schema: { ...hidden, response: { 201: RecoveryCodes, ...errorResponses } },
    },
    async (request, reply) => {
      const codes = await makeRecoveryCodes(accounts, requireRecentSignIn(personOf(request)))
      return reply.code(201).send({ ok: true, codes })
    },
  )

  app.post(
    '/sign-in/recovery-code',
    { onRequest: signInGate, schema: { ...hidden, body: CodeBody, response: { 200: SignedInto, ...errorResponses } } },
    async (request, reply) =>
      answerSignIn(reply, context, await signInByCode(accounts, request.body, clientInfoOf(request, context))),
  )
}
