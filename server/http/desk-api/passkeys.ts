import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
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
import { presentPasskey } from '#features/accounts/present.ts'
import {
  Done,
  FirstPasskeyBody,
  MadeBody,
  NameBody,
  NewcomerBody,
  OneOfMine,
  Options,
  PasskeyAdded,
  PasskeyList,
  ShownBody,
} from '#features/accounts/schema.ts'
import { letIn, visitorOf } from './client-info.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { personOf, signedIn } from './session.ts'

/**
 * Passkeys: made, named, deleted, and signed in with. Each ceremony begins with `…/options`. The database demands a fresh
 * sign-in of whoever makes or deletes one.
 */
export const passkeyRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const knocking = gate('desk', 'signIn')
  const inside = [...gate('desk', 'read'), signedIn(context)]
  const offered = { 200: Options, ...refusals }

  // Asked by every visit to the page, for the browser to offer a passkey: no try yet.
  app.post(
    '/sign-in/passkey/options',
    { onRequest: gate('desk', 'read'), schema: { ...ownPages, response: offered } },
    async () => ({ ok: true as const, options: await offerSignIn(accounts) }),
  )

  app.post(
    '/sign-in/passkey',
    { onRequest: knocking, schema: { ...ownPages, body: ShownBody, response: { 200: Done, ...refusals } } },
    async (request, reply) => {
      letIn(reply, context, await signInByPasskey(accounts, request.body.credential, visitorOf(request, context)))
      return { ok: true as const }
    },
  )

  app.post(
    '/first-passkey/options',
    { onRequest: knocking, schema: { ...ownPages, body: NewcomerBody, response: offered } },
    async (request) => {
      const { token, name } = request.body
      return { ok: true as const, options: await offerFirstPasskey(accounts, token, name) }
    },
  )

  app.post(
    '/first-passkey',
    { onRequest: knocking, schema: { ...ownPages, body: FirstPasskeyBody, response: { 200: Done, ...refusals } } },
    async (request, reply) => {
      const { token, name, credential } = request.body
      letIn(reply, context, await addFirstPasskey(accounts, token, name, credential, visitorOf(request, context)))
      return { ok: true as const }
    },
  )

  app.get(
    '/passkeys',
    { onRequest: inside, schema: { ...ownPages, response: { 200: PasskeyList, ...refusals } } },
    async (request) => {
      const passkeys = (await listPasskeys(accounts, personOf(request))).map(presentPasskey)
      return { ok: true as const, count: passkeys.length, passkeys }
    },
  )

  app.post('/passkeys/options', { onRequest: inside, schema: { ...ownPages, response: offered } }, async (request) => ({
    ok: true as const,
    options: await offerPasskey(accounts, personOf(request)),
  }))

  app.post(
    '/passkeys',
    { onRequest: inside, schema: { ...ownPages, body: MadeBody, response: { 201: PasskeyAdded, ...refusals } } },
    async (request, reply) => {
      const { credential, name } = request.body
      const id = await addPasskey(accounts, personOf(request), credential, name)
      return reply.code(201).send({ ok: true, id })
    },
  )

  app.patch(
    '/passkeys/:id',
    {
      onRequest: inside,
      schema: { ...ownPages, params: OneOfMine, body: NameBody, response: { 200: Done, ...refusals } },
    },
    async (request) => {
      await renamePasskey(accounts, personOf(request), request.params.id, request.body.name)
      return { ok: true as const }
    },
  )

  app.delete(
    '/passkeys/:id',
    { onRequest: inside, schema: { ...ownPages, params: OneOfMine, response: { 200: Done, ...refusals } } },
    async (request) => {
      await deletePasskey(accounts, personOf(request), request.params.id)
      return { ok: true as const }
    },
  )
}
