import type { Attempt, Delivery, DeliveryState, Problem, Webhook } from '../../../api/webhook.ts'
import { momentOf } from './dates.ts'

/** What becomes of deliveries, in words: what happened, then what to do. */

export const stateWords: Readonly<Record<DeliveryState, string>> = {
  delivered: 'Delivered',
  pending: 'Waiting',
  held: 'Held',
  exhausted: 'Failed',
  cancelled: 'Cancelled',
}

type DeliveryResult = Pick<NonNullable<Delivery['last']>, 'status' | 'problem'>

const met: Readonly<Record<Exclude<Problem, 'status'>, string>> = {
  forbidden_url: 'is one we may not call',
  forbidden_address: 'leads to a place that is not public, so we did not call it',
  dns: 'has a name that leads nowhere',
  connect: 'could not be reached',
  tls: 'has a certificate that cannot be trusted',
  timeout: 'did not answer in time',
  reset: 'broke off before it had answered',
  too_many_headers: 'answered with too many headers',
  protocol: 'answered something that is not HTTP',
  abandoned: 'was being called when we were interrupted',
  sealed: 'was not called: we could not read your secret',
}

/** After "This address" or "It". */
export const resultOf = ({ status, problem }: DeliveryResult): string =>
  problem === null || problem === 'status' ? `answered ${status}` : met[problem]

const advice: Readonly<Record<Exclude<Problem, 'status'>, string | undefined>> = {
  forbidden_url: 'Give another address.',
  forbidden_address: 'Give an address that everyone can reach.',
  dns: 'Look at the name, and at its records in the DNS.',
  connect: 'See that its server runs and lets everyone in.',
  tls: 'Its certificate may have run out, or be for another name. Renew it.',
  // It may be the name servers, the connection or the answer: the attempt's own words say which.
  timeout: undefined,
  reset: 'Look at what your server wrote down at that time.',
  too_many_headers: 'Answer with fewer headers.',
  protocol: 'See that a web server listens there.',
  abandoned: undefined,
  sealed: 'Rotate the secret.',
}

const adviceByStatus: Readonly<Record<number, string>> = {
  401: 'Let requests to it in without signing in: the signature proves that they are ours.',
  403: 'Let requests to it in: the signature proves that they are ours.',
  404: 'Look at the path of the address.',
  405: 'See that it takes POST.',
  410: 'With 410 a server asks to be left alone.',
  413: 'See that it takes bodies of up to 1 MiB.',
  429: 'It asked us to slow down, and we do.',
}

/** What would help, where anything is known that would. */
export function adviceOf(
  { status, problem }: DeliveryResult,
  attempt?: Pick<Attempt, 'problem' | 'detail'>,
): string | undefined {
  if (problem === 'timeout' && attempt?.problem === problem) return attempt.detail ?? undefined
  if (problem !== null && problem !== 'status') return advice[problem]
  if (status === null || (status >= 200 && status < 300)) return undefined
  if (status >= 300 && status < 400) return 'Give the address that it leads to: we do not follow.'
  return adviceByStatus[status] ?? (status >= 500 ? 'Look at what your server wrote down at that time.' : undefined)
}

const counts = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const

const countOf = (count: number): string => counts[count] ?? String(count)

/** " three times", with the space before it; nothing for once. */
const timesOf = (count: number): string =>
  count < 2 ? '' : count === 2 ? ' twice' : ` ${counts[count] ?? count} times`

const isPing = ({ event }: Pick<Delivery, 'event'>): boolean => event === 'webhook.ping'

/** What was sent. */
export const titleOf = (delivery: Pick<Delivery, 'event' | 'piece'>): string =>
  isPing(delivery) ? 'Test' : (delivery.piece?.headline ?? 'A piece that is deleted')

export const attemptsOf = (count: number): string =>
  count === 0 ? 'Not tried yet' : count === 1 ? '1 attempt' : `${count} attempts`

/** "This address answered 500 three times." The attempts are known newest first. */
function failedOf(last: DeliveryResult, attempts: readonly Attempt[]): string {
  const words = resultOf(last)
  const other = attempts.findIndex((one) => resultOf(one) !== words)
  if (other === -1) return `This address ${words}${timesOf(attempts.length)}.`
  return other < 2
    ? `The last time, this address ${words}.`
    : `The last ${countOf(other)} times, this address ${words}.`
}

const heldFor: Readonly<Record<Webhook['state'], string>> = {
  paused: 'Your webhook is paused. This is sent when you resume.',
  unproven: 'The address of your webhook has not answered a test yet. This waits until it does.',
  disabled: 'Your webhook is stopped. When it answers a test, you can resend this.',
  live: 'It was held while your webhook was stopped. You can resend it now.',
}

/** An attempt is under way when it could not even be resent. */
const isUnderWay = ({ state, can_resend: canResend }: Delivery): boolean => state === 'pending' && !canResend

/** When the next attempt is due: not before a webhook that fails has rested. */
function nextOf({ due_at: due }: Delivery, webhook: Webhook | null): string {
  const rest = webhook?.rests_until
  return momentOf(rest && due && rest > due ? rest : (due ?? ''))
}

/** How one delivery stands, in a sentence or two. */
export function standingOf(delivery: Delivery, attempts: readonly Attempt[], webhook: Webhook | null): string {
  const { state, last, can_resend: canResend } = delivery
  const failed = last?.problem ? `${failedOf(last, attempts)} ` : ''
  switch (state) {
    case 'delivered': {
      const ms = attempts[0]?.ms
      return `This address answered ${last?.status}${typeof ms === 'number' ? ` in ${ms} ms` : ''}.`
    }
    case 'pending': {
      if (isUnderWay(delivery)) return `${failed}We are asking now.`
      if (!failed) return 'It is on its way.'
      return `${failed}We try again ${nextOf(delivery, webhook)}; you can also resend now.`
    }
    case 'held':
      return failed + heldFor[webhook?.state ?? 'unproven']
    case 'exhausted':
      return isPing(delivery)
        ? failed.trim()
        : `${failed}We have stopped trying. ${canResend ? 'You can resend it.' : 'It can be resent when your webhook is live and the piece public.'}`
    case 'cancelled':
      if (isPing(delivery)) return 'Another test was sent, or the webhook removed, before this one was answered.'
      return last !== null && last.problem === null
        ? 'The piece was unpublished, or the webhook removed. Your server had been told; nothing more goes out, and the text is gone.'
        : 'The piece was unpublished, or the webhook removed, before this was sent. Nothing goes out, and its text is gone. Publish the piece again within 30 days, and it is sent then.'
  }
}

/** The same in a few words, for a list. */
export function briefOf(delivery: Delivery, webhook: Webhook | null): string {
  const { state, last } = delivery
  const said = last ? resultOf(last).replace(/^./, (letter) => letter.toUpperCase()) : ''
  if (state !== 'pending') return said
  const next = isUnderWay(delivery) ? 'asking now' : `again ${nextOf(delivery, webhook)}`
  return last?.problem ? `${said}; ${next}` : 'On its way'
}

/** example.org, as people call an address. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
