import { categoryLabel } from '#features/pieces/category-label.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { asLabel } from '#platform/text/language.ts'
import { webAddress } from '#platform/text/normalise.ts'
import { hasVariants } from './variants.ts'

type Author = PieceListItem['authors'][number]

const tickPath = html`<path d="M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0Zm4 5.9-4.7 5.3a.8.8 0 0 1-1.17.03L3.8 8.87a.8.8 0 0 1 1.13-1.13l1.74 1.74 4.13-4.64A.8.8 0 0 1 12 5.9Z"/>`

/** Only for a verified identity, beside the name. */
export const tick = (t: Translator): Html =>
  html`<svg class="tick" viewBox="0 0 16 16" role="img" aria-label="${t('site.piece.verified')}">${tickPath}</svg>`

/** Precedes a line that says what was verified. */
export const seal: Html = html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true">${tickPath}</svg>`

export const authorName = (t: Translator, { name, url, identity_verified }: Omit<Author, 'avatar'>): Html =>
  html`<a href="${url}" rel="author"><bdi>${name}</bdi></a>${identity_verified && tick(t)}`

/** With portraits if `urls` is given; several as the language lists names: "Ada and Berta". */
export const authorNames = (t: Translator, authors: readonly Author[], urls?: Urls): Html =>
  html`<span>${inList(
    t,
    authors.map((author) => html`${urls && ownPortrait(author, urls)}${authorName(t, author)}`),
  )}</span>`

/** What stands between the items is found by listing placeholders. */
const inList = (t: Translator, items: readonly Html[]): readonly Html[] =>
  items.length < 2
    ? items
    : t
        .list(items.map((_, at) => `\0${at}\0`))
        .split('\0')
        .map((part, at) => (at % 2 === 1 ? items[Number(part)]! : html`${part}`))

/** "Ada Okafor · 3 May 2025 · Updated 5 May 2025 · 4 min read". */
export const byline = (
  t: Translator,
  { authors, date_published }: Pick<PieceListItem, 'authors' | 'date_published'>,
  urls: Urls,
  minutes?: number,
  around?: string,
  updated?: Html | null,
  follow?: Html | false,
): Html =>
  html`<p class="byline"${langIn(t, around)}>${authorNames(t, authors, urls)}<span class="dot">${date(t, date_published)}</span>${updated}${
    minutes && html`<span class="dot"><bdi>${t('site.piece.reading_time', { minutes })}</bdi></span>`
  }${follow && html`<span class="dot">${follow}</span>`}</p>`

export const kicker = (t: Translator, category: string | null, urls: Urls, around?: string): Html | null =>
  category === null
    ? null
    : html`<p class="kicker"${langIn(t, around)}><a href="${urls.category(category)}">${categoryLabel(t, category)}</a></p>`

/** The attribute of words in text of another language, whose BCP 47 tag is `around`. */
export const langIn = (t: Translator, around: string | undefined): Html | undefined =>
  around === undefined || isSameLanguage(around, t.language) ? undefined : html` lang="${t.language}"`

/** The language of text that is not in the page's own; unknown languages are not named. */
export const langOf = (t: Translator, language: string): Html | undefined =>
  language === 'und' || isSameLanguage(language, t.language) ? undefined : html` lang="${language}"`

/** Whatever the region. */
const isSameLanguage = (one: string, other: string): boolean => one.split('-')[0] === other.split('-')[0]

/** In bylines only pictures that this site has itself: a list would ask many other servers. */
const ownPortrait = ({ avatar }: Author, urls: Urls): Html | null =>
  avatar?.startsWith(`${urls.base}/`) ? portrait(avatar, 28, urls) : null

/** Of the narrowest copy: what screens with two pixels each way can show of it. */
const halfOfNarrowest = 80

