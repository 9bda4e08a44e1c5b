import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChosenId } from '#features/pieces/desk-schema.ts'
import { beginProduct, deleteProduct, deskProduct, deskShop, saveProduct } from '#features/products/desk.ts'
import {
  CreateProductBody,
  DeskProductFound,
  DeskShop,
  EditProductBody,
  ProductOrder,
  ShownRevision,
} from '#features/products/desk-schema.ts'
import { orderProducts, showProduct, withdrawProduct } from '#features/products/publish.ts'
import { OneProduct } from '#features/products/schema.ts'
import { tagged } from '#platform/http/etag.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

/** A listing of the longest texts, every character of them written as an escape. */
const largestListing = 196_608

/** /desk/api/products: a writer's own shop, and the only context through which a listing becomes public. */
export const shopRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  const shop = { 200: DeskShop, ...refusals }
  const found = { 200: DeskProductFound, ...refusals }

  app.get('/', { schema: { ...ownPages, response: shop } }, (request) => deskShop(desk, writerOf(request)))

  app.post(
    '/',
    {
      bodyLimit: largestListing,
      schema: {
        ...ownPages,
        querystring: ChosenId,
        body: CreateProductBody,
        response: { 201: DeskProductFound, ...refusals },
      },
    },
    async (request, reply) => {
      reply.code(201)
      return tagged(reply, await beginProduct(desk, writerOf(request), request.body, request.query.id))
    },
  )

  app.put('/order', { schema: { ...ownPages, body: ProductOrder, response: shop } }, (request) =>
    orderProducts(desk, writerOf(request), request.body.ids),
  )

  app.get('/:id', { schema: { ...ownPages, params: OneProduct, response: found } }, async (request, reply) =>
    tagged(reply, await deskProduct(desk, writerOf(request), request.params.id)),
  )

  app.patch(
    '/:id',
    { bodyLimit: largestListing, schema: { ...ownPages, params: OneProduct, body: EditProductBody, response: found } },
    async (request, reply) => {
      const { params, body, headers } = request
      return tagged(reply, await saveProduct(desk, writerOf(request), params.id, body, headers['if-match']))
    },
  )

  app.delete('/:id', { schema: { ...ownPages, params: OneProduct } }, async (request, reply) => {
    await deleteProduct(desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })

  for (const [path, act] of [
    ['publish', 'list'],
    ['update', 'update'],
  ] as const) {
    app.post(
      `/:id/${path}`,
      { schema: { ...ownPages, params: OneProduct, body: ShownRevision, response: found } },
      async (request, reply) =>
        tagged(reply, await showProduct(desk, writerOf(request), request.params.id, request.body.revision, act)),
    )
  }

  app.post('/:id/withdraw', { schema: { ...ownPages, params: OneProduct, response: found } }, async (request, reply) =>
    tagged(reply, await withdrawProduct(desk, writerOf(request), request.params.id)),
  )
}
