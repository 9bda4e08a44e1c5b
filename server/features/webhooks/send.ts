import type { Sealer } from '#platform/encryption.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { OutboundError } from '#platform/outbound/outbound-error.ts'
import type { ClaimedDelivery, DeliveryResult } from './delivery-queue.ts'
import { messageId } from './message-id.ts'
import { isBusy, nextWait, retryAfterOf } from './retry-policy.ts'
import type { Problem } from './schema.ts'
import { signatures } from './sign.ts'

export interface Sending {
  readonly outbound: Outbound
  readonly sealer: Sealer
  /** Who we say we are: `Standfirst-Webhooks/1 (+https://…)`. */
  readonly userAgent: string
}

type Result = Pick<DeliveryResult, 'status' | 'problem' | 'detail' | 'address' | 'ms'> & {
  readonly answerType?: string | undefined
  readonly answer?: string
  readonly retryAfter?: string | undefined
}

/** One attempt: signed now, sent as it was stored, judged by the status of an answer that came whole. */
export async function attempt(claimed: ClaimedDelivery, sending: Sending): Promise<DeliveryResult> {
  const sentAt = Math.floor(Date.now() / 1000)
  const id = messageId(claimed.id)
  const secrets = opened(claimed, sending.sealer)
  const signed = secrets && signatures(secrets, id, sentAt, claimed.body)
  const result: Result = signed
    ? await send(claimed, sending, {
        'user-agent': sending.userAgent,
        'content-type': 'application/json; charset=utf-8',
        'webhook-id': id,
        'webhook-timestamp': String(sentAt),
        ...signed,
        'x-service-event': claimed.event,
        'x-service-attempt': String(claimed.attempt),
      })
    : unopened
  const { answer = null, answerType = null, retryAfter, ...met } = result
  return {
    id: claimed.id,
    token: claimed.lease_token,
    attempt: claimed.attempt,
    url: claimed.url,
    sent_at: sentAt,
    signature: signed?.['webhook-signature'] ?? null,
    ...met,
    answer_type: answerType,
    answer,
    wait: claimed.event === 'webhook.ping' ? null : nextWait(claimed.tries, retryAfterOf(retryAfter)),
    careful: isBusy(met.status),
    gone: met.status === 410,
    echoed: claimed.event === 'webhook.ping' && answer !== null && answer.includes(challengeOf(claimed.body)),
  }
}

/** Newest first. A former one that does not open signs no more; receivers who still have it had their warning. */
function opened({ writer_id, secret, former_secret }: ClaimedDelivery, sealer: Sealer): string[] | undefined {
  const newest = sealer.open(secret, writer_id)
  const former = former_secret ? sealer.open(former_secret, writer_id) : undefined
  return newest === undefined ? undefined : [newest, ...(former === undefined ? [] : [former])]
}

const unopened: Result = {
  status: null,
  problem: 'sealed',
  detail: 'We could not read the secret of this webhook. The site has been told; nothing was sent.',
  address: null,
  ms: 0,
}

async function send(
  { url, body }: ClaimedDelivery,
  { outbound }: Sending,
  headers: Record<string, string>,
): Promise<Result> {
  try {
    const answer = await outbound.call(url, { method: 'POST', headers, body })
    const { status, address, ms } = answer
    return {
      status,
      problem: status >= 200 && status <= 299 ? null : 'status',
      detail: null,
      address,
      ms,
      answerType: answer.headers['content-type']?.slice(0, 200),
      answer: printable(answer.head),
      retryAfter: answer.headers['retry-after'],
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const { kind, message, address = null, ms } = error
    return { status: null, problem: kind satisfies Problem, detail: message, address, ms }
  }
}

/** Text that PostgreSQL takes and a page can show: no NUL, nothing half. */
const printable = (bytes: Buffer): string =>
  bytes.toString('utf8').replaceAll('\0', '\uFFFD').slice(0, 1024).toWellFormed()

/** What a ping asks to be given back; its bytes are ours. */
const challengeOf = (body: Buffer): string => (JSON.parse(body.toString('utf8')) as { challenge: string }).challenge
