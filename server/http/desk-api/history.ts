import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readHistory, wholeHistory } from '#features/accounts/history.ts'
import { HistoryQuery, SecurityHistory } from '#features/accounts/schema.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { personOf, signedIn } from './session.ts'

/** /desk/api/account/history: what happened to the account, to read and to keep. */
export const historyRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context

  app.get(
    '/account/history',
    {
      onRequest: [...gate('desk', 'read'), signedIn(context)],
      schema: { ...ownPages, querystring: HistoryQuery, response: { 200: SecurityHistory, ...refusals } },
    },
    async (request) => ({
      ok: true as const,
      ...(await readHistory(accounts, personOf(request), request.query.before)),
    }),
  )

  app.get(
    '/account/history/download',
    { onRequest: [...gate('desk', 'signIn'), signedIn(context)], schema: { ...ownPages } },
    async (request, reply) => {
      const events = await wholeHistory(accounts, personOf(request))
      reply.header('content-disposition', 'attachment; filename="security-history.json"')
      return reply.type('application/json').send(`${JSON.stringify(events, null, 2)}\n`)
    },
  )
}
