const long = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
const short = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const number = new Intl.NumberFormat('en-GB')

/** The site counts by days of UTC, so that is how they are named. */
export const dayInWords = (day: string): string => long.format(new Date(`${day}T00:00Z`))

export const dayInShort = (day: string): string => short.format(new Date(`${day}T00:00Z`))

export const numberOf = (count: number): string => number.format(count)

export const readsOf = (count: number): string => (count === 1 ? '1 read' : `${number.format(count)} reads`)
