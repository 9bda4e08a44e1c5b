import { categoryName, type PieceListItem } from '#features/pieces/schema.ts'
import { type Html, html } from '#platform/html.ts'
import type { Urls } from '#platform/urls.ts'
import { date } from './dates.ts'

type Author = PieceListItem['authors'][number]

const shape = html`<path d="M8 0a8 8 0 1 0 0 16A8 8 0 0 0 8 0Zm4 5.9-4.7 5.3a.8.8 0 0 1-1.17.03L3.8 8.87a.8.8 0 0 1 1.13-1.13l1.74 1.74 4.13-4.64A.8.8 0 0 1 12 5.9Z"/>`

/** Beside the name of a verified identity, and only there. */
export const tick: Html = html`<svg class="tick" viewBox="0 0 16 16" role="img" aria-label="identity verified">${shape}</svg>`

/** Before words that say what was checked. */
export const seal: Html = html`<svg class="tick" viewBox="0 0 16 16" aria-hidden="true">${shape}</svg>`

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

/** Of known size, so that nothing moves when it comes; the place it comes from is not told who reads here. */
export function portrait(address: string | null, size: number): Html | null {
  if (address === null || !/^https?:\/\//i.test(address)) return null
  return html`<img class="avatar" src="${address}" alt="" width="${size}" height="${size}" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
}
