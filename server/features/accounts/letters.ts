import type { Database, Transaction } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { LetterOrder } from '#platform/mail/letters.ts'
import { hashOf, secretToken } from '#platform/secret.ts'
import { readEmail } from './naming.ts'
import type { AccountContext } from './settings.ts'

/** What somebody asked for who gave this address. */
export interface LetterAsked {
  readonly email: string
  readonly asked: 'sign_up' | 'reset'
}

/** Whether there is an account is looked up later, by the worker: nothing here depends on it. */
export async function askForLetter(
  { db }: AccountContext,
  asked: LetterAsked['asked'],
  { email }: { readonly email: string },
): Promise<void> {
  await db.transaction({}, (tx) => enqueue(tx, 'account.letter', { email: readEmail(email), asked }))
}

/** What an account's owner is told of, whoever it was that did it. */
type Act = 'new-sign-in' | 'new-passkey' | 'passkey-deleted' | 'password-changed'

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
export async function sendLetterAsked(worker: Database, send: Send, { email, asked }: LetterAsked): Promise<void> {
  const { token, hash } = secretToken()
  const [answer] = await worker.run<{ letter: Which | null }>({
    text: 'select app.letter_token($1, $2, $3) as letter',
    values: [email, asked, hash],
  })
  if (!answer?.letter) return
  try {
    // Hashed once more: the database takes a token by its hash.
    await send(email, orders[answer.letter](token), hashOf(hash).toString('hex'))
  } catch (error) {
    await worker.run({ text: 'select app.letter_failed($1)', values: [hash] })
    throw error
  }
}

const perishable = ['sign_in_attempts', 'challenges', 'mail_tokens', 'sessions', 'accounts'] as const
/** What one statement deletes at most. */
const batch = 5_000

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
