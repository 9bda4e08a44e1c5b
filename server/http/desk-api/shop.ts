import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChosenId } from '#features/pieces/desk-schema.ts'
import { beginProduct, deleteProduct, deskProduct, deskShop, saveProduct } from '#features/products/desk.ts'
import { listOrUpdateProduct, orderProducts, withdrawProduct } from '#features/products/publish.ts'
import {
  CreateProductBody,
  DeskProductFound,
  DeskShop,
  EditProductBody,
  OneProduct,
  ProductOrder,
  ShownRevision,
} from '#features/products/schema.ts'
import { withEtag } from '#platform/http/caching.ts'
import { type DeskRoutesContext, errorResponses, hidden, requireSessionOnAll, writerOf } from './session.ts'

/** A listing with the longest texts, every character escaped. */
const maxListingBytes = 196_608

/** /desk/api/products: a writer's own shop, and the only API that can make a listing public. */
export const shopRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  requireSessionOnAll(app, context)

  const shop = { 200: DeskShop, ...errorResponses }
  const found = { 200: DeskProductFound, ...errorResponses }

  app.get('/', { schema: { ...hidden, response: shop } }, (request) => deskShop(desk, writerOf(request)))

  app.post(
    '/',
    {
      bodyLimit: maxListingBytes,
      schema: {
        ...hidden,
        querystring: ChosenId,
        body: CreateProductBody,
        response: { 201: DeskProductFound, ...errorResponses },
      },
    },
    async (request, reply) => {
      reply.code(201)
      return withEtag(reply, await beginProduct(desk, writerOf(request), request.body, request.query.id))
    },
  )

  app.put('/order', { schema: { ...hidden, body: ProductOrder, response: shop } }, (request) =>
    orderProducts(desk, writerOf(request), request.body.ids),
  )

  app.get('/:id', { schema: { ...hidden, params: OneProduct, response: found } }, async (request, reply) =>
    withEtag(reply, await deskProduct(desk, writerOf(request), request.params.id)),
  )

  app.patch(
    '/:id',
    { bodyLimit: maxListingBytes, schema: { ...hidden, params: OneProduct, body: EditProductBody, response: found } },
    async (request, reply) => {
      const { params, body, headers } = request
      return withEtag(reply, await saveProduct(desk, writerOf(request), params.id, body, headers['if-match']))
    },
  )

  app.delete('/:id', { schema: { ...hidden, params: OneProduct } }, async (request, reply) => {
    await deleteProduct(desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })

  for (const [path, act] of [
    ['publish', 'list'],
    ['update', 'update'],
  ] as const) {
    app.post(
      `/:id/${path}`,
      { schema: { ...hidden, params: OneProduct, body: ShownRevision, response: found } },
      async (request, reply) =>
        withEtag(
          reply,
          await listOrUpdateProduct(desk, writerOf(request), request.params.id, request.body.revision, act),
        ),
    )
  }

  app.post('/:id/withdraw', { schema: { ...hidden, params: OneProduct, response: found } }, async (request, reply) =>
    withEtag(reply, await withdrawProduct(desk, writerOf(request), request.params.id)),
  )
}
