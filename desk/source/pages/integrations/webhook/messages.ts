import type { Attempt, Delivery, Problem, Range, Webhook } from '../../../api/webhook.ts'
import { type PlainMessageId, t } from '../../../messages.ts'

/** Texts about deliveries: what happened, then what to do. */

type DeliveryResult = Pick<NonNullable<Delivery['last']>, 'status' | 'problem'>

/** The values of a message about a result; a status is no problem of its own. */
const resultValues = ({ status, problem }: DeliveryResult) => ({ problem: problem ?? 'status', status: status ?? '' })

/** The result of an attempt in a few words. */
export const resultLabel = (result: DeliveryResult): string =>
  t('desk.integrations.webhook.result', resultValues(result))

/** Why an attempt failed, as a sentence. */
export const failureText = (result: DeliveryResult): string =>
  t('desk.integrations.webhook.failure', resultValues(result))

/** What a server answered, as a sentence. */
export const respondedText = (status: number | null, ms: number | null | undefined): string =>
  typeof ms === 'number'
    ? t('desk.integrations.webhook.responded_in', { status: status ?? '', ms })
    : t('desk.integrations.webhook.responded', { status: status ?? '' })

const adviceByProblem: Readonly<Record<Exclude<Problem, 'status'>, PlainMessageId | undefined>> = {
  forbidden_url: 'desk.integrations.webhook.advice.forbidden_url',
  forbidden_address: 'desk.integrations.webhook.advice.forbidden_address',
  dns: 'desk.integrations.webhook.advice.dns',
  connect: 'desk.integrations.webhook.advice.connect',
  tls: 'desk.integrations.webhook.advice.tls',
  // DNS, connection or response: the attempt's detail says which.
  timeout: undefined,
  reset: 'desk.integrations.webhook.advice.logs',
  too_many_headers: 'desk.integrations.webhook.advice.too_many_headers',
  protocol: 'desk.integrations.webhook.advice.protocol',
  abandoned: undefined,
  sealed: 'desk.integrations.webhook.advice.sealed',
}

const adviceByStatus: Readonly<Record<number, PlainMessageId>> = {
  401: 'desk.integrations.webhook.advice.sign_in',
  403: 'desk.integrations.webhook.advice.not_allowed',
  404: 'desk.integrations.webhook.advice.path',
  405: 'desk.integrations.webhook.advice.method',
  410: 'desk.integrations.webhook.advice.gone',
  413: 'desk.integrations.webhook.advice.too_large',
  429: 'desk.integrations.webhook.advice.slow_down',
}

/** What the writer can do about a failure, if known. */
export function adviceFor(result: DeliveryResult, attempt?: Pick<Attempt, 'problem' | 'detail'>): string | undefined {
  if (result.problem === 'timeout' && attempt?.problem === 'timeout') return attempt.detail ?? undefined
  const id = adviceId(result)
  return id && t(id)
}

function adviceId({ status, problem }: DeliveryResult): PlainMessageId | undefined {
  if (problem !== null && problem !== 'status') return adviceByProblem[problem]
  if (status === null || (status >= 200 && status < 300)) return undefined
  if (status >= 300 && status < 400) return 'desk.integrations.webhook.advice.redirect'
  return adviceByStatus[status] ?? (status >= 500 ? 'desk.integrations.webhook.advice.logs' : undefined)
}

const isPing = ({ event }: Pick<Delivery, 'event'>): boolean => event === 'webhook.ping'

export const deliveryTitle = (delivery: Pick<Delivery, 'event' | 'piece'>): string =>
  isPing(delivery)
    ? t('desk.integrations.webhook.test')
    : (delivery.piece?.headline ?? t('desk.integrations.webhook.deleted_piece'))

/** Why it failed, and how often in the same way. Attempts are newest first. */
function failureLines(last: DeliveryResult, attempts: readonly Attempt[]): readonly string[] {
  const other = attempts.findIndex(({ status, problem }) => status !== last.status || problem !== last.problem)
  const count = other === -1 ? attempts.length : other
  if (count < 2) return [failureText(last)]
  const id = other === -1 ? 'desk.integrations.webhook.failed_all' : 'desk.integrations.webhook.failed_last'
  return [failureText(last), t(id, { count })]
}

/** A pending delivery that cannot be resent is being attempted now. */
const isAttemptRunning = ({ state, can_resend: canResend }: Delivery): boolean => state === 'pending' && !canResend

/** When the next attempt is due: not before the rest period of a failing webhook ends. */
function nextAttempt({ due_at: due }: Delivery, webhook: Webhook | null): string {
  const rest = webhook?.rests_until
  return rest && due && rest > due ? rest : (due ?? '')
}

/** The state of a delivery, a sentence each. */
export function describeDelivery(
  delivery: Delivery,
  attempts: readonly Attempt[],
  webhook: Webhook | null,
): readonly string[] {
  const { state, last, can_resend: canResend } = delivery
  const failed = last?.problem ? failureLines(last, attempts) : []
  switch (state) {
    case 'delivered':
      return [respondedText(last?.status ?? null, attempts[0]?.ms)]
    case 'pending':
      if (isAttemptRunning(delivery)) return [...failed, t('desk.integrations.webhook.sending')]
      if (failed.length === 0) return [t('desk.integrations.webhook.queued')]
      return [...failed, t('desk.integrations.webhook.try_again_at', timeValues(nextAttempt(delivery, webhook)))]
    case 'held':
      return [...failed, t(`desk.integrations.webhook.held.${webhook?.state ?? 'unproven'}`)]
    case 'exhausted':
      if (isPing(delivery)) return failed
      return [
        ...failed,
        t('desk.integrations.webhook.stopped_trying'),
        ...(canResend ? [] : [t('desk.integrations.webhook.resend_later')]),
      ]
    case 'cancelled':
      if (isPing(delivery)) return [t('desk.integrations.webhook.cancelled.test')]
      return [
        last !== null && last.problem === null
          ? t('desk.integrations.webhook.cancelled.after')
          : t('desk.integrations.webhook.cancelled.before'),
      ]
  }
}

/** The same for lists, in a few words each. */
export function summarizeDelivery(delivery: Delivery, webhook: Webhook | null): readonly string[] {
  const { state, last } = delivery
  const result = last ? [resultLabel(last)] : []
  if (state !== 'pending') return result
  if (!last?.problem) return [t('desk.integrations.webhook.queued')]
  const next = isAttemptRunning(delivery)
    ? t('desk.integrations.webhook.sending')
    : t('desk.integrations.webhook.next_attempt', timeValues(nextAttempt(delivery, webhook)))
  return [...result, next]
}

/** The host of a URL. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)

const minute = 60_000
const day = 86_400_000

/** The values of a message about a time to come: the time, and how its day is named. Past times are now. */
export function timeValues(at: string, now = Date.now()) {
  const then = new Date(at).getTime()
  if (!(then > now)) return { day: 'now', at: now } as const
  const days = Math.floor((then - new Date(now).setHours(0, 0, 0, 0)) / day)
  return { day: days < 1 ? 'today' : days < 2 ? 'tomorrow' : days < 7 ? 'week' : 'other', at: then } as const
}

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
