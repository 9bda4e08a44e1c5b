import type { AuthorHit } from '#features/authors/schema.ts'
import { type FrontPage, readFrontPage } from '#features/front-page/reads.ts'
import { type FrontPageQuery, frontPageKey } from '#features/front-page/state.ts'
import { categoryLabel } from '#features/pieces/category-label.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { followForm } from '#http/follow-form.ts'
import { languageLabel } from '#http/language-label.ts'
import { document, type PageHead, searchField } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { createLru } from '#platform/lru.ts'
import { typographic } from '#platform/text/typography.ts'
import { dateLine, kicker, portraitOrInitial, recentDate, recentDateUntil, tick } from './byline.ts'
import { coverLink } from './cover.ts'
import { website } from './json-ld.ts'
import { feedIn, languageLinks, metaLine, older, pieceList, pieceText, siteFeed } from './lists.ts'
import { type RenderedPage, renderPage } from './page.ts'

type FrontPageContext = Pick<PublicContext, 'siteInfo'> & {
  readonly reads: Pick<PublicContext['reads'], 'db' | 'urls'>
}

/** In bytes: the front page, and those of a few dozen languages. */
const cacheBytes = 4 * 1024 * 1024

/**
 * The front page, drawn only if something on it has changed: one statement tells. Relative dates and the date of today
 * change too, so a drawn page is kept until the first of them does.
 */
export function createFrontPage(context: PublicContext) {
  const drawn = createLru<{ key: string; until: number; page: RenderedPage<Buffer> }>(cacheBytes)
  return async (language: string | undefined): Promise<RenderedPage<Buffer>> => {
    const { key, read } = await frontPageKey(context.reads, { language })
    const known = drawn.get(language ?? '')
    if (known?.key === key && Date.now() < known.until) return known.page
    const now = new Date()
    const shown = await readFrontPage(context.reads, read())
    const { markup, links } = renderPage(
      context,
      headOf(context, language, shown),
      mainOf(context, language, shown, now),
    )
    const page = { markup: Buffer.from(markup), links }
    drawn.set(language ?? '', { key, until: unchangedUntil(shown, now), page }, page.markup.length)
    return page
  }
}

/** The front page with pins and a note that are not saved yet. */
export async function drawFrontPagePreview(
  context: FrontPageContext,
  query: Required<Pick<FrontPageQuery, 'pins' | 'note'>>,
): Promise<string> {
  const { siteInfo, reads } = context
  const shown = await readFrontPage(reads, (await frontPageKey(reads, query)).read())
  const head = { title: siteInfo.name, robots: 'noindex, nofollow, noarchive', isFront: true }
  return document(siteInfo, reads.urls, head, mainOf(context, undefined, shown, new Date()))
}

function headOf(context: PublicContext, language: string | undefined, shown: FrontPage): PageHead {
  const { siteInfo, reads } = context
  const t = translatorOf(siteInfo.language)
  return {
    title: language === undefined ? siteInfo.name : languageLabel(t, language).name,
    description: siteInfo.description,
    canonical: inLanguage(reads.urls.home(), language),
    robots: language !== undefined && shown.lead.length === 0 ? 'noindex, follow' : undefined,
    feeds: [feedIn(t, siteFeed(context), language)],
    jsonLd: language === undefined ? [website(siteInfo, reads.urls)] : undefined,
    isFront: true,
  }
}

const everyPiece = ({ lead, row, mostRead, sections, rest }: FrontPage): PieceListItem[] => [
  ...lead,
  ...row,
  ...mostRead,
  ...sections.flatMap(({ pieces }) => pieces),
  ...rest,
]

function unchangedUntil(shown: FrontPage, now: Date): number {
  const midnight = new Date(now).setUTCHours(24, 0, 0, 0)
  return Math.min(midnight, ...everyPiece(shown).map(({ date_published }) => recentDateUntil(date_published, now)))
}

interface Drawing {
  readonly t: Translator
  readonly urls: Urls
  readonly now: Date
}

function mainOf(
  { siteInfo, reads: { urls } }: FrontPageContext,
  language: string | undefined,
  shown: FrontPage,
  now: Date,
) {
  const t = translatorOf(siteInfo.language)
  const drawing = { t, urls, now }
  return html`<div class="dateline-row"><p class="dateline">${dateLine(t, now.toISOString().slice(0, 10))}</p>
${languageLinks(t, urls.home(), shown.languages, language)}</div>
${shown.lead.length === 0 ? nothingYet(drawing) : packages(drawing, shown, inLanguage(urls.home(), language))}
<section class="block follow-site">
${followForm(t, siteInfo, urls, { kind: 'site', name: '', path: 'site' })}
</section>`
}

