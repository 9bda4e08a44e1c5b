import { categoryName, type PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { type Html, html } from '#platform/html.ts'
import { webAddress } from '#platform/text/normalise.ts'

type Author = PieceListItem['authors'][number]

const tickPath = html`<path d="M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0Zm4 5.9-4.7 5.3a.8.8 0 0 1-1.17.03L3.8 8.87a.8.8 0 0 1 1.13-1.13l1.74 1.74 4.13-4.64A.8.8 0 0 1 12 5.9Z"/>`

/** Only for a verified identity, beside the name. */
export const tick: Html = html`<svg class="tick" viewBox="0 0 16 16" role="img" aria-label="identity verified">${tickPath}</svg>`

/** Precedes a line that says what was verified. */
export const seal: Html = html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true">${tickPath}</svg>`

export const authorName = ({ name, url, identity_verified }: Author): Html =>
  html`<a href="${url}" rel="author"><bdi>${name}</bdi></a>${identity_verified && tick}`

/** "Ada Okafor · 3 May 2025 · 4 min read". */
export const byline = (
  { authors, date_published }: Pick<PieceListItem, 'authors' | 'date_published'>,
  minutes?: number,
): Html =>
  html`<p class="byline" lang="en">${authors.map(authorName)}<span class="dot">${date(date_published)}</span>${
    minutes && html`<span class="dot"><bdi>${minutes} min read</bdi></span>`
  }</p>`

export const kicker = (category: string | null, urls: Urls): Html | null =>
  category === null
    ? null
    : html`<p class="kicker" lang="en"><a href="${urls.category(category)}">${categoryName(category)}</a></p>`

/** Has a fixed size to avoid layout shift, and sends no referrer. */
export function portrait(address: string | null, size: number): Html | null {
  if (address === null || !/^https?:\/\//i.test(address)) return null
  return html`<img class="avatar" src="${address}" alt="" width="${size}" height="${size}" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
}

/** Dates are UTC: pages are cached and the same for every reader. */

const months = 'January February March April May June July August September October November December'.split(' ')

/** By hand: a page has a dozen dates, and Intl takes ten times as long. */
const dayAndMonth = (iso: string): string => `${Number(iso.slice(8, 10))} ${months[Number(iso.slice(5, 7)) - 1]}`

/** Isolated, since right-to-left text would reorder the digits. */
const time = (iso: string, words: string): Html => html`<time datetime="${iso}" dir="ltr">${words}</time>`

export const date = (iso: string): Html => time(iso, `${dayAndMonth(iso)} ${yearOf(iso)}`)
export const dateTime = (iso: string): Html => time(iso, `${dayAndMonth(iso)} ${yearOf(iso)}, ${iso.slice(11, 16)} UTC`)
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

/**
 * Returns an external address only if it is http or https. Stored addresses were validated; this is defence in depth.
 */
export const safeUrl = (address: string | null | undefined): string | undefined =>
  address ? webAddress(address) : undefined

/** The host without "www.". */
export const hostOf = (address: string): string => new URL(address).host.replace(/^www\./, '')

/** Characters read per minute: about 220 words, or 500 characters in scripts without spaces. */
const charactersPerMinute = 1_300
const ideographsPerMinute = 500

const isIdeographic = /^(?:zh|ja|yue|wuu)\b/i

export const readingMinutes = (text: string, locale: string): number =>
  Math.max(1, Math.round(text.length / (isIdeographic.test(locale) ? ideographsPerMinute : charactersPerMinute)))
