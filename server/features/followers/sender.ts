import { MailError, type Message, type Transport } from '#features/emails/transport.ts'
import type { Database } from '#platform/db/database.ts'
import { type Repeated, startDelivering, startRepeating } from '#platform/jobs/delivery-loop.ts'
import { type ClaimedEmail, claimEmails, type EmailResult, expandAnnouncements, settleEmails } from './email-queue.ts'
import { domainOf } from './keys.ts'
import { type ReaderEmailContext, writeReaderEmail } from './reader-emails.ts'

/** A worker's emails to readers: orders those of new pieces, sends what is due, and records the results. */

export interface SenderContext extends ReaderEmailContext {
  readonly transport: Transport
  /** Where emails that cannot be delivered come back to. Default: the sender. */
  readonly bounceAddress: string | undefined
  /** Headers that the provider returns in its reports. */
  readonly headersFor: (returnToken: string) => Readonly<Record<string, string>>
}

/** What is logged and measured of an attempt: nothing of its reader. */
export interface Attempted {
  readonly id: string
  readonly kind: ClaimedEmail['kind']
  readonly outcome: EmailResult['outcome']
  readonly ms: number
  readonly reason?: string | undefined
}

interface SenderCallbacks {
  onAttempt(attempted: Attempted): void
  onTrouble(error: unknown): void
}

/** Emails under way at once, each on a connection to the mail server. */
export const senderConnections = 10
const pollEvery = 1000
/**
 * Much longer than a lease: what was sent must not be sent again. As long as the database is away, no other worker claims it.
 */
const maxAge = 600_000

export function startSender(db: Database, context: SenderContext, callbacks: SenderCallbacks): Repeated {
  const { onTrouble } = callbacks
  const outage = watchOutage()
  const delivering = startDelivering<ClaimedEmail, EmailResult>({
    pollEvery,
    maxAge,
    claim: async ({ size }) => {
      const most = outage.capacity(size)
      return most > 0 ? claimEmails(db, most) : []
    },
    attempt: async (claimed) => {
      const start = performance.now()
      const { reason, isServerAway = false, ...tried } = await attempt(claimed, context)
      outage.note(isServerAway)
      const { id, kind, lease_token: token } = claimed
      callbacks.onAttempt({ id, kind, outcome: tried.outcome, ms: performance.now() - start, reason })
      return { id, token, ...tried }
    },
    record: async (results) => {
      await settleEmails(db, results)
      return []
    },
    onTrouble,
  })
  // On its own: the first emails of an announcement are sent while the others are ordered.
  const expanding = startRepeating(
    async () => {
      const found = await expandAnnouncements(db)
      if (found) delivering.wake()
      return found
    },
    { pollEvery, onTrouble },
  )
  return {
    wake: expanding.wake,
    stop: async () => {
      await Promise.all([expanding.stop(), delivering.stop()])
      context.transport.close()
    },
  }
}

const longestPause = 30_000

/** While the mail server is away, one email at a time asks whether it is back, after 1 s, 2 s and so on. */
function watchOutage() {
  let failures = 0
  let until = 0
  return {
    capacity: (underWay: number): number =>
      failures === 0 ? senderConnections - underWay : Number(underWay === 0 && performance.now() >= until),
    note(isAway: boolean): void {
      if (!isAway) failures = 0
      else if (failures === 0 || performance.now() >= until) {
        until = performance.now() + Math.min(1000 * 2 ** failures, longestPause)
        failures += 1
      }
    },
  }
}

type Tried = Pick<EmailResult, 'outcome' | 'wait'> & { readonly reason?: string; readonly isServerAway?: boolean }

async function attempt(claimed: ClaimedEmail, context: SenderContext): Promise<Tried> {
  const wait = nextWait(claimed.attempts)
  const to = context.keys.openAddress(claimed.sealed_address, claimed.reader_id)
  if (to === undefined) return { outcome: 'interrupted', wait, reason: 'no key in SECRETS_KEY decrypts the address' }
  try {
    const written = await writeReaderEmail(context, claimed)
    if (written === undefined) return { outcome: 'cancelled', wait: null }
    await context.transport.send({ id: claimed.id, to, ...written, ...envelopeOf(claimed, context) })
    return { outcome: 'sent', wait: null }
  } catch (error) {
    const { message: reason } = error as Error
    if (!(error instanceof MailError)) return { outcome: 'interrupted', wait, reason }
    switch (error.problem) {
      case 'address':
        return { outcome: 'refused', wait: null, reason }
      case 'message':
        return { outcome: 'failed', wait: null, reason }
      case 'moment':
        return { outcome: 'later', wait, reason }
      case 'session':
        return { outcome: 'interrupted', wait, reason, isServerAway: true }
      case 'server':
        return { outcome: 'unsent', wait: null, reason, isServerAway: true }
    }
  }
}

const firstWaits = [60, 300, 900, 3600]
const furtherWait = 4 * 3600
/** Some three days. */
const mostAttempts = 22

/** Seconds until an email is tried again, or null after the last attempt. */
const nextWait = (attempts: number): number | null =>
  attempts < mostAttempts ? (firstWaits[attempts - 1] ?? furtherWait) : null

function envelopeOf(
  { id, kind, reader_id }: ClaimedEmail,
  { transport, bounceAddress, headersFor, keys, reads: { urls } }: SenderContext,
): Pick<Message, 'returnPath' | 'headers'> {
  const token = keys.returnToken(id)
  const returnPath = bounceAddress?.replace('@', `+${token}@`)
  const returned = headersFor(token)
  // RFC 3834: prevents out-of-office replies.
  if (kind === 'confirm') return { returnPath, headers: { ...returned, 'Auto-Submitted': 'auto-generated' } }
  const list = { 'List-Id': `<followers.${domainOf(transport.sender)}>` }
  return {
    returnPath,
    headers: {
      ...returned,
      Precedence: 'bulk',
      ...(kind === 'welcome' ? {} : list),
      // RFC 8058. Not folded, since that has broken signatures.
      'List-Unsubscribe': { prepared: true, value: `<${urls.stopEmail(keys.emailToken(id, reader_id))}>` },
      'List-Unsubscribe-Post': { prepared: true, value: 'List-Unsubscribe=One-Click' },
    },
  }
}