/** Has a fixed size to avoid layout shift, and sends no referrer. */
export function portrait(address: string | null, size: number, urls: Urls): Html | null {
  if (address === null || !/^https?:\/\//i.test(address)) return null
  const isOwn = hasVariants(address, urls)
  const narrow = isOwn ? `${address}/160.webp` : address
  const forTwo = isOwn && size > halfOfNarrowest && html` srcset="${address}/320.webp 2x"`
  return html`<img class="avatar" src="${narrow}"${forTwo} alt="" width="${size}" height="${size}" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
}

/** The first character of a word or number, with its marks; empty if there is none, as in a name of emoji. */
const initialOf = (name: string): string => /[\p{L}\p{N}]\p{M}{0,2}/u.exec(name.normalize('NFC'))?.[0] ?? ''

/** A portrait, or the initial in its place, so that the names of a list stay aligned. */
export const portraitOrInitial = (address: string | null, name: string, size: number, urls: Urls): Html =>
  portrait(address, size, urls) ?? html`<span class="avatar initial" aria-hidden="true">${initialOf(name)}</span>`

/** Dates are UTC: pages are cached and the same for every reader. */

const styles = {
  day: { day: 'numeric', month: 'long', year: 'numeric' },
  dayOfYear: { day: 'numeric', month: 'long' },
  shortDay: { day: 'numeric', month: 'short', year: 'numeric' },
  shortDayOfYear: { day: 'numeric', month: 'short' },
  year: { year: 'numeric' },
  weekday: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** A page has dozens of dates, most of them of a few hundred days, and Intl takes ten times as long as this. */
const maxDates = 10_000
const formattedDates = new WeakMap<Translator, Map<string, string>>()

function formatDate(t: Translator, style: keyof typeof styles, iso: string): string {
  const day = iso.slice(0, 10)
  const key = style + day
  const dates = formattedDates.get(t) ?? new Map<string, string>()
  const known = dates.get(key)
  if (known !== undefined) return known
  if (dates.size >= maxDates) dates.clear()
  const text = t.date(day, styles[style])
  formattedDates.set(t, dates.set(key, text))
  return text
}

/** Isolated, since text of the other direction would reorder the digits. */
const time = (t: Translator, iso: string, text: string): Html =>
  html`<time datetime="${iso}" dir="${t.dir}">${text}</time>`

export const date = (t: Translator, iso: string): Html => time(t, iso, formatDate(t, 'day', iso))
export const dayOfYear = (t: Translator, iso: string): Html => time(t, iso, formatDate(t, 'dayOfYear', iso))
export const dateLine = (t: Translator, iso: string): Html => time(t, iso, formatDate(t, 'weekday', iso))
export const yearOf = (t: Translator, iso: string): string => formatDate(t, 'year', iso)

const hour = 3_600_000
const hoursOfDay = 24
const relative = new WeakMap<Translator, Intl.RelativeTimeFormat>()

const hoursSince = (iso: string, now: Date): number => Math.max(0, Math.floor((now.getTime() - Date.parse(iso)) / hour))

function hoursAgo(t: Translator, hours: number): string {
  const format = relative.get(t) ?? new Intl.RelativeTimeFormat(t.locale, { numeric: 'auto' })
  relative.set(t, format)
  return asLabel(format.format(-hours, 'hour'), t.language)
}

/** "This hour", "5 hours ago"; after a day "3 May", of another year "3 May 2025". */
export function recentDate(t: Translator, iso: string, now: Date): Html {
  const hours = hoursSince(iso, now)
  if (hours < hoursOfDay) return time(t, iso, hoursAgo(t, hours))
  const isOfYear = iso.slice(0, 4) === now.toISOString().slice(0, 4)
  return time(t, iso, formatDate(t, isOfYear ? 'shortDayOfYear' : 'shortDay', iso))
}

/** When `recentDate` next says something else, within a day. */
export const recentDateUntil = (iso: string, now: Date): number => {
  const hours = hoursSince(iso, now)
  return hours < hoursOfDay ? Date.parse(iso) + (hours + 1) * hour : Number.POSITIVE_INFINITY
}

/** "3 May 2025 at 14:05 UTC". */
export const dateTime = (t: Translator, iso: string): Html =>
  time(t, iso, t.date(iso, { ...styles.day, hour: 'numeric', minute: 'numeric', timeZoneName: 'short' }))

/**
 * Returns an external address only if it is http or https. Stored addresses were validated; this is defence in depth.
 */
export const safeUrl = (address: string | null | undefined): string | undefined =>
  address ? webAddress(address) : undefined

/** The host without "www.". */
export const hostOf = (address: string): string => new URL(address).host.replace(/^www\./, '')
