import { below, columnWidth, mono, styles } from '#features/emails/frame.ts'
import type { Translator } from '#messages/translator.ts'
import { type Html, html } from '#platform/html.ts'
import { type Element, hasClass, htmlTree, isElement, type Node, textOf } from '#platform/markdown/html-tree.ts'

/** A part of an email, in both forms. */
export interface Part {
  readonly html: Html
  readonly text: string
}

/** What the text of a piece is drawn in. */
export interface TextFrame {
  /** In the language of the piece. */
  readonly t: Translator
  readonly dir: 'ltr' | 'rtl'
  /** Where this site's pictures are: others are not loaded, since their servers would see who reads. */
  readonly media: string
  /** Within a quotation. */
  readonly isQuoted?: boolean
}

/** The blocks of a text as it is stored, whose addresses are absolute. */
export const blocksIn = (markup: string): readonly Element[] => htmlTree(markup).filter(isElement)

/** One block, drawn from its tree: nothing of the stored markup passes but names, text and addresses. */
export const blockAsHtml = (block: Element, frame: TextFrame): Html => draw(block, frame)

const drawAll = (nodes: readonly Node[], frame: TextFrame): readonly (Html | string)[] =>
  nodes.map((node) => (isElement(node) ? draw(node, frame) : node))

function draw(one: Element, frame: TextFrame): Html {
  const { tag, attributes, children } = one
  if (tag === 'img') return picture(attributes, frame)
  if (tag === 'input') return html`${box(one)}`
  if (tag === 'br') return html`<br>`
  if (tag === 'hr') return html`<p style="${styles.prose(below)};text-align:center">* * *</p>`
  // It leads to a place in the text, and the numbers before the notes do that on the site.
  if (hasClass(one, 'footnote-backref')) return html``
  const inner =
    tag === 'pre' ? textOf(children) : drawAll(children, tag === 'blockquote' ? { ...frame, isQuoted: true } : frame)
  if (tag === 'a') return link(attributes['href'], inner)
  const name = names[tag]
  if (name === undefined) return html`${inner}`
  const start = attributes['start'] && html` start="${attributes['start']}"`
  const style = styleOf(one, frame)
  const drawn = html`<${name}${classes[tag] && html` class="${classes[tag]}"`}${start}${style && html` style="${style}"`}>${inner}</${name}>`
  return tag === 'table' ? scrolling(drawn, frame) : drawn
}

/** The element that is drawn for each; of others, only what they contain. */
const names: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'p h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code table thead tbody tr th td em strong del sup'
      .split(' ')
      .map((tag) => [tag, tag]),
  ),
  figure: 'div',
  figcaption: 'p',
  section: 'div',
}

/** For the colours of the dark. */
const classes: Readonly<Record<string, string>> = { figcaption: 'soft', section: 'line' }

function styleOf(one: Element, { dir, isQuoted }: TextFrame): string | undefined {
  const own = textStyles[dir][/^h[456]$/.test(one.tag) ? 'h4' : one.tag]
  if (isQuoted && one.tag === 'p') return `${own};font-style:italic`
  const { align } = one.attributes
  if (align) return `${own};text-align:${align}`
  return hasClass(one, 'task-list-item') ? `${own};list-style:none` : own
}

const stylesOf = (start: 'left' | 'right'): Readonly<Record<string, string>> => {
  const list = `margin:0 0 18px;padding:0;padding-${start}:26px`
  const cell = `padding:8px 10px;border-bottom:1px solid ${styles.rule};text-align:${start};vertical-align:top;${styles.cell}`
  return {
    p: styles.prose(below),
    h1: styles.heading(28, below),
    h2: styles.heading(26, '36px 0 14px'),
    h3: styles.heading(22, '30px 0 12px'),
    h4: styles.heading(18, '26px 0 10px'),
    ul: list,
    ol: list,
    li: `${styles.prose('0 0 6px')};overflow:visible`,
    blockquote: `margin:0 0 18px;padding:0;padding-${start}:18px;border-${start}:3px solid ${styles.edge}`,
    pre: `${styles.prose(below)};padding:14px 16px;font:14px/1.5 ${mono};${styles.wash};white-space:pre-wrap;direction:ltr;text-align:left`,
    code: `font-family:${mono};font-size:15px;${styles.wash}`,
    // A word is not broken to fit: the table scrolls.
    table: 'width:100%;border-collapse:collapse;overflow-wrap:break-word',
    th: `${cell};font-weight:bold`,
    td: cell,
    sup: 'font-size:13px;line-height:0',
    figure: 'margin:0 0 24px',
    figcaption: styles.soft('8px 0 0'),
    section: `margin:36px 0 0;padding:18px 0 0;border-top:1px solid ${styles.rule}`,
  }
}

const textStyles = { ltr: stylesOf('left'), rtl: stylesOf('right') }

const scrolling = (table: Html, { t }: TextFrame): Html =>
  html`<div role="group" aria-label="${t('site.piece.table')}" tabindex="0" style="margin:0 0 24px;overflow-x:auto">${table}</div>`

const link = (address: string | undefined, words: string | readonly (Html | string)[]): Html =>
  address === undefined ? html`${words}` : html`<a href="${address}" style="${styles.link}">${words}</a>`

/** A checkbox. */
export const box = ({ attributes }: Element): string => (attributes['checked'] === undefined ? '☐' : '☑')

function picture({ src = '', alt = '', width, height }: Element['attributes'], frame: TextFrame): Html {
  if (!src.startsWith(frame.media)) return link(src, pictureInWords(src, alt, frame))
  return ownPicture({ url: src, alt, width: Number(width), height: Number(height) })
}

/** A picture of another site is a link. */
export const pictureInWords = (src: string, alt: string, { t }: TextFrame): string =>
  t('email.follow.picture', { alt: alt || (URL.parse(src)?.host ?? '') })

interface OwnPicture {
  readonly url: string
  readonly alt: string
  readonly width: number
  readonly height: number
}

/** Twice as wide as the column, for screens with two pixels each way. */
const widest = 1280

/** Outlook goes by the attributes, others by the style. */
export function ownPicture({ url, alt, width, height }: OwnPicture): Html {
  const source = width > widest ? `${url}/${widest}.webp` : url
  const shown = Math.min(width || columnWidth, columnWidth)
  const size = width > 0 && height > 0 && html` width="${shown}" height="${Math.round((height / width) * shown)}"`
  return html`<img src="${source}" alt="${alt}"${size} style="display:block;max-width:100%;height:auto;border:0">`
}
