import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listKeys, mintKey, revokeKey } from '#features/keys/manage.ts'
import { KeyList, KeyMinted, MintKey, OneKey } from '#features/keys/schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { freshly, signedIn, writerOf } from './session.ts'

/** /desk/api/keys: a writer's keys. Minting needs a fresh sign-in; revoking, which can only make things safer, does not. */
export const keyRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  app.get('/', { schema: { ...ownPages, response: { 200: KeyList, ...refusals } } }, (request) =>
    listKeys(context.desk, writerOf(request)),
  )

  app.post(
    '/',
    { schema: { ...ownPages, body: MintKey, response: { 201: KeyMinted, ...refusals } } },
    async (request, reply) => {
      const minted = await mintKey(context.desk, freshly(writerOf(request)), request.body)
      return reply.code(201).send(minted)
    },
  )

  app.delete('/:id', { schema: { ...ownPages, params: OneKey } }, async (request, reply) => {
    await revokeKey(context.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })
}
