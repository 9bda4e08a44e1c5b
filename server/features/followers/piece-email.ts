import type { SiteInfo } from '#config/site-info.ts'
import type { ReadContext } from '#features/context.ts'
import { below, styles } from '#features/emails/frame.ts'
import { categoryLabel } from '#features/pieces/category-label.ts'
import { editionByIds, type PublishedPiece, wholePiecesByIds } from '#features/pieces/public-lists.ts'
import { demoteHeadings, portableHtml, readingMinutes } from '#features/pieces/reading-text.ts'
import type { Cover, PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { type Translator, translatorFor, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { createLru } from '#platform/lru.ts'
import type { Element } from '#platform/markdown/html-tree.ts'
import { directionOf } from '#platform/text/language.ts'
import { typographic, typographicHtml } from '#platform/text/typography.ts'
import { blockAsHtml, blocksIn, ownPicture, type Part, pictureInWords, type TextFrame } from './email-html.ts'
import { blockAsText } from './email-text.ts'

/** A whole piece as an email has it: the same for all of its readers. */
export interface PieceInEmail extends Part {
  readonly title: string
  readonly names: readonly string[]
  readonly uuid: string
  readonly url: string
  /** Whether it goes on at its page. */
  readonly isCut: boolean
}

/** Characters of HTML and of text: some hundred pieces. */
const rendered = createLru<PieceInEmail>(16_000_000)

/** Undefined if it is not public. Rendered once for each edition, of which the key says everything but the site. */
export async function pieceInEmail(
  { reads, siteInfo }: { readonly reads: ReadContext; readonly siteInfo: SiteInfo },
  id: string,
): Promise<PieceInEmail | undefined> {
  const keyOf = (edition: string) => `${reads.urls.base} ${siteInfo.language} ${edition}`
  const known = rendered.get(keyOf(await editionByIds(reads, [id])))
  if (known) return known
  const { items, edition } = await wholePiecesByIds(reads, [id])
  if (!items[0]) return undefined
  const made = rendered.get(keyOf(edition)) ?? renderPiece(items[0], siteInfo, reads.urls)
  rendered.set(keyOf(edition), made, String(made.html).length + made.text.length)
  return made
}

function renderPiece(published: PublishedPiece, { language: siteLanguage }: SiteInfo, urls: Urls): PieceInEmail {
  const { piece, standfirst, uuid } = published
  const { language, title, url } = piece
  const t = translatorFor(language, translatorOf(siteLanguage))
  const frame: TextFrame = { t, dir: directionOf(language, piece.content_text), media: urls.media('') }
  const head = headOf(t, { ...piece, summary: standfirst ?? '' }, urls, piece.content_text)
  const cover = piece.cover && coverOf(piece.cover, language, frame)
  const { blocks, isCut } = withinLimit(textBlocks(published), frame)
  const markup = blocks.map((block) => html`\n${blockAsHtml(block, frame)}`)
  return {
    title: typographic(title, language),
    names: piece.authors.map(({ name }) => name),
    uuid,
    url,
    isCut,
    html: inLanguage(language, frame.dir, html`${head.html}${cover?.html}${markup}`),
    text: [head.text, cover?.text, ...blocks.map((block) => blockAsText(block, frame))].filter(Boolean).join('\n\n'),
  }
}

/** A part in the language of a piece. */
export const inLanguage = (language: string, dir: 'ltr' | 'rtl', content: Html): Html =>
  html`
    <div${language !== 'und' && html` lang="${language}"`} dir="${dir}">${content}
    </div>`

type Headed = Pick<PieceListItem, 'title' | 'summary' | 'url' | 'category' | 'authors' | 'language' | 'date_published'>

/** Longer headlines are set smaller. */
const longHeadline = 90

/** Section, headline, standfirst and byline: of the whole piece if its text is given, else of one among others. */
export function headOf(t: Translator, piece: Headed, urls: Urls, text?: string): Part {
  const { url, category, language } = piece
  const [title, standfirst] = [typographic(piece.title, language), typographic(piece.summary, language)]
  const section = category === null ? '' : categoryLabel(t, category)
  const names = t.list(piece.authors.map(({ name }) => name))
  const date = t.date(piece.date_published.slice(0, 10), { day: 'numeric', month: 'long', year: 'numeric' })
  const time = text === undefined ? '' : t('site.piece.reading_time', { minutes: readingMinutes(text, language) })
  const facts = [date, time].filter(Boolean).join(' · ')
  const linked = html`<a class="plain" href="${url}" style="${styles.plain}">${title}</a>`
  return {
    html: html`${
      section &&
      html`
    <p style="${styles.small('0 0 8px')}"><a href="${urls.category(category!)}" style="${styles.link};text-decoration:none;font-weight:600">${section}</a></p>`
    }
    ${
      text === undefined
        ? html`<h2 style="${styles.heading(24, '0 0 8px')}">${linked}</h2>`
        : html`<h1 style="${styles.heading(title.length > longHeadline ? 28 : 34, below)}">${linked}</h1>`
    }${
      standfirst &&
      html`
    <p class="soft" style="${text === undefined ? styles.prose('0 0 8px') : styles.standfirst(below)}">${standfirst}</p>`
    }
    <p class="soft" style="${styles.soft('0 0 24px')}"><bdi>${names}</bdi> · <bdi>${facts}</bdi></p>`,
    text: [section, title, standfirst, `${names} · ${facts}`].filter(Boolean).join('\n\n'),
  }
}

function coverOf(cover: Cover, language: string, frame: TextFrame): Part {
  const credit = cover.credit && frame.t('site.piece.credit', { name: cover.credit })
  const words = [cover.caption && typographic(cover.caption, language), credit].filter(Boolean).join(' · ')
  return {
    html: html`
    <div style="margin:0 0 24px">${ownPicture(cover)}${words && html`<p class="soft" style="${styles.soft('8px 0 0')}">${words}</p>`}</div>`,
    text: [cover.alt && pictureInWords(cover.url, cover.alt, frame), words].filter(Boolean).join('\n'),
  }
}

function textBlocks({ piece }: PublishedPiece): readonly Element[] {
  const markup = demoteHeadings(typographicHtml(portableHtml(piece), piece.language))
  return blocksIn(markup)
}

/** Gmail shows no more than 102 kB of an email; the rest of it has the frame. */
const mostBytes = 84_000

/** As many blocks as an email has place for, not ending with a heading. */
function withinLimit(blocks: readonly Element[], frame: TextFrame): { blocks: readonly Element[]; isCut: boolean } {
  let bytes = 0
  const end = blocks.findIndex((block) => {
    bytes += Buffer.byteLength(String(blockAsHtml(block, frame)))
    return bytes > mostBytes
  })
  if (end === -1) return { blocks, isCut: false }
  const last = blocks.slice(0, end).findLastIndex(({ tag }) => !/^h[1-6]$/.test(tag))
  return { blocks: blocks.slice(0, last + 1), isCut: true }
}
