import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { invite, listInvitations, withdrawInvitation } from '#features/accounts/invitations.ts'
import { Done, InvitationMade, Invitations, NewInvitation, OneInvitation } from '#features/accounts/schema.ts'
import { readAuditLog } from '#features/moderation/audit-log.ts'
import {
  appeal,
  decideAppeal,
  decisionForReview,
  decisionsForReview,
  myDecision,
  myDecisions,
} from '#features/moderation/decisions.ts'
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
  AppealBody,
  AuditLogPage,
  AuditLogQuery,
  Before,
  DecideBody,
  Decided,
  DecisionFound,
  DecisionList,
  DecisionSettled,
  FindWriters,
  FoundWriters,
  Identity,
  IdentityDecided,
  MyDecisions,
  OneDecision,
  OneWriter,
  Refusal,
  ReviewedList,
  ReviewedPage,
  ReviewedShown,
  ReviewList,
  ReviewPage,
  ReviewShown,
  Suspend,
  Suspended,
  TakeDown,
  WithNote,
} from '#features/moderation/schema.ts'
import { decideIdentity, decideSuspension, findWriters } from '#features/moderation/writers.ts'
import { WithNonce } from '#features/pieces/desk-schema.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { signalOf } from '#platform/http/deadline.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  moderatorOf,
  requireSessionOnAll,
  translatorFrom,
  writerOf,
} from './session.ts'

/** /desk/api/review: the review queue, decisions and appeals, writers' identity and suspension, and the audit log. */
export const reviewRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { publishing } = context
  requireSessionOnAll(app, context)

  const params = OnePiece
  const response = { 200: Decided, ...errorResponses }

  app.get(
    '/',
    { schema: { ...hidden, querystring: ReviewList, response: { 200: ReviewPage, ...errorResponses } } },
    (request) => reviewQueue(publishing, moderatorOf(request), request.query),
  )

  app.get('/:id/before', { schema: { ...hidden, params, response: { 200: Before, ...errorResponses } } }, (request) =>
    beforeReview(publishing, moderatorOf(request), request.params.id),
  )

  app.post(
    '/:id/show',
    { schema: { ...hidden, params, response: { 200: ReviewShown, ...errorResponses } } },
    (request) =>
      showForReview(publishing, moderatorOf(request), request.params.id, translatorFrom(request), signalOf(request)),
  )

  app.post('/:id/approve', { schema: { ...hidden, params, body: WithNonce, response } }, (request) =>
    approve(publishing, moderatorOf(request), request.params.id, request.body.nonce, signalOf(request)),
  )

  app.post('/:id/request-changes', { schema: { ...hidden, params, body: WithNote, response } }, (request) =>
    requestChanges(publishing, moderatorOf(request), request.params.id, request.body.note),
  )

  app.post('/:id/reject', { schema: { ...hidden, params, body: Refusal, response } }, (request) =>
    reject(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.post('/:id/take-down', { schema: { ...hidden, params, body: TakeDown, response } }, (request) =>
    takeDown(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.post('/listings/:id/take-down', { schema: { ...hidden, params, body: Refusal, response } }, (request) =>
    takeDownListing(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.get(
    '/decisions',
    { schema: { ...hidden, querystring: ReviewedList, response: { 200: ReviewedPage, ...errorResponses } } },
    (request) => decisionsForReview(publishing, moderatorOf(request), request.query),
  )

  app.get(
    '/decisions/:id',
    { schema: { ...hidden, params: OneDecision, response: { 200: ReviewedShown, ...errorResponses } } },
    (request) => decisionForReview(publishing, moderatorOf(request), request.params.id),
  )

  app.post(
    '/decisions/:id/decide',
    {
      schema: {
        ...hidden,
        params: OneDecision,
        body: DecideBody,
        response: { 200: DecisionSettled, ...errorResponses },
      },
    },
    (request) => decideAppeal(publishing, moderatorOf(request), request.params.id, request.body),
  )

  app.get(
    '/writers',
    { schema: { ...hidden, querystring: FindWriters, response: { 200: FoundWriters, ...errorResponses } } },
    (request) => findWriters(publishing, moderatorOf(request), request.query),
  )

  app.put(
    '/writers/:slug/identity',
    { schema: { ...hidden, params: OneWriter, body: Identity, response: { 200: IdentityDecided, ...errorResponses } } },
    (request) => decideIdentity(publishing, moderatorOf(request), request.params.slug, request.body),
  )

  for (const act of ['suspend', 'restore'] as const)
    app.post(
      `/writers/:slug/${act}`,
      { schema: { ...hidden, params: OneWriter, body: Suspend, response: { 200: Suspended, ...errorResponses } } },
      (request) => decideSuspension(publishing, moderatorOf(request), act, request.params.slug, request.body.reason),
    )

  app.get(
    '/deeds',
    { schema: { ...hidden, querystring: AuditLogQuery, response: { 200: AuditLogPage, ...errorResponses } } },
    (request) => readAuditLog(publishing, moderatorOf(request), request.query),
  )
}

/** /desk/api/decisions: moderators' decisions about a writer's own work, and appeals. */
export const decisionRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  requireSessionOnAll(app, context)

  const params = OneDecision
  const response = { 200: DecisionFound, ...errorResponses }

  app.get(
    '/',
    { schema: { ...hidden, querystring: MyDecisions, response: { 200: DecisionList, ...errorResponses } } },
    (request) => myDecisions(desk, writerOf(request), request.query.about),
  )

  app.get('/:id', { schema: { ...hidden, params, response } }, (request) =>
    myDecision(desk, writerOf(request), request.params.id),
  )

  app.post('/:id/appeal', { schema: { ...hidden, params, body: AppealBody, response } }, (request) =>
    appeal(desk, writerOf(request), request.params.id, request.body.text),
  )
}

/** /desk/api/review/invitations: invitations, for sites without open sign-up. */
export const invitationRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts } = context
  requireSessionOnAll(app, context)

  app.get('/', { schema: { ...hidden, response: { 200: Invitations, ...errorResponses } } }, (request) =>
    listInvitations(accounts, moderatorOf(request)),
  )

  app.post(
    '/',
    { schema: { ...hidden, body: NewInvitation, response: { 201: InvitationMade, ...errorResponses } } },
    async (request, reply) =>
      reply.code(201).send(await invite(accounts, moderatorOf(request), request.body.email ?? null)),
  )

  app.delete(
    '/:invitation',
    { schema: { ...hidden, params: OneInvitation, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      await withdrawInvitation(accounts, moderatorOf(request), request.params.invitation)
      return { ok: true as const }
    },
  )
}
