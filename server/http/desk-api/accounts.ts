import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { accountOf, wantDraftsLetter } from '#features/accounts/account.ts'
import { askForReset, askToSignUp } from '#features/accounts/mail.ts'
import { changePassword, resetPassword } from '#features/accounts/passwords.ts'
import { presentAccount, presentWayIn } from '#features/accounts/present.ts'
import {
  AccountFound,
  Done,
  EmailBody,
  LetterPromised,
  LinkBody,
  LinkFound,
  LinkUsed,
  PasswordBody,
  ResetBody,
  SettingsBody,
  SignInBody,
  SignUpBody,
  VerifyBody,
} from '#features/accounts/schema.ts'
import { signIn } from '#features/accounts/sign-in.ts'
import { verifyEmail } from '#features/accounts/sign-up.ts'
import { tokenHolder, waysIn } from '#features/accounts/token.ts'
import { letIn, visitorOf } from './client-info.ts'
import { type DeskRoutesContext, ownPages, refusals } from './context.ts'
import { setCookie } from './cookies.ts'
import { freshly, personOf, signedIn } from './session.ts'

const done = { ok: true } as const
/** The same for every address: whether it is known is between the site and its letter box. */
const letterPromised = {
  ok: true,
  detail: 'If this address can get a letter from us, it is on its way. Open the link in it.',
} as const

/** Signing up and in, and what belongs to an account. */
export const accountRoutes: FastifyPluginAsyncTypebox<DeskRoutesContext> = async (app, context) => {
  const { accounts, gate } = context
  const knocking = gate('desk', 'signIn')
  const inside = [...gate('desk', 'read'), signedIn(context)]
  // A password costs as much to set as to check.
  const setting = [...knocking, signedIn(context)]
  const promised = { 202: LetterPromised, ...refusals }

  app.post(
    '/sign-up',
    { onRequest: knocking, schema: { ...ownPages, body: SignUpBody, response: promised } },
    async (request, reply) => {
      await askToSignUp(accounts, request.body)
      return reply.code(202).send(letterPromised)
    },
  )

  // Programs that look at emails open their links too: a look uses nothing up.
  app.post(
    '/link',
    {
      onRequest: gate('desk', 'read'),
      schema: { ...ownPages, body: LinkBody, response: { 200: LinkFound, ...refusals } },
    },
    async ({ body: { token, opens } }) => {
      if (opens === 'reset') return { ok: true as const, ways_in: (await waysIn(accounts.db, token)).map(presentWayIn) }
      await tokenHolder(accounts.db, token, opens)
      return { ok: true as const, ways_in: [] }
    },
  )

  app.post(
    '/verify-email',
    { onRequest: knocking, schema: { ...ownPages, body: VerifyBody, response: { 200: LinkUsed, ...refusals } } },
    async (request, reply) => {
      const { email, device } = await verifyEmail(accounts, request.body)
      setCookie(reply, context, 'device', device)
      return { ok: true as const, email }
    },
  )

  app.post(
    '/sign-in',
    { onRequest: knocking, schema: { ...ownPages, body: SignInBody, response: { 200: Done, ...refusals } } },
    async (request, reply) => {
      letIn(reply, context, await signIn(accounts, request.body, visitorOf(request, context)))
      return done
    },
  )

  app.post(
    '/forgot-password',
    { onRequest: knocking, schema: { ...ownPages, body: EmailBody, response: promised } },
    async (request, reply) => {
      await askForReset(accounts, request.body)
      return reply.code(202).send(letterPromised)
    },
  )

  app.post(
    '/reset-password',
    { onRequest: knocking, schema: { ...ownPages, body: ResetBody, response: { 200: LinkUsed, ...refusals } } },
    async (request) => ({
      ok: true as const,
      email: await resetPassword(accounts, request.body, visitorOf(request, context)),
    }),
  )

  app.get(
    '/account',
    { onRequest: inside, schema: { ...ownPages, response: { 200: AccountFound, ...refusals } } },
    async (request) => {
      const person = personOf(request)
      return { ok: true as const, account: presentAccount(person, await accountOf(accounts, person)) }
    },
  )

  app.patch(
    '/account',
    { onRequest: inside, schema: { ...ownPages, body: SettingsBody, response: { 200: Done, ...refusals } } },
    async (request) => {
      await wantDraftsLetter(accounts, personOf(request), request.body.drafts_letter)
      return done
    },
  )

  app.put(
    '/account/password',
    { onRequest: setting, schema: { ...ownPages, body: PasswordBody, response: { 200: Done, ...refusals } } },
    async (request) => {
      await changePassword(accounts, freshly(personOf(request)), request.body.password)
      return done
    },
  )
}
