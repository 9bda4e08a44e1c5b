import { useEffect, useState } from 'react'
import { formats, rich, t } from '../messages.ts'

interface TimeProps {
  /** ISO 8601, from the server. */
  readonly at: string
  /** In the past: never shown as a future time, even if the server's clock is ahead. */
  readonly isPast?: boolean
}

/** "2 hours ago", with the exact time as a tooltip. Updates itself. */
export function Time({ at, isPast = false }: TimeProps) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const then = new Date(at).getTime()
  return (
    <time dateTime={at} title={formats.date(then, { dateStyle: 'full', timeStyle: 'short' })}>
      {relativeTime(isPast ? Math.min(then, now) : then, now)}
    </time>
  )
}

interface AddedAndUsedProps {
  readonly created_at: string
  readonly last_used_at: string | null
}

/** When a passkey, key or link was added and last used. */
export function AddedAndUsed({ created_at, last_used_at }: AddedAndUsedProps) {
  const added = <Time at={created_at} />
  return last_used_at
    ? rich('desk.common.time.added_and_used', { added, used: <Time at={last_used_at} /> })
    : rich('desk.common.time.added_never_used', { added })
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/**
 * Relative within a week, otherwise the date. Future times are rounded up, so a week is 7 days from its first second.
 */
export function relativeTime(then: number, now: number): string {
  const away = then - now
  if (Math.abs(away) > 7 * 86_400_000) {
    const isThisYear = new Date(then).getFullYear() === new Date(now).getFullYear()
    return formats.date(then, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) })
  }
  for (const [unit, length] of units) {
    if (Math.abs(away) >= length) return relative().format(Math.ceil(away / length), unit)
  }
  return t(away > 0 ? 'desk.common.time.in_a_moment' : 'desk.common.time.just_now')
}

let made: Intl.RelativeTimeFormat | undefined

/** Made when first needed: the language is not known before. */
function relative(): Intl.RelativeTimeFormat {
  made ??= new Intl.RelativeTimeFormat(formats.locale, { numeric: 'auto' })
  return made
}
