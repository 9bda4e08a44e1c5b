import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cancelEmailChange, confirmEmailChange, requestEmailChange } from '#features/accounts/email-change.ts'
import { DeletionAsked, Done, EmailBody, EmailPromised, NameBody, TokenBody } from '#features/accounts/schema.ts'
import { cancelDeletion, cancelDeletionByLink, requestDeletion } from '#features/offboarding/delete-account.ts'
import { type ExportContext, exportEverything, longestExport } from '#features/offboarding/export.ts'
import { message } from '#messages/message.ts'
import { hashOf } from '#platform/crypto.ts'
import { overloaded } from '#platform/errors.ts'
import { createFairQueue } from '#platform/fair-queue.ts'
import { mayTake } from '#platform/http/deadline.ts'
import {
  type DeskRoutesContext,
  errorResponses,
  hidden,
  limitConcurrency,
  personOf,
  readCookie,
  requireRecentSignIn,
  requireSameSite,
  requireSession,
} from './session.ts'

/** Longer than the export's own time limit. */
const exportTimeout = longestExport + 10_000

export interface ExportDeleteRoutesContext extends DeskRoutesContext {
  readonly exports: ExportContext
}

/** /desk/api/account: email change, data export and account deletion. */
export const exportDeleteRoutes: FastifyPluginAsyncTypebox<ExportDeleteRoutesContext> = async (app, context) => {
  const { accounts, exports, gate } = context
  const signInGate = gate('desk', 'signIn')
  const authenticated = [...signInGate, requireSession(context)]
  const done = { ok: true } as const
  const oneExportEach = limitConcurrency(
    createFairQueue({
      atOnce: Number.POSITIVE_INFINITY,
      atOnceEach: 1,
      waiting: 0,
      waitingEach: 0,
      refuse: () => overloaded(message('error.export_running')),
    }),
  )

  app.post(
    '/account/email',
    {
      onRequest: authenticated,
      schema: { ...hidden, body: EmailBody, response: { 202: EmailPromised, ...errorResponses } },
    },
    async (request, reply) => {
      await requestEmailChange(accounts, requireRecentSignIn(personOf(request)), request.body.email)
      return reply.code(202).send({ ok: true })
    },
  )

  app.delete('/account/email', { onRequest: authenticated, schema: { ...hidden } }, async (request, reply) => {
    await cancelEmailChange(accounts, personOf(request))
    return reply.code(204).send()
  })

  app.post(
    '/account/email/confirm',
    { onRequest: signInGate, schema: { ...hidden, body: TokenBody, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      const session = readCookie(request, context, 'desk')
      await confirmEmailChange(accounts, request.body.token, session === undefined ? null : hashOf(session))
      return done
    },
  )

  app.get(
    '/account/export',
    { onRequest: [mayTake(exportTimeout), requireSameSite, ...authenticated, oneExportEach], schema: { ...hidden } },
    async (request, reply) => {
      const { archive, totalBytes } = await exportEverything(exports, personOf(request))
      const day = new Date().toISOString().slice(0, 10)
      reply.headers({
        'content-disposition': `attachment; filename="standfirst-${day}.zip"`,
        'x-total-bytes': String(totalBytes),
      })
      return reply.type('application/zip').send(archive)
    },
  )

  app.delete(
    '/account',
    {
      prefixTrailingSlash: 'no-slash',
      onRequest: authenticated,
      schema: { ...hidden, body: NameBody, response: { 202: DeletionAsked, ...errorResponses } },
    },
    async (request, reply) => {
      const at = await requestDeletion(accounts, requireRecentSignIn(personOf(request)), request.body.name)
      return reply.code(202).send({ ok: true, delete_at: at.toISOString() })
    },
  )

  app.delete('/account/deletion', { onRequest: authenticated, schema: { ...hidden } }, async (request, reply) => {
    await cancelDeletion(accounts, personOf(request))
    return reply.code(204).send()
  })

  app.post(
    '/account/deletion/cancel',
    { onRequest: signInGate, schema: { ...hidden, body: TokenBody, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      await cancelDeletionByLink(accounts, request.body.token)
      return done
    },
  )
}
