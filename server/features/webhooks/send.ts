import { message } from '#messages/message.ts'
import { toStored } from '#messages/stored.ts'
import type { Sealer } from '#platform/crypto.ts'
import { OutboundError } from '#platform/outbound/connect.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { ClaimedDelivery, DeliveryResult } from './delivery-queue.ts'
import { isBusy, nextWait, parseRetryAfter } from './retry-policy.ts'
import type { Problem } from './schema.ts'
import { messageId, signatures } from './sign.ts'

export interface SendContext {
  readonly outbound: Outbound
  readonly sealer: Sealer
  /** `Standfirst-Webhooks/1 (+https://…)`. */
  readonly userAgent: string
}

type Response = Pick<DeliveryResult, 'status' | 'problem' | 'detail' | 'address' | 'ms'> & {
  readonly answerType?: string | undefined
  readonly answer?: string
  readonly retryAfter?: string | undefined
}

/** One attempt: signs now, sends the stored bytes, and judges by the status of a response that arrived whole. */
export async function attemptDelivery(claimed: ClaimedDelivery, context: SendContext): Promise<DeliveryResult> {
  const sentAt = Math.floor(Date.now() / 1000)
  const id = messageId(claimed.id)
  const secrets = openSecrets(claimed, context.sealer)
  const signed = secrets && signatures(secrets, id, sentAt, claimed.body)
  const response: Response = signed
    ? await post(claimed, context, {
        'user-agent': context.userAgent,
        'content-type': 'application/json; charset=utf-8',
        'webhook-id': id,
        'webhook-timestamp': String(sentAt),
        ...signed,
        'x-service-event': claimed.event,
        'x-service-attempt': String(claimed.attempt),
      })
    : unreadableSecret
  const { answer = null, answerType = null, retryAfter, ...outcome } = response
  return {
    id: claimed.id,
    token: claimed.lease_token,
    attempt: claimed.attempt,
    url: claimed.url,
    sent_at: sentAt,
    signature: signed?.['webhook-signature'] ?? null,
    ...outcome,
    answer_type: answerType,
    answer,
    wait: claimed.event === 'webhook.ping' ? null : nextWait(claimed.tries, parseRetryAfter(retryAfter)),
    careful: isBusy(outcome.status),
    gone: outcome.status === 410,
    echoed: claimed.event === 'webhook.ping' && answer !== null && answer.includes(challengeOf(claimed.body)),
  }
}

/** Newest first. A former secret that cannot be decrypted is left out: its receivers were warned of the rotation. */
function openSecrets({ writer_id, secret, former_secret }: ClaimedDelivery, sealer: Sealer): string[] | undefined {
  const newest = sealer.open(secret, writer_id)
  const former = former_secret ? sealer.open(former_secret, writer_id) : undefined
  return newest === undefined ? undefined : [newest, ...(former === undefined ? [] : [former])]
}

const unreadableSecret: Response = {
  status: null,
  problem: 'sealed',
  detail: toStored(message('error.webhook_secret_unreadable')),
  address: null,
  ms: 0,
}

async function post(
  { url, body }: ClaimedDelivery,
  { outbound }: SendContext,
  headers: Record<string, string>,
): Promise<Response> {
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
    const { kind, words, address = null, ms } = error
    return { status: null, problem: kind satisfies Problem, detail: toStored(words), address, ms }
  }
}

/** Text that PostgreSQL can store and a page can show: no NUL, no unpaired surrogates. */
const printable = (bytes: Buffer): string =>
  bytes.toString('utf8').replaceAll('\0', '\uFFFD').slice(0, 1024).toWellFormed()

/** The challenge a ping asks the receiver to echo. We made the body, so it parses. */
const challengeOf = (body: Buffer): string => (JSON.parse(body.toString('utf8')) as { challenge: string }).challenge
