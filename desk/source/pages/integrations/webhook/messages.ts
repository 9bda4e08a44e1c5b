import type { Attempt, Delivery, DeliveryState, Problem, Range, Webhook } from '../../../api/webhook.ts'

/** Texts about deliveries: what happened, then what to do. */

export const stateLabels: Readonly<Record<DeliveryState, string>> = {
  delivered: 'Delivered',
  pending: 'Waiting',
  held: 'Held',
  exhausted: 'Failed',
  cancelled: 'Cancelled',
}

type DeliveryResult = Pick<NonNullable<Delivery['last']>, 'status' | 'problem'>

const problemTexts: Readonly<Record<Exclude<Problem, 'status'>, string>> = {
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

/** Continues "This address" or "It". */
export const describeResult = ({ status, problem }: DeliveryResult): string =>
  problem === null || problem === 'status' ? `answered ${status}` : problemTexts[problem]

const adviceByProblem: Readonly<Record<Exclude<Problem, 'status'>, string | undefined>> = {
  forbidden_url: 'Give another address.',
  forbidden_address: 'Give an address that everyone can reach.',
  dns: 'Look at the name, and at its records in the DNS.',
  connect: 'See that its server runs and lets everyone in.',
  tls: 'Its certificate may have run out, or be for another name. Renew it.',
  // DNS, connection or response: the attempt's detail says which.
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

/** What the writer can do about a failure, if known. */
export function adviceFor(
  { status, problem }: DeliveryResult,
  attempt?: Pick<Attempt, 'problem' | 'detail'>,
): string | undefined {
  if (problem === 'timeout' && attempt?.problem === problem) return attempt.detail ?? undefined
  if (problem !== null && problem !== 'status') return adviceByProblem[problem]
  if (status === null || (status >= 200 && status < 300)) return undefined
  if (status >= 300 && status < 400) return 'Give the address that it leads to: we do not follow.'
  return adviceByStatus[status] ?? (status >= 500 ? 'Look at what your server wrote down at that time.' : undefined)
}

const numberWords = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'] as const

const numberWord = (count: number): string => numberWords[count] ?? String(count)

/** " three times" with a leading space; empty for one. */
const timesText = (count: number): string =>
  count < 2 ? '' : count === 2 ? ' twice' : ` ${numberWords[count] ?? count} times`

const isPing = ({ event }: Pick<Delivery, 'event'>): boolean => event === 'webhook.ping'

export const deliveryTitle = (delivery: Pick<Delivery, 'event' | 'piece'>): string =>
  isPing(delivery) ? 'Test' : (delivery.piece?.headline ?? 'A piece that is deleted')

export const attemptsText = (count: number): string =>
  count === 0 ? 'Not tried yet' : count === 1 ? '1 attempt' : `${count} attempts`

/** "This address answered 500 three times." Attempts are newest first. */
function failureText(last: DeliveryResult, attempts: readonly Attempt[]): string {
  const words = describeResult(last)
  const other = attempts.findIndex((one) => describeResult(one) !== words)
  if (other === -1) return `This address ${words}${timesText(attempts.length)}.`
  return other < 2
    ? `The last time, this address ${words}.`
    : `The last ${numberWord(other)} times, this address ${words}.`
}

const heldTexts: Readonly<Record<Webhook['state'], string>> = {
  paused: 'Your webhook is paused. This is sent when you resume.',
  unproven: 'The address of your webhook has not answered a test yet. This waits until it does.',
  disabled: 'Your webhook is stopped. When it answers a test, you can resend this.',
  live: 'It was held while your webhook was stopped. You can resend it now.',
}

/** A pending delivery that cannot be resent is being attempted now. */
const isAttemptRunning = ({ state, can_resend: canResend }: Delivery): boolean => state === 'pending' && !canResend

/** When the next attempt is due: not before the rest period of a failing webhook ends. */
function nextAttempt({ due_at: due }: Delivery, webhook: Webhook | null): string {
  const rest = webhook?.rests_until
  return formatDue(rest && due && rest > due ? rest : (due ?? ''))
}

/** The state of a delivery in a sentence or two. */
export function describeDelivery(delivery: Delivery, attempts: readonly Attempt[], webhook: Webhook | null): string {
  const { state, last, can_resend: canResend } = delivery
  const failed = last?.problem ? `${failureText(last, attempts)} ` : ''
  switch (state) {
    case 'delivered': {
      const ms = attempts[0]?.ms
      return `This address answered ${last?.status}${typeof ms === 'number' ? ` in ${ms} ms` : ''}.`
    }
    case 'pending': {
      if (isAttemptRunning(delivery)) return `${failed}We are asking now.`
      if (!failed) return 'It is on its way.'
      return `${failed}We try again ${nextAttempt(delivery, webhook)}; you can also resend now.`
    }
    case 'held':
      return failed + heldTexts[webhook?.state ?? 'unproven']
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

/** A short form for lists. */
export function summarizeDelivery(delivery: Delivery, webhook: Webhook | null): string {
  const { state, last } = delivery
  const result = last ? describeResult(last).replace(/^./, (first) => first.toUpperCase()) : ''
  if (state !== 'pending') return result
  const next = isAttemptRunning(delivery) ? 'asking now' : `again ${nextAttempt(delivery, webhook)}`
  return last?.problem ? `${result}; ${next}` : 'On its way'
}

/** The host of a URL. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

/** Formatting of future times and of datetime fields. */

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })
const minute = 60_000
const day = 86_400_000

/** "at 14:05", "tomorrow at 14:05", "on Friday at 14:05"; past times are "in a moment". */
export function formatDue(at: string, now = Date.now()): string {
  const then = new Date(at)
  if (!(then.getTime() > now)) return 'in a moment'
  const days = Math.floor((then.getTime() - new Date(now).setHours(0, 0, 0, 0)) / day)
  const hour = `at ${clock.format(then)}`
  if (days < 1) return hour
  if (days < 2) return `tomorrow ${hour}`
  return days < 7 ? `on ${weekday.format(then)} ${hour}` : `on ${date.format(then)} ${hour}`
}

/** After "until": "14:05", "tomorrow at 14:05", "Friday at 14:05". */
export const formatUntil = (at: string, now = Date.now()): string => formatDue(at, now).replace(/^(at|on) /, '')

/** A `datetime-local` value in local time, to the minute; `up` rounds up so that nothing is left out. */
export function toLocalInput(moment: Date, way: 'down' | 'up' = 'down'): string {
  const whole = new Date((way === 'up' ? Math.ceil : Math.floor)(moment.getTime() / minute) * minute)
  const two = (number: number): string => String(number).padStart(2, '0')
  const date = `${whole.getFullYear()}-${two(whole.getMonth() + 1)}-${two(whole.getDate())}`
  return `${date}T${two(whole.getHours())}:${two(whole.getMinutes())}`
}

/** The range of two datetime fields; undefined if invalid. */
export function parseRange(from: string, to: string, onlyFailed: boolean): Range | undefined {
  const [start, end] = [new Date(from), new Date(to)]
  return start < end ? { from: start, to: end, onlyFailed } : undefined
}
