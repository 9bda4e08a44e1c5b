import type { LinkCard } from '#features/link-cards/reads.ts'
import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import { demoteHeadings, isIdeographic } from '#features/pieces/reading-text.ts'
import type { Piece } from '#features/pieces/schema.ts'
import { inHtml } from '#http/translate.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { typographicHtml } from '#platform/text/typography.ts'
import { date, langIn } from './byline.ts'
import { withLinkCards } from './link-cards.ts'

/**
 * What a reader gets with the text of a piece. All of it is added when the page is drawn: stored HTML, feeds, the API and
 * receipts keep what was published.
 */

export interface ReadingText {
  /** Sanitised markup, to which only tags and attributes of ours were added. */
  readonly markup: string
  readonly contents: Html | null
}

export function readingText(
  t: Translator,
  { content_html, content_text, language }: Piece,
  cards: readonly LinkCard[],
): ReadingText {
  const typeset = demoteHeadings(typographicHtml(withLinkCards(content_html ?? '', cards), language))
  const { markup, sections } = linkHeadings(t, typeset)
  return {
    markup: scrollableTables(t, labelFootnotes(t, markPlainAddresses(markup))),
    contents: wordsOf(content_text, language) < longRead ? null : contentsOf(t, sections, language),
  }
}

/**
 * Wide tables scroll, also by keyboard. The sanitiser writes every table tag exactly so, and text never contains it.
 */
const scrollableTables = (t: Translator, rendered: string): string =>
  rendered
    .replaceAll(
      '<table>',
      String(html`<div class="wide" role="group" aria-label="${t('site.piece.table')}" tabindex="0"><table>`),
    )
    .replaceAll('</table>', '</table></div>')

interface Section {
  readonly level: number
  readonly id: string
  readonly words: string
}

/** No text of a person has more; each link is as long as its heading. */
const mostHeadings = 300

function linkHeadings(t: Translator, rendered: string): { markup: string; sections: readonly Section[] } {
  if (rendered.split('<h', mostHeadings + 2).length > mostHeadings + 1) return { markup: rendered, sections: [] }
  const sections: Section[] = []
  const markup = rendered.replace(
    /<h([2-4]) id="(s-[^"]+)">([\s\S]*?)<\/h\1>/g,
    (_, level: string, id: string, inner: string) => {
      const words = plainWords(inner)
      sections.push({ level: Number(level), id, words })
      const label = t('site.piece.link_to_section', { heading: words })
      return `<h${level} id="${id}">${inner}${html`<a class="anchor" href="#${id}" aria-label="${label}"></a>`}</h${level}>`
    },
  )
  return { markup, sections }
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Of a heading, without the marks of footnotes. */
const plainWords = (inner: string): string =>
  inner
    .replace(/<sup class="footnote-ref"[\s\S]*?<\/sup>|<[^>]+>/g, '')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name]!)
    .trim()

/** Words from which a list of contents helps more than it delays. */
const longRead = 1_500
const fewestSections = 3
const mostSections = 60
/** More are folded. */
const mostOpen = 8

/** By spaces; in scripts without them by characters, of which 500 are read in the time of 220 words. */
function wordsOf(text: string, language: string): number {
  if (isIdeographic.test(language)) return text.length / (500 / 220)
  return /^(?:th|lo|km|my)\b/.test(language) ? text.length / 6 : (text.match(/\S+/g)?.length ?? 0)
}

/** The two uppermost levels of headings, or one if that is long enough. */
function contentsOf(t: Translator, sections: readonly Section[], language: string): Html | null {
  const top = Math.min(...sections.map(({ level }) => level))
  const isShort = sections.filter(({ level }) => level <= top + 1).length <= mostSections
  const listed = sections.filter(({ level, words }) => words && level <= (isShort ? top + 1 : top))
  if (listed.length < fewestSections || listed.length > mostSections) return null
  const link = ({ id, words }: Section) => html`<a href="#${id}"><bdi>${words}</bdi></a>`
  const items: { section: Section; below: Section[] }[] = []
  for (const section of listed) {
    if (section.level === top || items.length === 0) items.push({ section, below: [] })
    else items.at(-1)!.below.push(section)
  }
  return html`<nav class="contents" aria-label="${t('site.piece.contents')}"><details${listed.length <= mostOpen && html` open`}>
<summary${langIn(t, language)}>${t('site.piece.contents')}</summary>
<ol>${items.map(
    ({ section, below }) =>
      html`<li>${link(section)}${below.length > 0 && html`<ol>${below.map((one) => html`<li>${link(one)}</li>`)}</ol>`}</li>\n`,
  )}</ol>
</details></nav>`
}

/** A number alone says little to who cannot see where it is. */
const labelFootnotes = (t: Translator, rendered: string): string =>
  rendered.includes('"footnote-ref"')
    ? rendered
        .replace(/<a href="#fn-(\d+)" id="(fnref-[\d-]+)" role="doc-noteref">/g, (_, number: string, id: string) =>
          String(
            html`<a href="#fn-${number}" id="${id}" role="doc-noteref" aria-label="${t('site.piece.footnote', { number })}">`,
          ),
        )
        .replace(/<a href="#fnref-([\d-]+)" class="footnote-backref" role="doc-backlink">/g, (_, reference: string) =>
          String(
            html`<a href="#fnref-${reference}" class="footnote-backref" role="doc-backlink" aria-label="${t('site.piece.footnote_back', { reference })}">`,
          ),
        )
    : rendered

/** Links whose words are their address: on paper it is not added once more. */
const markPlainAddresses = (rendered: string): string =>
  rendered.replace(/<a (href="((?:http:\/\/)?)([^"]+)" rel="[^"]*">)(?=(?:\2)?\3<\/a>)/g, '<a class="address" $1')

/** An update on the day of publication, or within an hour of it, is part of publishing. */
const freshFor = 3_600_000

/** "Updated 3 May 2025". */
export function updated(t: Translator, { piece: { date_modified }, publicSince }: PublishedPiece): Html | null {
  const isLater =
    date_modified.slice(0, 10) > publicSince.slice(0, 10) &&
    Date.parse(date_modified) - Date.parse(publicSince) > freshFor
  return isLater
    ? html`<span class="dot">${inHtml(t, 'site.piece.updated', { date: date(t, date_modified) })}</span>`
    : null
}

/** Plain links: nothing is loaded from these sites unless a reader follows one. */
export function share(t: Translator, { title, url, language }: Piece): Html {
  const [address, words] = [encodeURIComponent(url), encodeURIComponent(title.toWellFormed())]
  const sites: readonly (readonly [name: string, address: string])[] = [
    ['Bluesky', `https://bsky.app/intent/compose?text=${words}%20${address}`],
    ['Facebook', `https://www.facebook.com/sharer/sharer.php?u=${address}`],
    ['LinkedIn', `https://www.linkedin.com/sharing/share-offsite/?url=${address}`],
    ['X', `https://x.com/intent/post?text=${words}&url=${address}`],
  ]
  const link = ([name, href]: readonly [string, string]) =>
    html`<span class="dot"><a href="${href}" rel="nofollow noopener noreferrer">${name}</a></span>`
  return html`<div class="column"><p class="share"${langIn(t, language)}>${t('site.piece.share')} <a href="mailto:?subject=${words}&amp;body=${address}">${t('site.piece.share_email')}</a>${sites.map(link)}
<span class="permalink" dir="ltr">${decodeURI(url)}</span></p></div>`
}
