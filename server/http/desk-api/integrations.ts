import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { listKeys, mintKey, revokeKey } from '#features/keys/manage.ts'
import { KeyList, KeyMinted, MintKey, OneKey } from '#features/keys/schema.ts'
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
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  requireRecentSignIn,
  requireSession,
  requireSessionOnAll,
  translatorFrom,
  writerOf,
} from './session.ts'

export interface WebhookRoutesContext extends DeskRoutesContext {
  readonly webhooks: WebhookContext
}

/** /desk/api/webhook: a writer's webhook endpoint and its deliveries. A secret is shown only after a recent sign-in. */
export const webhookRoutes: FastifyPluginAsyncTypebox<WebhookRoutesContext> = async (app, context) => {
  const { webhooks, gate } = context
  // The database limits per writer how often their server is called. These routes use the read limit, so that tests and
  // resends cannot keep others from signing in.
  const authenticated = [...gate('desk', 'read'), requireSession(context)]
  const response = { 200: WebhookFound, ...errorResponses }

  app.get('/', { onRequest: authenticated, schema: { ...hidden, response } }, (request) =>
    ownWebhook(webhooks, writerOf(request)),
  )

  app.put(
    '/',
    {
      onRequest: authenticated,
      schema: { ...hidden, body: SaveWebhook, response: { 200: WebhookSaved, ...errorResponses } },
    },
    (request) => saveWebhook(webhooks, requireRecentSignIn(writerOf(request)), request.body.url),
  )

  app.delete('/', { onRequest: authenticated, schema: { ...hidden } }, async (request, reply) => {
    await removeWebhook(webhooks, writerOf(request))
    return reply.code(204).send()
  })

  app.post(
    '/ping',
    { onRequest: authenticated, schema: { ...hidden, response: { 202: WebhookFound, ...errorResponses } } },
    async (request, reply) => reply.code(202).send(await pingWebhook(webhooks, writerOf(request))),
  )

  app.post(
    '/rotate',
    {
      onRequest: authenticated,
      schema: { ...hidden, body: RotateSecret, response: { 200: WebhookSaved, ...errorResponses } },
    },
    (request) => rotateSecret(webhooks, requireRecentSignIn(writerOf(request)), request.body),
  )

  for (const act of ['pause', 'resume'] as const) {
    app.post(`/${act}`, { onRequest: authenticated, schema: { ...hidden, response } }, (request) =>
      moveWebhook(webhooks, writerOf(request), act),
    )
  }

  app.get(
    '/deliveries',
    {
      onRequest: authenticated,
      schema: { ...hidden, querystring: ListDeliveries, response: { 200: DeliveryPage, ...errorResponses } },
    },
    (request) => listDeliveries(webhooks, writerOf(request), request.query),
  )

  const one = { ...hidden, params: OneDelivery, response: { 200: DeliveryFound, ...errorResponses } }
  app.get('/deliveries/:id', { onRequest: authenticated, schema: one }, (request) =>
    findDelivery(webhooks, writerOf(request), request.params.id, translatorFrom(request)),
  )
  app.post('/deliveries/:id/resend', { onRequest: authenticated, schema: one }, (request) =>
    resendOne(webhooks, writerOf(request), request.params.id, translatorFrom(request)),
  )
  app.post(
    '/deliveries/resend',
    {
      onRequest: authenticated,
      schema: { ...hidden, body: ResendRange, response: { 200: Resent, ...errorResponses } },
    },
    (request) => resendRange(webhooks, writerOf(request), request.body),
  )
}

/**
 * /desk/api/keys: a writer's keys. Creating one needs a recent sign-in; revoking one, which can only make things safer,
 * does not.
 */
export const keyRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  requireSessionOnAll(app, context)

  app.get('/', { schema: { ...hidden, response: { 200: KeyList, ...errorResponses } } }, (request) =>
    listKeys(context.desk, writerOf(request)),
  )

  app.post(
    '/',
    { schema: { ...hidden, body: MintKey, response: { 201: KeyMinted, ...errorResponses } } },
    async (request, reply) => {
      const minted = await mintKey(context.desk, requireRecentSignIn(writerOf(request)), request.body)
      return reply.code(201).send(minted)
    },
  )

  app.delete('/:id', { schema: { ...hidden, params: OneKey } }, async (request, reply) => {
    await revokeKey(context.desk, writerOf(request), request.params.id)
    return reply.code(204).send()
  })
}
