import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { onRequestHookHandler } from 'fastify'
import { cancelEmail, confirmEmail, wantEmail } from '#features/accounts/email.ts'
import { DeletionAsked, Done, EmailBody, LetterPromised, NameBody, TokenBody } from '#features/accounts/schema.ts'
import { askDeletion, cancelDeletion, cancelDeletionByLink } from '#features/offboarding/delete-account.ts'
import { type ExportContext, exportEverything, longestExport } from '#features/offboarding/export.ts'
import { overloaded, ServiceError } from '#platform/errors.ts'
import { createFairQueue } from '#platform/fair-queue.ts'
import { mayTake } from '#platform/http/deadline.ts'
import { hashOf } from '#platform/secret.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { readCookie } from './cookies.ts'
import { freshly, oneOfFew, personOf, signedIn } from './session.ts'

/** Longer than an export may take, which breaks off by itself. */
const exportTime = longestExport + 10_000

export interface LeavingRoutesContext extends DeskRoutesContext {
  readonly exports: ExportContext
}

/** /desk/api/account: another address, everything to take along, and leaving. */
export const leavingRoutes: FastifyPluginAsyncTypebox<LeavingRoutesContext> = async (app, context) => {
  const { accounts, exports, gate } = context
  const knocking = gate('desk', 'signIn')
  const inside = [...knocking, signedIn(context)]
  const done = { ok: true } as const
  const alone = oneOfFew(
    createFairQueue({
      atOnce: Number.POSITIVE_INFINITY,
      atOnceEach: 1,
      waiting: 0,
      waitingEach: 0,
      refuse: () =>
        overloaded('Everything of yours is being packed already. Let that end, or stop it, then begin again.'),
    }),
  )

  app.post(
    '/account/email',
    { onRequest: inside, schema: { ...ownPages, body: EmailBody, response: { 202: LetterPromised, ...refusals } } },
    async (request, reply) => {
      await wantEmail(accounts, freshly(personOf(request)), request.body.email)
      const detail = 'If this address can be yours, an email is on its way there. Open the link in it.'
      return reply.code(202).send({ ok: true, detail })
    },
  )

  app.delete('/account/email', { onRequest: inside, schema: { ...ownPages } }, async (request, reply) => {
    await cancelEmail(accounts, personOf(request))
    return reply.code(204).send()
  })

  app.post(
    '/account/email/confirm',
    { onRequest: knocking, schema: { ...ownPages, body: TokenBody, response: { 200: Done, ...refusals } } },
    async (request) => {
      const session = readCookie(request, context, 'desk')
      await confirmEmail(accounts, request.body.token, session === undefined ? null : hashOf(session))
      return done
    },
  )

  app.get(
    '/account/export',
    { onRequest: [mayTake(exportTime), fromHere, ...inside, alone], schema: { ...ownPages } },
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
      onRequest: inside,
      schema: { ...ownPages, body: NameBody, response: { 202: DeletionAsked, ...refusals } },
    },
    async (request, reply) => {
      const at = await askDeletion(accounts, freshly(personOf(request)), request.body.name)
      return reply.code(202).send({ ok: true, delete_at: at.toISOString() })
    },
  )

  app.delete('/account/deletion', { onRequest: inside, schema: { ...ownPages } }, async (request, reply) => {
    await cancelDeletion(accounts, personOf(request))
    return reply.code(204).send()
  })

  app.post(
    '/account/deletion/cancel',
    { onRequest: knocking, schema: { ...ownPages, body: TokenBody, response: { 200: Done, ...refusals } } },
    async (request) => {
      await cancelDeletionByLink(accounts, request.body.token)
      return done
    },
  )
}

/** Reading is safe, but each export holds one of few connections: no other site has people begin one. */
const fromHere: onRequestHookHandler = ({ headers }, _reply, next) => {
  const site = headers['sec-fetch-site']
  next(
    site === undefined || site === 'same-origin' || site === 'none'
      ? undefined
      : new ServiceError(403, 'cross_site', 'Begin the download at the desk, among the settings of your account.'),
  )
}
