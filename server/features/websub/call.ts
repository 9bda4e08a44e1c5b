import { createHmac, randomBytes } from 'node:crypto'
import { isBusy, nextWait, parseRetryAfter } from '#features/webhooks/retry-policy.ts'
import { hashOf, type Sealer } from '#platform/crypto.ts'
import { OutboundError } from '#platform/outbound/connect.ts'
import type { Outbound, OutboundAnswer, OutboundRequest } from '#platform/outbound/outbound.ts'
import type { CallResult, ClaimedCall } from './call-queue.ts'
import { questionUrl } from './schema.ts'
import { secretContext } from './subscribe.ts'

/** One call to a subscriber of a feed: verifies what was asked for it, or sends it the feed. */

/** What a feed is now. */
export interface FeedNow {
  /** Which may be another than the one that was subscribed to. */
  readonly self: string
  readonly type: string
  readonly bytes: Buffer
}

export interface CallContext {
  readonly outbound: Outbound
  readonly sealer: Sealer
  readonly hub: string
  readonly userAgent: string
  /** Undefined if there is no such feed any more. */
  feed(): Promise<FeedNow | undefined>
}

type Outcome = Omit<CallResult, 'id' | 'token'> & { readonly status?: number | undefined; readonly reason?: string }

/** Seconds until a callback that did not answer is asked again. */
const verifyWaits: readonly number[] = [5, 60, 600]

export const makeCall = (claimed: ClaimedCall, context: CallContext): Promise<Outcome> =>
  claimed.mode === 'distribute' ? distribute(claimed, context) : ask(claimed, context)

async function ask(
  { mode, topic, callback, lease_seconds, attempts }: ClaimedCall,
  context: CallContext,
): Promise<Outcome> {
  const feed = mode === 'subscribe' ? await context.feed() : undefined
  if (mode === 'subscribe' && !feed) return { outcome: 'gone', is_up: null }
  // Used once.
  const challenge = randomBytes(32).toString('base64url')
  const url =
    mode === 'denied'
      ? questionUrl(callback, { mode, topic, reason: 'There is no such feed any more.' })
      : questionUrl(callback, {
          mode: mode as 'subscribe' | 'unsubscribe',
          topic,
          challenge,
          leaseSeconds: lease_seconds ?? undefined,
        })
  const answer = await call(context, url, {})
  const wait = verifyWaits[attempts - 1] ?? null
  if (!('status' in answer)) return { outcome: 'later', is_up: false, wait, reason: answer.reason }
  const { status } = answer
  if (status >= 500 || isBusy(status)) return { outcome: 'later', is_up: false, wait, status }
  if (mode === 'denied') return { outcome: 'done', is_up: true, status }
  const isEchoed = isGood(status) && !answer.truncated && answer.head.equals(Buffer.from(challenge))
  // A host that confirms nothing is called less and less often: we may be in use to disturb it.
  const outcome = isEchoed ? 'confirmed' : 'refused'
  return { outcome, is_up: isEchoed, status, ...(feed ? { sent: hashOf(feed.bytes).toString('hex') } : {}) }
}

async function distribute(claimed: ClaimedCall, context: CallContext): Promise<Outcome> {
  const { key, callback, secret: sealed, changes, sent, attempts } = claimed
  const feed = await context.feed()
  if (!feed) return { outcome: 'gone', is_up: null }
  const { bytes, self, type } = feed
  const digest = hashOf(bytes)
  const isSent = { outcome: 'sent', changes, sent: digest.toString('hex') } as const
  if (sent?.equals(digest)) return { ...isSent, is_up: null, reason: 'unchanged' }
  const secret = sealed && context.sealer.open(sealed, secretContext(key))
  if (secret === undefined)
    return { outcome: 'later', is_up: null, wait: nextWait(attempts, undefined), changes, reason: 'sealed' }
  const answer = await call(context, callback, {
    method: 'POST',
    headers: {
      'content-type': type,
      link: `<${context.hub}>; rel="hub", <${self}>; rel="self"`,
      ...(secret === null
        ? {}
        : { 'x-hub-signature': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}` }),
    },
    body: bytes,
  })
  if (!('status' in answer))
    return { outcome: 'later', is_up: false, wait: nextWait(attempts, undefined), changes, reason: answer.reason }
  const { status } = answer
  if (isGood(status)) return { ...isSent, is_up: true, status }
  if (status === 410) return { outcome: 'ended', is_up: null, status }
  const wait = nextWait(attempts, parseRetryAfter(answer.headers['retry-after']))
  return { outcome: 'later', is_up: isBusy(status) ? false : null, wait, changes, status }
}

const isGood = (status: number): boolean => status >= 200 && status <= 299

async function call(
  { outbound, userAgent }: CallContext,
  url: string,
  { headers, ...request }: OutboundRequest,
): Promise<OutboundAnswer | { readonly reason: string }> {
  try {
    return await outbound.call(url, { ...request, headers: { 'user-agent': userAgent, ...headers } })
  } catch (error) {
    if (error instanceof OutboundError) return { reason: error.kind }
    throw error
  }
}
