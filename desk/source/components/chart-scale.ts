import { formats } from '../messages.ts'

/** The top of the axis: a round number not below the maximum, with an integer half. */
export function axisMax(most: number): number {
  for (let ten = 1; ; ten *= 10) {
    const top = [2, 4, 6, 10].map((one) => one * ten).find((one) => one >= most)
    if (top !== undefined) return top
  }
}

/** The site counts by UTC days. */
export const formatDay = (day: string): string =>
  formats.date(`${day}T00:00Z`, { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })

export const formatShortDay = (day: string): string =>
  formats.date(`${day}T00:00Z`, { day: 'numeric', month: 'short', timeZone: 'UTC' })
