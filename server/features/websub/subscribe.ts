import type { DeskContext } from '#features/context.ts'
import { hashOf, type Sealer } from '#platform/crypto.ts'
import { ServiceError } from '#platform/errors.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { type HubRequest, questionUrl } from './schema.ts'

/** Requests to subscribe to a feed: nothing is sent before the callback has confirmed them. */

export interface SubscribeContext extends DeskContext {
  readonly outbound: Outbound
  readonly sealer: Sealer
}

/** A feed of ours: its current address, and what it is of. */
export interface Feed {
  readonly address: string
  readonly subject: string
}

const refused = (detail: string): ServiceError => new ServiceError(400, 'validation_failed', detail)

/** As long as in any answer to the question: the address that asks must not be too long either. */
const longestChallenge = '_'.repeat(43)
const longestLease = 9_999_999_999

/** Parameters that are not of the protocol are ignored. */
export function readHubForm(
  field: (name: string) => string,
  { outbound }: Pick<SubscribeContext, 'outbound'>,
): HubRequest {
  const [mode, topic, lease, secret] = ['mode', 'topic', 'lease_seconds', 'secret'].map((name) => field(`hub.${name}`))
  if (mode !== 'subscribe' && mode !== 'unsubscribe') throw refused('hub.mode must be "subscribe" or "unsubscribe".')
  if (!topic) throw refused('hub.topic is missing: the rel="self" address of a feed.')
  const leaseSeconds = mode === 'unsubscribe' || !lease ? undefined : Number(lease)
  if (leaseSeconds !== undefined && !/^[1-9]\d{0,9}$/.test(lease!))
    throw refused('hub.lease_seconds must be a positive whole number.')
  if (Buffer.byteLength(secret!) >= 200) throw refused('hub.secret must be shorter than 200 bytes.')
  return {
    mode,
    topic,
    callback: readCallback(field('hub.callback'), topic, outbound),
    leaseSeconds,
    secret: secret || undefined,
  }
}

/** Checked as it will be called, which is longer. */
function readCallback(text: string, topic: string, outbound: Outbound): string {
  if (!text) throw refused('hub.callback is missing: the address that gets the feed.')
  const callback = outbound.check(text)
  if ('problem' in callback) throw refused(`hub.callback cannot be called: ${callback.code}.`)
  callback.url.hash = ''
  const { href } = callback.url
  const question = { mode: 'unsubscribe', topic, challenge: longestChallenge, leaseSeconds: longestLease } as const
  const asked = outbound.check(questionUrl(href, question))
  if ('problem' in asked) throw refused(`hub.callback cannot be called: ${asked.code}.`)
  return href
}

const limits = {
  network: 'Your network has sent too many requests today. Try again tomorrow.',
  host: 'This host has too many subscriptions, or too many that it has not confirmed yet. Try again later.',
  feed: 'This feed has too many subscribers. Poll it instead.',
} as const

/**
 * A subscription is of the feed's current address only. One can be ended when there is no such feed any more. `network` is
 * where the request came from.
 */
export async function askForFeed(
  { db, sealer }: SubscribeContext,
  { mode, topic, callback, leaseSeconds, secret }: HubRequest,
  feed: Feed | undefined,
  network: string,
): Promise<void> {
  if (mode === 'subscribe' && !feed) throw refused('hub.topic is not a feed of this site.')
  if (mode === 'subscribe' && feed?.address !== topic)
    throw refused(`hub.topic must be the rel="self" address of the feed: ${feed?.address}`)
  const key = hashOf(`${topic} ${callback}`)
  const [row] = await db.run<{ outcome: 'accepted' | keyof typeof limits }>({
    text: 'select app.ask_feed_subscription($1, $2, $3, $4, $5, $6, $7, $8, $9) as outcome',
    values: [
      key,
      mode,
      topic,
      feed?.subject ?? null,
      callback,
      new URL(callback).host,
      mode === 'unsubscribe' || secret === undefined ? null : sealer.seal(secret, secretContext(key)),
      // More than any lease lasts, and as much as the database can count.
      leaseSeconds === undefined ? null : Math.min(leaseSeconds, 2 ** 31 - 1),
      network,
    ],
  })
  const { outcome } = row!
  if (outcome !== 'accepted')
    throw new ServiceError(429, 'limit_reached', limits[outcome], { headers: { 'retry-after': '3600' } })
}

/** A subscriber's secret can be decrypted for its topic and callback only. */
export const secretContext = (key: Buffer): string => key.toString('hex')
