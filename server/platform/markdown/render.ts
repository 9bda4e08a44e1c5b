import MarkdownIt, { type RendererRule, type StateBlock, type Token } from 'markdown-it'
import { normalise } from '../text/normalise.ts'
import { addresses } from './addresses.ts'
import { anchors } from './anchors.ts'
import { cleaning } from './cleanup.ts'
import { codeBlock, type HighlightBudget, newHighlightBudget } from './code.ts'
import { figures } from './figures.ts'
import { footnotes, tasks } from './footnotes-tasks.ts'
import { blocksOf, mostHtml, mostTokens, type Part, sharedLength, tooLarge } from './limits.ts'
import { ownPicture, type Pictures } from './pictures.ts'
import { inlineText, plainText } from './plain-text.ts'
import { sanitise } from './sanitise.ts'

export interface Rendered {
  readonly html: string
  readonly text: string
  /** The beginning of the text, without images. */
  readonly excerpt: string
}

/**
 * Renders Markdown to sanitised HTML and to plain text. Called when text is published, never when it is read. Throws if
 * there is too much HTML, naming the largest block.
 */
export function renderMarkdown(source: string, pictures: Pictures = {}): Rendered {
  const tokens = markdown.parse(normalise(source), {})
  const parts = renderBlocks(tokens, pictures)
  const written = parts.map(({ html }) => html).join('')
  // Sanitising takes longest, and shortens only `&quot;`: most excess is detected before it.
  const least = Buffer.byteLength(written) - 5 * (written.split('&quot;').length - 1)
  if (least > mostHtml) throw tooLarge(parts, least)
  const html = sanitise(written)
  const bytes = Buffer.byteLength(html)
  if (bytes > mostHtml) throw tooLarge(parts, bytes)
  return {
    html,
    text: normalise(plainText(tokens)),
    excerpt: normalise(plainText(tokens, { images: false, most: longestExcerpt })),
  }
}

const longestExcerpt = 1_000

function renderBlocks(tokens: readonly Token[], pictures: Pictures): (Part & { html: string })[] {
  const env = { budget: newHighlightBudget(), pictures }
  const parts: (Part & { html: string })[] = []
  let length = 0
  for (const block of blocksOf(tokens)) {
    const shared = sharedLength(block)
    length += shared
    if (length > mostHtml) throw tooLarge([...parts, { block, length: shared }])
    const html = markdown.renderer.render(block, markdown.options, env)
    parts.push({ block, html, length: html.length })
  }
  return parts
}

/** Nesting limit of quotes, lists and marks. Deeper content is text. */
const maxNesting = 50

/** CommonMark with tables, strikethrough and bare addresses, without raw HTML. */
export const markdown = new MarkdownIt('commonmark', { html: false, linkify: true, typographer: false, maxNesting })
  .enable(['table', 'strikethrough', 'linkify'])
  .use(addresses)
  .use(figures)
  .use(cleaning)
  .use(tasks)
  .use(footnotes)
  .use(anchors)

markdown.validateLink = (address) =>
  /^(https?:\/\/|mailto:|#)/i.test(address.trim()) || ownPicture(address) !== undefined
markdown.block.ruler.before('table', 'too_deep', tooDeep)
markdown.block.ruler.before('too_deep', 'too_many', tooMany)

/** Each table may fill up 65,536 missing cells, and a text can contain sixty such tables. */
function tooMany(state: StateBlock): boolean {
  if (state.tokens.length > mostTokens) {
    throw tooLarge(blocksOf(state.tokens).map((block) => ({ block, length: block.length })))
  }
  return false
}

/** markdown-it drops what is nested deeper than `maxNesting`; here it becomes text. */
function tooDeep(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  // A list takes two levels.
  if (silent || state.level < maxNesting - 2) return false
  let line = startLine + 1
  while (line < endLine && (state.isEmpty(line) || state.sCount[line]! >= state.blkIndent)) line++
  state.push('paragraph_open', 'p', 1).map = [startLine, line]
  const inline = state.push('inline', '', 0)
  inline.content = state.getLines(startLine, line, state.blkIndent, false).trim()
  inline.map = [startLine, line]
  inline.children = []
  state.push('paragraph_close', 'p', -1)
  state.line = line
  return true
}

const { renderer } = markdown
const { escapeHtml } = markdown.utils

const retagged =
  (name: string): RendererRule =>
  (tokens, index, options) => {
    tokens[index]!.tag = name
    return renderer.renderToken(tokens, index, options)
  }

/** markdown-it aligns with `style`, which our pages forbid; `align` is GFM's form. */
const cell: RendererRule = (tokens, index, options) => {
  const token = tokens[index]!
  const aligned = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style')))
  token.attrs = aligned ? [['align', aligned[1]!]] : null
  return renderer.renderToken(tokens, index, options)
}

Object.assign(renderer.rules, {
  s_open: retagged('del'),
  s_close: retagged('del'),
  th_open: cell,
  td_open: cell,

  link_open: (tokens, index, options) => {
    const link = tokens[index]!
    const hash = ownPicture(String(link.attrGet('href')))
    if (hash !== undefined) link.attrSet('href', `/media/${hash}`)
    link.attrSet('rel', 'ugc nofollow noopener noreferrer')
    return renderer.renderToken(tokens, index, options)
  },

  /** Only https images, or uploaded ones, whose size is known; others are replaced by their description. */
  image: (tokens, index, _options, env) => {
    const image = tokens[index]!
    const alt = escapeHtml(inlineText(image.children ?? []))
    const written = String(image.attrGet('src'))
    const hash = ownPicture(written)
    const source = hash === undefined ? written : `/media/${hash}`
    const size = hash === undefined ? undefined : (env!['pictures'] as Pictures)[hash]
    if (!size && !/^https:\/\//i.test(source)) return alt
    const title = image.attrGet('title')
    const titled = title === null ? '' : ` title="${escapeHtml(String(title))}"`
    const sized = size ? ` width="${size[0]}" height="${size[1]}"` : ''
    return `<img src="${escapeHtml(source)}" alt="${alt}"${titled}${sized} loading="lazy" decoding="async" />`
  },

  fence: (tokens, index, _options, env) => {
    const { info, content } = tokens[index]!
    return codeBlock(info, content, env!['budget'] as HighlightBudget)
  },
} satisfies Record<string, RendererRule>)
