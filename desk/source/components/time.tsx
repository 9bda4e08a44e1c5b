import { useEffect, useState } from 'react'

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
    <time dateTime={at} title={exact.format(then)}>
      {relativeTime(isPast ? Math.min(then, now) : then, now)}
    </time>
  )
}

/** When a passkey, key or link was added and last used. */
export const AddedAndUsed = ({
  created_at,
  last_used_at,
}: {
  readonly created_at: string
  readonly last_used_at: string | null
}) => (
  <>
    Added <Time at={created_at} />, last used {last_used_at ? <Time at={last_used_at} /> : 'never'}
  </>
)

/** The date, such as 3 May 2027. */
export const formatDate = (at: string): string => dayAndYear.format(new Date(at))

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })
const dayAndYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })
const relative = new Intl.RelativeTimeFormat('en-GB', { numeric: 'auto' })

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
    return (isThisYear ? day : dayAndYear).format(then)
  }
  for (const [unit, length] of units) {
    if (Math.abs(away) >= length) return relative.format(Math.ceil(away / length), unit)
  }
  return away > 0 ? 'in a moment' : 'just now'
}
