import type { Range } from '../../../api/webhook.ts'

/** Times to come as people say them, and as fields of a form have them. */

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'long' })
const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })
const minute = 60_000
const day = 86_400_000

/** "at 14:05", "tomorrow at 14:05", "on Friday at 14:05"; what is past is due in a moment. */
export function momentOf(at: string, now = Date.now()): string {
  const then = new Date(at)
  if (!(then.getTime() > now)) return 'in a moment'
  const days = Math.floor((then.getTime() - new Date(now).setHours(0, 0, 0, 0)) / day)
  const hour = `at ${clock.format(then)}`
  if (days < 1) return hour
  if (days < 2) return `tomorrow ${hour}`
  return days < 7 ? `on ${weekday.format(then)} ${hour}` : `on ${date.format(then)} ${hour}`
}

/** After "until": "14:05", "tomorrow at 14:05", "Friday at 14:05". */
export const untilOf = (at: string, now = Date.now()): string => momentOf(at, now).replace(/^(at|on) /, '')

/** As `datetime-local` has it: the hours of this place, to the minute; up, so that nothing of it is left out. */
export function localOf(moment: Date, way: 'down' | 'up' = 'down'): string {
  const whole = new Date((way === 'up' ? Math.ceil : Math.floor)(moment.getTime() / minute) * minute)
  const two = (number: number): string => String(number).padStart(2, '0')
  const date = `${whole.getFullYear()}-${two(whole.getMonth() + 1)}-${two(whole.getDate())}`
  return `${date}T${two(whole.getHours())}:${two(whole.getMinutes())}`
}

/** What two such fields mean; nothing where they mean nothing. */
export function rangeOf(from: string, to: string, onlyFailed: boolean): Range | undefined {
  const [start, end] = [new Date(from), new Date(to)]
  return start < end ? { from: start, to: end, onlyFailed } : undefined
}
