import type { Database, Transaction } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import { enqueue, type Jobs } from '#platform/jobs/jobs.ts'
import type { LetterOrder } from '#platform/mail/templates.ts'
import { hashOf, secretToken } from '#platform/secret.ts'
import type { AccountContext } from './context.ts'
import { readEmail } from './normalize.ts'

/** Whether there is an account is looked up later, by the worker: nothing here depends on it. */
export async function askForReset({ db }: AccountContext, { email }: { readonly email: string }): Promise<void> {
  await db.transaction({}, (tx) => enqueue(tx, 'account.letter', { email: readEmail(email), asked: 'reset' }))
}

/** As above. Where not everybody may sign up, the answer depends on the invitation, and on no address. */
export async function askToSignUp(
  { db, signUp }: AccountContext,
  { email, invitation }: { readonly email: string; readonly invitation?: string },
): Promise<void> {
  if (signUp === 'closed') {
    throw new ServiceError(403, 'forbidden', 'Sign-up is closed on this site. If you have an account, sign in.')
  }
  if (signUp === 'invited' && !invitation) {
    throw new ServiceError(
      403,
      'forbidden',
      'You need an invitation to sign up on this site. Open the link in your invitation, then try again.',
    )
  }
  const hash = invitation && signUp === 'invited' ? hashOf(invitation) : undefined
  await db.transaction({}, async (tx) => {
    if (hash) await tx.query('select app.ask_by_invitation($1)', [hash])
    await enqueue(tx, 'account.letter', {
      email: readEmail(email),
      asked: 'sign_up',
      ...(hash ? { invitation: hash.toString('hex') } : {}),
    })
  })
}

/** What an account's owner is told of, whoever it was that did it. */
type Act =
  | 'new-sign-in'
  | 'new-passkey'
  | 'passkey-deleted'
  | 'password-changed'
  | 'recovery-codes-made'
  | 'recovery-code-used'

/** A letter that goes out with the act it tells of, or not at all. */
export const tellOf = (tx: Transaction, letter: Act, account: string): Promise<string | null> =>
  enqueue(tx, 'mail', { letter, params: { at: new Date().toISOString() }, to: { account } })

type Which = 'verify' | 'reset' | 'known' | 'recover'

/** Hours that the links last; the database holds them to it. */
const orders: { readonly [Each in Which]: (token: string) => LetterOrder } = {
  verify: (token) => ({ letter: 'verify-email', params: { token, hours: 24 } }),
  reset: (token) => ({ letter: 'reset-password', params: { token, hours: 1 } }),
  known: () => ({ letter: 'already-have-account', params: {} }),
  recover: (token) => ({ letter: 'take-account-back', params: { token } }),
}

/** `id` is the letter's own: another try has another link, so it is another letter. */
export type Send = (to: string, order: LetterOrder, id: string) => Promise<void>

/**
 * The worker's part: looks whether there is an account, makes the token that the letter carries and sends it. So the
 * token is in the letter and nowhere else. No letter for an address without an account, nor beyond ten an hour.
 */
export async function sendLetterAsked(
  worker: Database,
  send: Send,
  { email, asked, invitation }: Jobs['account.letter'],
  limit?: EmailLimit,
): Promise<void> {
  const { token, hash } = secretToken()
  const [answer] = await worker.run<{ letter: Which | null }>({
    text: 'select app.letter_token($1, $2, $3) as letter',
    values: [email, asked, hash],
  })
  if (!answer?.letter) return
  const forget = () => worker.run({ text: 'select app.letter_failed($1)', values: [hash] })
  if (invitation && answer.letter === 'verify' && !(await isInvited(worker, email, invitation))) {
    await forget()
    return
  }
  // Whom nobody has confirmed is a stranger, whichever form their address was written into.
  const counted = limit && (asked === 'sign_up' || answer.letter === 'verify')
  if (counted && !(await take(worker, limit))) {
    limit.onMet()
    await forget()
    return
  }
  try {
    // Hashed once more: the database takes a token by its hash.
    await send(email, orders[answer.letter](token), hashOf(hash).toString('hex'))
  } catch (error) {
    await forget()
    if (counted) await worker.run({ text: 'select app.give_back_sign_up_email()' })
    throw error
  }
}

/** How many emails strangers can make us send, all together. */
export interface EmailLimit {
  readonly perHour: number
  readonly perDay: number
  onMet(): void
}

async function take(worker: Database, { perHour, perDay }: EmailLimit): Promise<boolean> {
  const [answer] = await worker.run<{ taken: boolean }>({
    text: 'select app.take_sign_up_email($1, $2) as taken',
    values: [perHour, perDay],
  })
  return answer!.taken
}

/** False where it was used or taken back since. */
async function isInvited(worker: Database, email: string, invitation: string): Promise<boolean> {
  const [answer] = await worker.run<{ invited: boolean }>({
    text: 'select app.invite_account($1, $2) as invited',
    values: [email, Buffer.from(invitation, 'hex')],
  })
  return answer!.invited
}

const perishable = ['sign_in_attempts', 'challenges', 'mail_tokens', 'sessions', 'accounts'] as const
/** What one statement deletes at most. */
const batch = 5_000

/** Counts of emails and invitations that have served their time. */
export const sweepSignUps = (worker: Database): Promise<unknown> => worker.run({ text: 'select app.sweep_sign_ups()' })

/** Attempts, challenges, links and sessions that have served their time; sign-ups that nobody confirmed in a week. */
export const sweepAccounts = (worker: Database): Promise<unknown> =>
  Promise.all(perishable.map((kind) => sweep(worker, kind)))

async function sweep(worker: Database, kind: (typeof perishable)[number]): Promise<void> {
  for (let swept = batch; swept === batch; ) {
    const [answer] = await worker.run<{ swept: number }>({
      text: 'select app.sweep_accounts($1) as swept',
      values: [kind],
    })
    swept = answer!.swept
  }
}
