import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { moderatorDeeds } from '#features/moderation/audit-log.ts'
import { decideAppeal, decisionForReview, decisionsForReview } from '#features/moderation/decisions.ts'
import {
  DecideBody,
  DecisionSettled,
  OneDecision,
  ReviewedList,
  ReviewedPage,
  ReviewedShown,
} from '#features/moderation/decisions-schema.ts'
import { decideIdentity, findWriters } from '#features/moderation/identity.ts'
import {
  Before,
  DeedList,
  DeedPage,
  FindWriters,
  FoundWriters,
  Identity,
  IdentityDecided,
  OneWriter,
  Suspend,
  Suspended,
} from '#features/moderation/people-schema.ts'
import {
  approve,
  beforeReview,
  reject,
  requestChanges,
  reviewQueue,
  showForReview,
  takeDown,
  takeDownListing,
} from '#features/moderation/review.ts'
import {
  Decided,
  Refusal,
  ReviewList,
  ReviewPage,
  ReviewShown,
  TakeDown,
  WithNote,
} from '#features/moderation/schema.ts'
import { decideSuspension } from '#features/moderation/suspend.ts'
import { WithNonce } from '#features/pieces/desk-schema.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { signalOf } from '#platform/http/deadline.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { moderatorOf, signedIn } from './session.ts'

/** /desk/api/review: what waits for moderators, their decisions and the appeals against them, who writers are, and what moderators did. */
export const reviewRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { publishing } = context
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  const params = OnePiece
  const response = { 200: Decided, ...refusals }

  app.get(
    '/',
    { schema: { ...ownPages, querystring: ReviewList, response: { 200: ReviewPage, ...refusals } } },
    (request) => reviewQueue(publishing, moderatorOf(request), request.query),
  )

  app.get('/:id/before', { schema: { ...ownPages, params, response: { 200: Before, ...refusals } } }, (request) =>
    beforeReview(publishing, moderatorOf(request), request.params.id),
  )

  app.post('/:id/show', { schema: { ...ownPages, params, response: { 200: ReviewShown, ...refusals } } }, (request) =>
    showForReview(publishing, moderatorOf(request), request.params.id, signalOf(request)),
  )

  app.post('/:id/approve', { schema: { ...ownPages, params, body: WithNonce, response } }, (request) =>
    approve(publishing, moderatorOf(request), request.params.id, request.body.nonce, signalOf(request)),
  )

  app.post('/:id/request-changes', { schema: { ...ownPages, params, body: WithNote, response } }, (request) =>
    requestChanges(publishing, moderatorOf(request), request.params.id, request.body.note),
  )

  app.post('/:id/reject', { schema: { ...ownPages, params, body: Refusal, response } }, (request) =>
    reject(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.post('/:id/take-down', { schema: { ...ownPages, params, body: TakeDown, response } }, (request) =>
    takeDown(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.post('/listings/:id/take-down', { schema: { ...ownPages, params, body: Refusal, response } }, (request) =>
    takeDownListing(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.get(
    '/decisions',
    { schema: { ...ownPages, querystring: ReviewedList, response: { 200: ReviewedPage, ...refusals } } },
    (request) => decisionsForReview(publishing, moderatorOf(request), request.query),
  )

  app.get(
    '/decisions/:id',
    { schema: { ...ownPages, params: OneDecision, response: { 200: ReviewedShown, ...refusals } } },
    (request) => decisionForReview(publishing, moderatorOf(request), request.params.id),
  )

  app.post(
    '/decisions/:id/decide',
    { schema: { ...ownPages, params: OneDecision, body: DecideBody, response: { 200: DecisionSettled, ...refusals } } },
    (request) => decideAppeal(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.get(
    '/writers',
    { schema: { ...ownPages, querystring: FindWriters, response: { 200: FoundWriters, ...refusals } } },
    (request) => findWriters(publishing, moderatorOf(request), request.query),
  )

  app.put(
    '/writers/:slug/identity',
    { schema: { ...ownPages, params: OneWriter, body: Identity, response: { 200: IdentityDecided, ...refusals } } },
    (request) => decideIdentity(publishing, moderatorOf(request), request.params.slug, request.body),
  )

  for (const act of ['suspend', 'restore'] as const)
    app.post(
      `/writers/:slug/${act}`,
      { schema: { ...ownPages, params: OneWriter, body: Suspend, response: { 200: Suspended, ...refusals } } },
      (request) => decideSuspension(publishing, moderatorOf(request), act, request.params.slug, request.body.reason),
    )

  app.get(
    '/deeds',
    { schema: { ...ownPages, querystring: DeedList, response: { 200: DeedPage, ...refusals } } },
    (request) => moderatorDeeds(publishing, moderatorOf(request), request.query),
  )
}
