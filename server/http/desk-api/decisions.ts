import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { appeal, myDecision, myDecisions } from '#features/moderation/decisions.ts'
import {
  AppealBody,
  DecisionFound,
  DecisionList,
  MyDecisions,
  OneDecision,
} from '#features/moderation/decisions-schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { signedIn, writerOf } from './session.ts'

/** /desk/api/decisions: what moderators decided about one's own work, and the appeal against it. */
export const decisionRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { desk } = context
  for (const hook of context.gate('desk', 'read')) app.addHook('onRequest', hook)
  app.addHook('onRequest', signedIn(context))

  const params = OneDecision
  const response = { 200: DecisionFound, ...refusals }

  app.get(
    '/',
    { schema: { ...ownPages, querystring: MyDecisions, response: { 200: DecisionList, ...refusals } } },
    (request) => myDecisions(desk, writerOf(request), request.query.about),
  )

  app.get('/:id', { schema: { ...ownPages, params, response } }, (request) =>
    myDecision(desk, writerOf(request), request.params.id),
  )

  app.post('/:id/appeal', { schema: { ...ownPages, params, body: AppealBody, response } }, (request) =>
    appeal(desk, writerOf(request), request.params.id, request.body.text),
  )
}
