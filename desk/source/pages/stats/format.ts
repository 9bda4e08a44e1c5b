/** The top of the axis: a round number not below the maximum, with an integer half. */
export function axisMax(most: number): number {
  for (let ten = 1; ; ten *= 10) {
    const top = [2, 4, 6, 10].map((one) => one * ten).find((one) => one >= most)
    if (top !== undefined) return top
  }
}

const long = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const number = new Intl.NumberFormat('en-GB')

/** The site counts by UTC days. */
export const formatDay = (day: string): string => long.format(new Date(`${day}T00:00Z`))

export const formatShortDay = (day: string): string => short.format(new Date(`${day}T00:00Z`))

export const formatNumber = (count: number): string => number.format(count)

export const formatReads = (count: number): string => (count === 1 ? '1 read' : `${number.format(count)} reads`)
