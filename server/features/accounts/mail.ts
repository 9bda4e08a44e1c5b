import { policySeconds } from '#config/policy.ts'
import type { EmailOrder } from '#features/emails/templates.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import { message } from '#messages/message.ts'
import { hashOf, secretToken } from '#platform/crypto.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import type { AccountContext } from './context.ts'
import { readEmail } from './normalize.ts'

/** The worker looks up later whether there is an account, so neither the response nor its timing reveals it. */
export async function requestPasswordReset(
  { db }: AccountContext,
  { email }: { readonly email: string },
  language: string | undefined,
): Promise<void> {
  await db.transaction({}, (tx) =>
    enqueue(tx, 'account.letter', { email: readEmail(email), asked: 'reset', ...(language ? { language } : {}) }),
  )
}

/** As above. With restricted sign-up, the response depends on the invitation and never on the address. */
export async function requestSignUp(
  { db, signUp }: AccountContext,
  { email, invitation }: { readonly email: string; readonly invitation?: string },
  language: string | undefined,
): Promise<void> {
  if (signUp === 'closed') {
    throw new ServiceError(403, 'forbidden', message('error.sign_up_closed'))
  }
  if (signUp === 'invited' && !invitation) {
    throw new ServiceError(403, 'forbidden', message('error.invitation_required'))
  }
  const hash = invitation && signUp === 'invited' ? hashOf(invitation) : undefined
  await db.transaction({}, async (tx) => {
    if (hash) await tx.query('select app.ask_by_invitation($1)', [hash])
    await enqueue(tx, 'account.letter', {
      email: readEmail(email),
      asked: 'sign_up',
      ...(hash ? { invitation: hash.toString('hex') } : {}),
      ...(language ? { language } : {}),
    })
  })
}

/** Acts the account's owner is notified of, no matter who did them. */
type SecurityNotice =
  | 'new-sign-in'
  | 'new-passkey'
  | 'passkey-deleted'
  | 'password-changed'
  | 'recovery-codes-made'
  | 'recovery-code-used'

/** Enqueues the email in the transaction of the act, so it is sent if and only if that commits. */
export const notifyOwner = (tx: Transaction, template: SecurityNotice, account: string): Promise<string | null> =>
  enqueue(tx, 'mail', { template, params: { at: new Date().toISOString() }, to: { account } })

type LinkEmail = 'verify' | 'reset' | 'known' | 'recover'

/** `hours` the links are valid; the database enforces it. */
const orders: { readonly [Each in LinkEmail]: (token: string) => EmailOrder } = {
  verify: (token) => ({
    template: 'verify-email',
    params: { token, hours: policySeconds('verify_link_lifetime') / 3600 },
  }),
  reset: (token) => ({
    template: 'reset-password',
    params: { token, hours: policySeconds('reset_link_lifetime') / 3600 },
  }),
  known: () => ({ template: 'already-have-account', params: {} }),
  recover: (token) => ({ template: 'take-account-back', params: { token } }),
}

/**
 * In the language that the account with this address chose, else in `language`, else in the site's. `id` identifies the
 * email. A retry has another link, so it is another email.
 */
export type Send = (to: string, order: EmailOrder, id: string, language?: string) => Promise<void>

/** To the current address of an account, if it has one and is not disabled. */
export type SendToAccount = (account: string, order: EmailOrder, id: string) => Promise<void>

/**
 * In the worker: looks up the account, creates the token and sends the email, so that the token is stored nowhere else. Sends
 * nothing to an address without an account, and at most ten emails an hour to one.
 */
export async function sendLinkEmail(
  worker: Database,
  send: Send,
  { email, asked, invitation, language }: Jobs['account.letter'],
  limit?: EmailLimit,
): Promise<void> {
  const { token, hash } = secretToken()
  const [answer] = await worker.run<{ email: LinkEmail | null }>({
    text: 'select app.letter_token($1, $2, $3) as email',
    values: [email, asked, hash],
  })
  if (!answer?.email) return
  const forget = () => worker.run({ text: 'select app.letter_failed($1)', values: [hash] })
  if (invitation && answer.email === 'verify' && !(await isInvited(worker, email, invitation))) {
    await forget()
    return
  }
  // An unconfirmed address counts against the limit, whichever form it was entered in.
  const counted = limit && (asked === 'sign_up' || answer.email === 'verify')
  if (counted && !(await countEmail(worker, limit))) {
    limit.onReached()
    await forget()
    return
  }
  try {
    // Hashed twice: the database accepts a token by its hash, so the hash must not leave as an id.
    await send(email, orders[answer.email](token), hashOf(hash).toString('hex'), language)
  } catch (error) {
    await forget()
    if (counted) await worker.run({ text: 'select app.give_back_sign_up_email()' })
    throw error
  }
}

/** How many emails unknown visitors can make us send, in total. */
export interface EmailLimit {
  readonly perHour: number
  readonly perDay: number
  onReached(): void
}

async function countEmail(worker: Database, { perHour, perDay }: EmailLimit): Promise<boolean> {
  const [answer] = await worker.run<{ taken: boolean }>({
    text: 'select app.take_sign_up_email($1, $2) as taken',
    values: [perHour, perDay],
  })
  return answer!.taken
}

/** False if it was used or withdrawn in the meantime. */
async function isInvited(worker: Database, email: string, invitation: string): Promise<boolean> {
  const [answer] = await worker.run<{ invited: boolean }>({
    text: 'select app.invite_account($1, $2) as invited',
    values: [email, Buffer.from(invitation, 'hex')],
  })
  return answer!.invited
}

const sweptTables = ['sign_in_attempts', 'challenges', 'mail_tokens', 'sessions', 'accounts'] as const
/** Rows per statement. */
const batch = 5_000

/** Deletes expired email counts and invitations. */
export const sweepSignUps = (worker: Database): Promise<unknown> => worker.run({ text: 'select app.sweep_sign_ups()' })

/** Deletes expired attempts, challenges, links and sessions, and sign-ups not confirmed within a week. */
export const sweepAccounts = (worker: Database): Promise<unknown> =>
  Promise.all(sweptTables.map((kind) => sweep(worker, kind)))

async function sweep(worker: Database, kind: (typeof sweptTables)[number]): Promise<void> {
  for (let swept = batch; swept === batch; ) {
    const [answer] = await worker.run<{ swept: number }>({
      text: 'select app.sweep_accounts($1) as swept',
      values: [kind],
    })
    swept = answer!.swept
  }
}
