import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { accountOf, changeSettings, presentAccount, presentSession, presentWayIn } from '#features/accounts/account.ts'
import { readHistory, wholeHistory } from '#features/accounts/history.ts'
import { requestPasswordReset, requestSignUp } from '#features/accounts/mail.ts'
import { confirmByPasskey, offerConfirmation } from '#features/accounts/passkeys.ts'
import { changePassword, resetPassword } from '#features/accounts/passwords.ts'
import {
  AccountFound,
  ConfirmBody,
  ConfirmOptionsBody,
  Done,
  EmailBody,
  EmailPromised,
  Ended,
  HistoryQuery,
  LinkBody,
  LinkFound,
  LinkUsed,
  OneOfMine,
  Options,
  PasswordBody,
  ResetBody,
  SecurityHistory,
  SessionList,
  SettingsBody,
  SignedInto,
  SignInBody,
  SignUpBody,
  VerifyBody,
} from '#features/accounts/schema.ts'
import { endOtherSessions, endSession, listSessions, signOut } from '#features/accounts/sessions.ts'
import { confirmByPassword, signIn } from '#features/accounts/sign-in.ts'
import { verifyEmail } from '#features/accounts/sign-up.ts'
import { tokenHolder, waysIn } from '#features/accounts/token.ts'
import { invalid } from '#platform/errors.ts'
import {
  answerSignIn,
  clearCookie,
  clientInfoOf,
  type DeskRoutesContext,
  errorResponses,
  hidden,
  languageShown,
  personOf,
  readCookie,
  requireRecentSignIn,
  requireSession,
  setCookie,
  setLanguageCookie,
} from './session.ts'

const done = { ok: true } as const

/** Sign-up, sign-in and account settings. */
export const accountRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const signInGate = gate('desk', 'signIn')
  const authenticated = [...gate('desk', 'read'), requireSession(context)]
  // Setting a password costs as much CPU as checking one.
  const authenticatedStrict = [...signInGate, requireSession(context)]
  // The same for every address, so that it does not reveal whether an account exists.
  const promised = { 202: EmailPromised, ...errorResponses }

  app.post(
    '/sign-up',
    { onRequest: signInGate, schema: { ...hidden, body: SignUpBody, response: promised } },
    async (request, reply) => {
      await requestSignUp(accounts, request.body, languageShown(request))
      return reply.code(202).send(done)
    },
  )

  // Mail scanners open links too, so checking a link does not use it up.
  app.post(
    '/link',
    {
      onRequest: gate('desk', 'read'),
      schema: { ...hidden, body: LinkBody, response: { 200: LinkFound, ...errorResponses } },
    },
    async ({ body: { token, opens } }) => {
      if (opens === 'reset') return { ok: true as const, ways_in: (await waysIn(accounts.db, token)).map(presentWayIn) }
      await tokenHolder(accounts.db, token, opens)
      return { ok: true as const, ways_in: [] }
    },
  )

  app.post(
    '/verify-email',
    { onRequest: signInGate, schema: { ...hidden, body: VerifyBody, response: { 200: LinkUsed, ...errorResponses } } },
    async (request, reply) => {
      const { email, device } = await verifyEmail(accounts, request.body)
      setCookie(reply, context, 'device', device)
      return { ok: true as const, email }
    },
  )

  app.post(
    '/sign-in',
    {
      onRequest: signInGate,
      schema: { ...hidden, body: SignInBody, response: { 200: SignedInto, ...errorResponses } },
    },
    async (request, reply) =>
      answerSignIn(reply, context, await signIn(accounts, request.body, clientInfoOf(request, context))),
  )

  app.post(
    '/forgot-password',
    { onRequest: signInGate, schema: { ...hidden, body: EmailBody, response: promised } },
    async (request, reply) => {
      await requestPasswordReset(accounts, request.body, languageShown(request))
      return reply.code(202).send(done)
    },
  )

  app.post(
    '/reset-password',
    { onRequest: signInGate, schema: { ...hidden, body: ResetBody, response: { 200: LinkUsed, ...errorResponses } } },
    async (request) => ({
      ok: true as const,
      email: await resetPassword(accounts, request.body, clientInfoOf(request, context)),
    }),
  )

  app.get(
    '/account',
    { onRequest: authenticated, schema: { ...hidden, response: { 200: AccountFound, ...errorResponses } } },
    async (request) => {
      const person = personOf(request)
      return { ok: true as const, account: presentAccount(person, await accountOf(accounts, person)) }
    },
  )

  app.patch(
    '/account',
    { onRequest: authenticated, schema: { ...hidden, body: SettingsBody, response: { 200: Done, ...errorResponses } } },
    async (request, reply) => {
      await changeSettings(accounts, personOf(request), request.body)
      if (request.body.language !== undefined) setLanguageCookie(reply, context, request.body.language)
      return done
    },
  )

  app.put(
    '/account/password',
    {
      onRequest: authenticatedStrict,
      schema: { ...hidden, body: PasswordBody, response: { 200: Done, ...errorResponses } },
    },
    async (request) => {
      await changePassword(accounts, requireRecentSignIn(personOf(request)), request.body.password)
      return done
    },
  )
}

