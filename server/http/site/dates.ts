import { type Html, html } from '#platform/html.ts'

/** Dates are those of Greenwich: a page is the same for every reader, and kept for all of them. */

const months = 'January February March April May June July August September October November December'.split(' ')

/** By hand: a page has a dozen, and Intl takes ten times as long. */
const dayAndMonth = (iso: string): string => `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]}`

/** Isolated: among words that run from right to left its figures would change places. */
const time = (iso: string, words: string): Html => html`<time datetime="${iso}" dir="ltr">${words}</time>`

export const date = (iso: string): Html => time(iso, `${dayAndMonth(iso)} ${yearOf(iso)}`)
export const moment = (iso: string): Html => time(iso, `${dayAndMonth(iso)} ${yearOf(iso)}, ${iso.slice(11, 16)} UTC`)
export const dayOfYear = (iso: string): Html => time(iso, dayAndMonth(iso))
export const yearOf = (iso: string): string => iso.slice(0, 4)

const withWeekday = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export const dateLine = (now: Date): Html => time(now.toISOString().slice(0, 10), withWeekday.format(now))
