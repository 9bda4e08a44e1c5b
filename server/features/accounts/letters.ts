import type { Database } from '#platform/db/database.ts'
import type { LetterOrder } from '#platform/mail/letters.ts'
import { secretToken } from '#platform/secret.ts'

/** What somebody asked for who gave this address. */
export interface LetterAsked {
  readonly email: string
  readonly asked: 'sign_up' | 'reset'
}

type Which = 'verify' | 'first_passkey' | 'reset' | 'known'

/** Hours that the links last; the database holds them to it. */
const orders: { readonly [Each in Which]: (token: string) => LetterOrder } = {
  verify: (token) => ({ letter: 'verify-email', params: { token, hours: 24 } }),
  first_passkey: (token) => ({ letter: 'first-passkey', params: { token, hours: 24 } }),
  reset: (token) => ({ letter: 'reset-password', params: { token, hours: 1 } }),
  known: () => ({ letter: 'already-have-account', params: {} }),
}

/**
 * The worker's part: looks whether there is an account, makes the token that the letter carries and sends it. So the
 * token is in the letter and nowhere else. No letter for an address without an account, nor beyond ten an hour.
 */
export async function sendLetterAsked(
  worker: Database,
  send: (to: string, order: LetterOrder) => Promise<void>,
  { email, asked }: LetterAsked,
): Promise<void> {
  const { token, hash } = secretToken()
  const [answer] = await worker.run<{ letter: Which | null }>({
    text: 'select app.letter_token($1, $2, $3) as letter',
    values: [email, asked, hash],
  })
  if (!answer?.letter) return
  try {
    await send(email, orders[answer.letter](token))
  } catch (error) {
    await worker.run({ text: 'select app.letter_failed($1)', values: [hash] })
    throw error
  }
}

/** Attempts, challenges, links and sessions that have served their time; sign-ups that nobody confirmed in a week. */
export const sweepAccounts = (worker: Database): Promise<unknown> => worker.run({ text: 'select app.sweep_accounts()' })
