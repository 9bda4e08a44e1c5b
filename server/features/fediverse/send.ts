import type { KeyObject } from 'node:crypto'
import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import type { Urls } from '#features/urls.ts'
import { isBusy, nextWait, parseRetryAfter } from '#features/webhooks/retry-policy.ts'
import { OutboundError } from '#platform/outbound/connect.ts'
import type { Outbound, OutboundAnswer } from '#platform/outbound/outbound.ts'
import type { ClaimedDelivery, SettledDelivery } from './delivery-queue.ts'
import { firstKind, otherKind, type SignatureKind, signedHeaders } from './signatures.ts'
import {
  type ActorProfile,
  actorDocument,
  announceActivity,
  articleOf,
  createActivity,
  type Document,
  deleteActivity,
  deleteActorActivity,
  keyAddress,
  updateActivity,
} from './vocabulary.ts'

/** One delivery of an activity to an inbox: what it says now, signed as the host accepts it. */

export interface SendContext {
  readonly outbound: Outbound
  readonly urls: Urls
  readonly userAgent: string
  /** The actor's private key; undefined if none of our keys decrypts it. */
  key(actor: string): Promise<KeyObject | undefined>
  /** The actor, as other servers may know it; undefined if it is off. */
  profile(actor: string): Promise<ActorProfile | undefined>
  /** Undefined if it is not public. */
  piece(id: string): Promise<PublishedPiece | undefined>
}

type Outcome = Pick<SettledDelivery, 'outcome' | 'is_up' | 'wait' | 'signature'> & {
  readonly status?: number | undefined
  readonly reason?: string
}

/** Seconds until a piece that has just gone is looked at again: by then its Delete is ordered. */
const afterGone = 5

export async function sendDelivery(claimed: ClaimedDelivery, context: SendContext): Promise<Outcome> {
  const { actor_id, inbox, attempts, signature } = claimed
  const document = await documentOf(claimed, context)
  if (!document) {
    const isOver = !claimed.is_on || claimed.kind === 'announce' || claimed.kind === 'update_actor'
    return isOver
      ? { outcome: 'void', is_up: null }
      : { outcome: 'later', is_up: null, wait: afterGone, reason: 'gone' }
  }
  const key = await context.key(actor_id)
  if (!key) return { outcome: 'later', is_up: null, wait: nextWait(attempts, undefined), reason: 'sealed' }

  const body = Buffer.from(JSON.stringify(document))
  const post = (kind: SignatureKind) => call(context, inbox, actor_id, key, body, kind)
  let kind = signature ?? firstKind
  let answer = await post(kind)
  if ('status' in answer && (answer.status === 401 || answer.status === 403)) {
    kind = otherKind(kind)
    answer = await post(kind)
  }

  if (!('status' in answer))
    return { outcome: 'later', is_up: false, wait: nextWait(attempts, undefined), reason: answer.reason }
  const { status } = answer
  if (status >= 200 && status <= 299) return { outcome: 'sent', is_up: true, signature: kind, status }
  const wait = nextWait(attempts, parseRetryAfter(answer.headers['retry-after']))
  if (wait === null && (status === 404 || status === 410)) return { outcome: 'ended', is_up: null, status }
  return { outcome: 'later', is_up: isBusy(status) ? false : null, wait, status }
}

/** Undefined if there is nothing to send. */
async function documentOf(
  claimed: ClaimedDelivery,
  { urls, piece, profile }: SendContext,
): Promise<Document | undefined> {
  const { activity_id, activity_kind, kind, actor_id: actor, document, piece_id, number } = claimed
  // Each of an object's activities has an id of its own, also where a Create is sent in place of the change that came later.
  const activity = { id: kind === activity_kind ? activity_id : `${activity_id}#${kind}`, actor }
  if (document) return { ...document, id: document.id ?? urls.activity(activity.id) }
  const now = { ...activity, at: new Date().toISOString() }
  if (kind === 'update_actor') {
    const changed = await profile(actor)
    return changed && updateActivity(now, actorDocument(changed, urls), urls)
  }
  if (piece_id === null) return deleteActorActivity(activity, urls)
  const object = number ? `${piece_id}?${number}` : piece_id
  if (kind === 'delete') return deleteActivity(activity, object, urls)
  const found = claimed.is_on ? await piece(piece_id) : undefined
  if (!found) return undefined
  if (kind === 'announce') return announceActivity({ ...activity, at: found.publicSince }, object, urls)
  const article = articleOf({ ...found, uuid: object }, actor, urls)
  return kind === 'create' ? createActivity(activity, article, urls) : updateActivity(now, article, urls)
}

async function call(
  { outbound, userAgent, urls }: SendContext,
  url: string,
  actor: string,
  key: KeyObject,
  body: Buffer,
  kind: SignatureKind,
): Promise<OutboundAnswer | { readonly reason: string }> {
  const signed = signedHeaders(kind, { url, body, keyId: keyAddress(actor, urls), key, at: new Date() })
  const headers = { 'content-type': 'application/activity+json', 'user-agent': userAgent, ...signed }
  try {
    return await outbound.call(url, { method: 'POST', headers, body })
  } catch (error) {
    if (error instanceof OutboundError) return { reason: error.kind }
    throw error
  }
}