/** Lists, ends and reauthenticates sessions. */
export const sessionRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const authenticated = [...gate('desk', 'read'), requireSession(context)]
  const authenticatedStrict = [...gate('desk', 'signIn'), requireSession(context)]

  app.post(
    '/sign-out',
    { onRequest: gate('desk', 'read'), schema: { ...hidden, response: { 200: Done, ...errorResponses } } },
    async (request, reply) => {
      const token = readCookie(request, context, 'desk')
      if (token !== undefined) await signOut(accounts, token)
      clearCookie(reply, context, 'desk')
      return { ok: true as const }
    },
  )

  app.get(
    '/sessions',
    { onRequest: authenticated, schema: { ...hidden, response: { 200: SessionList, ...errorResponses } } },
    async (request) => {
      const sessions = (await listSessions(accounts, personOf(request))).map(presentSession)
      return { ok: true as const, count: sessions.length, sessions }
    },
  )

  app.delete(
    '/sessions/:id',
    { onRequest: authenticated, schema: { ...hidden, params: OneOfMine, response: { 200: Done, ...errorResponses } } },
    async (request) => {
      await endSession(accounts, personOf(request), request.params.id)
      return { ok: true as const }
    },
  )

  app.post(
    '/sessions/end-others',
    { onRequest: authenticated, schema: { ...hidden, response: { 200: Ended, ...errorResponses } } },
    async (request) => ({ ok: true as const, ended: await endOtherSessions(accounts, personOf(request)) }),
  )

  app.post(
    '/reauthenticate/options',
    {
      onRequest: authenticatedStrict,
      schema: { ...hidden, body: ConfirmOptionsBody, response: { 200: Options, ...errorResponses } },
    },
    async (request) => ({
      ok: true as const,
      options: await offerConfirmation(accounts, personOf(request), request.body.nonce),
    }),
  )

  app.post(
    '/reauthenticate',
    {
      onRequest: authenticatedStrict,
      schema: { ...hidden, body: ConfirmBody, response: { 200: Done, ...errorResponses } },
    },
    async (request, reply) => {
      const { password, credential, nonce } = request.body
      const person = personOf(request)
      if ((password === undefined) === (credential === undefined)) {
        throw invalid([{ pointer: '/', code: 'malformed', detail: 'must have either a password or a passkey' }])
      }
      const token =
        password === undefined
          ? await confirmByPasskey(accounts, person, credential!, nonce)
          : await confirmByPassword(accounts, person, password)
      setCookie(reply, context, 'desk', token)
      return { ok: true as const }
    },
  )
}

/** /desk/api/account/history: the account's security events, to read and to download. */
export const historyRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context

  app.get(
    '/account/history',
    {
      onRequest: [...gate('desk', 'read'), requireSession(context)],
      schema: { ...hidden, querystring: HistoryQuery, response: { 200: SecurityHistory, ...errorResponses } },
    },
    async (request) => ({
      ok: true as const,
      ...(await readHistory(accounts, personOf(request), request.query.before)),
    }),
  )

  app.get(
    '/account/history/download',
    { onRequest: [...gate('desk', 'signIn'), requireSession(context)], schema: { ...hidden } },
    async (request, reply) => {
      const events = await wholeHistory(accounts, personOf(request))
      reply.header('content-disposition', 'attachment; filename="security-history.json"')
      return reply.type('application/json').send(`${JSON.stringify(events, null, 2)}\n`)
    },
  )
}
