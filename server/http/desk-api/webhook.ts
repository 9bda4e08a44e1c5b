import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  moveWebhook,
  ownWebhook,
  pingWebhook,
  removeWebhook,
  rotateSecret,
  saveWebhook,
  type WebhookContext,
} from '#features/webhooks/endpoint.ts'
import { findDelivery, listDeliveries, resendOne, resendRange } from '#features/webhooks/log.ts'
import {
  DeliveryFound,
  DeliveryPage,
  ListDeliveries,
  OneDelivery,
  ResendRange,
  Resent,
  RotateSecret,
  SaveWebhook,
  WebhookFound,
  WebhookSaved,
} from '#features/webhooks/schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { freshly, signedIn, writerOf } from './session.ts'

export interface WebhookRoutesContext extends DeskRoutesContext {
  readonly webhooks: WebhookContext
}

/** /desk/api/webhook: where a writer wants to be told, and what was told. A secret is shown only after a fresh sign-in. */
export const webhookRoutes: FastifyPluginAsyncTypebox<WebhookRoutesContext> = async (app, context) => {
  const { webhooks, gate } = context
  // How often a stranger's server is called, the database limits for each writer. Nobody's tests and resends may keep their
  // neighbours from signing in.
  const inside = [...gate('desk', 'read'), signedIn(context)]
  const response = { 200: WebhookFound, ...refusals }

  app.get('/', { onRequest: inside, schema: { ...ownPages, response } }, (request) =>
    ownWebhook(webhooks, writerOf(request)),
  )

  app.put(
    '/',
    { onRequest: inside, schema: { ...ownPages, body: SaveWebhook, response: { 200: WebhookSaved, ...refusals } } },
    (request) => saveWebhook(webhooks, freshly(writerOf(request)), request.body.url),
  )

  app.delete('/', { onRequest: inside, schema: { ...ownPages } }, async (request, reply) => {
    await removeWebhook(webhooks, writerOf(request))
    return reply.code(204).send()
  })

  app.post(
    '/ping',
    { onRequest: inside, schema: { ...ownPages, response: { 202: WebhookFound, ...refusals } } },
    async (request, reply) => reply.code(202).send(await pingWebhook(webhooks, writerOf(request))),
  )

  app.post(
    '/rotate',
    { onRequest: inside, schema: { ...ownPages, body: RotateSecret, response: { 200: WebhookSaved, ...refusals } } },
    (request) => rotateSecret(webhooks, freshly(writerOf(request)), request.body),
  )

  for (const act of ['pause', 'resume'] as const) {
    app.post(`/${act}`, { onRequest: inside, schema: { ...ownPages, response } }, (request) =>
      moveWebhook(webhooks, writerOf(request), act),
    )
  }

  app.get(
    '/deliveries',
    {
      onRequest: inside,
      schema: { ...ownPages, querystring: ListDeliveries, response: { 200: DeliveryPage, ...refusals } },
    },
    (request) => listDeliveries(webhooks, writerOf(request), request.query),
  )

  const one = { ...ownPages, params: OneDelivery, response: { 200: DeliveryFound, ...refusals } }
  app.get('/deliveries/:id', { onRequest: inside, schema: one }, (request) =>
    findDelivery(webhooks, writerOf(request), request.params.id),
  )
  app.post('/deliveries/:id/resend', { onRequest: inside, schema: one }, (request) =>
    resendOne(webhooks, writerOf(request), request.params.id),
  )
  app.post(
    '/deliveries/resend',
    { onRequest: inside, schema: { ...ownPages, body: ResendRange, response: { 200: Resent, ...refusals } } },
    (request) => resendRange(webhooks, writerOf(request), request.body),
  )
}