const nothingYet = ({ t, urls }: Drawing): Html =>
  html`<p class="standfirst">${t('site.list.empty')}</p>
${searchField(t, urls)}`

const packages = (drawing: Drawing, shown: FrontPage, address: string): Html =>
  html`${shown.note !== null && html`<div class="editors-note"><p dir="auto">${typographic(shown.note, drawing.t.language)}</p></div>\n`}<div class="package">
${shown.lead.map((piece, at) => card(drawing, piece, at === 0 ? 'lead' : 'second'))}</div>
${shown.row.length > 0 && html`<div class="row">\n${shown.row.map((piece) => card(drawing, piece, 'small'))}</div>`}
${shown.mostRead.length > 0 && mostRead(drawing, shown.mostRead)}
${shown.sections.map((section, at) => sectionBlock(drawing, section, at))}
${shown.writers.length > 0 && newWriters(drawing, shown.writers)}
${
  shown.rest.length > 0 &&
  html`<section class="block rest" aria-labelledby="also-new">
<h2 class="label" id="also-new">${drawing.t('site.front.also_new')}</h2>
${pieceList(drawing.t, shown.rest, drawing.urls, { heading: 'h3' })}
</section>`
}
${older(address, shown.next_cursor, drawing.t('site.list.older'))}`

const coverSizes = { lead: 'large', second: 'medium', large: 'large', small: 'medium', line: 'small' } as const
type CardSize = keyof typeof coverSizes

/** The pieces at the top are the page's own headlines; others are below that of their block. */
function card({ t, urls, now }: Drawing, piece: PieceListItem, size: CardSize, heading: 'h2' | 'h3' = 'h2'): Html {
  const standfirst = size === 'lead' || size === 'large'
  const meta = metaLine(t, piece, recentDate(t, piece.date_published, now), standfirst ? urls : undefined)
  return html`<article class="story ${size}">
${coverLink(piece, urls, { size: coverSizes[size], eager: size === 'lead' })}
<div class="story-text">
${heading === 'h2' && kicker(t, piece.category, urls)}
${pieceText(t, piece, { heading, standfirst }, meta)}
</div>
</article>
`
}

const mostRead = ({ t, now }: Drawing, pieces: readonly PieceListItem[]): Html =>
  html`<section class="block most-read" aria-labelledby="most-read">
<h2 class="label" id="most-read">${t('site.list.most_read')}</h2>
<ol>
${pieces.map(
  (piece) => html`<li>
${pieceText(t, piece, { heading: 'h3' }, metaLine(t, piece, recentDate(t, piece.date_published, now)))}
</li>
`,
)}</ol>
</section>`

/** A large piece beside a list, or a row, by turns. */
function sectionBlock(drawing: Drawing, { category, pieces }: FrontPage['sections'][number], at: number): Html {
  const { t, urls } = drawing
  const [first, ...others] = pieces
  const isRow = at % 2 === 1
  return html`<section class="block${at % 4 === 2 && ' mirrored'}" aria-labelledby="section-${category}">
<h2 class="label" id="section-${category}"><a href="${urls.category(category)}">${categoryLabel(t, category)}</a></h2>
<div class="${isRow ? 'row' : 'pair'}">
${isRow ? pieces.map((piece) => card(drawing, piece, 'small', 'h3')) : html`${first && card(drawing, first, 'large', 'h3')}<div>\n${others.map((piece) => card(drawing, piece, 'line', 'h3'))}</div>`}
</div>
</section>
`
}

const newWriters = ({ t, urls }: Drawing, writers: readonly AuthorHit[]): Html =>
  html`<section class="block new-writers" aria-labelledby="new-writers">
<h2 class="label" id="new-writers">${t('site.front.new_writers')}</h2>
<ul>
${writers.map(
  ({ name, role, niche, avatar_url, identity_verified, urls: own }) => html`<li>
${portraitOrInitial(avatar_url, name, 64, urls)}
<div>
<h3 class="title"><a href="${own.profile}"><bdi>${name}</bdi></a>${identity_verified && tick(t)}</h3>
${(role ?? niche) && html`<p class="meta" dir="auto">${role ?? niche}</p>`}
</div>
</li>
`,
)}</ul>
</section>`
