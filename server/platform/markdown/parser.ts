import MarkdownIt, { type RendererRule, type StateBlock } from 'markdown-it'
import { anchors } from './anchors.ts'
import { cleaning } from './cleaning.ts'
import { type Allowance, codeBlock } from './code.ts'
import { footnotes } from './footnotes.ts'
import { blocksOf, mostTokens, tooLarge } from './limits.ts'
import { ownPicture, type Pictures } from './pictures.ts'
import { inlineText } from './plain-text.ts'
import { tasks } from './tasks.ts'

/** How deep quotes, lists and marks may stand in each other. What is deeper is text. */
const maxNesting = 50

/** CommonMark with tables and strikethrough, and without raw HTML: what a writer types is text or Markdown, never tags. */
export const markdown = new MarkdownIt('commonmark', { html: false, linkify: false, typographer: false, maxNesting })
  .enable(['table', 'strikethrough'])
  .use(cleaning)
  .use(tasks)
  .use(footnotes)
  .use(anchors)

markdown.validateLink = (address) =>
  /^(https?:\/\/|mailto:|#)/i.test(address.trim()) || ownPicture(address) !== undefined
markdown.block.ruler.before('table', 'too_deep', tooDeep)
markdown.block.ruler.before('too_deep', 'too_many', tooMany)

/** Each table may fill up 65,536 missing cells, and a text can hold sixty such tables. */
function tooMany(state: StateBlock): boolean {
  if (state.tokens.length > mostTokens) {
    throw tooLarge(blocksOf(state.tokens).map((block) => ({ block, length: block.length })))
  }
  return false
}

/** markdown-it leaves out what stands deeper than `maxNesting`; here no word is lost. */
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

/** markdown-it aligns by `style`, which no page of ours allows; `align` is how GFM writes it. */
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
    tokens[index]!.attrSet('rel', 'ugc nofollow noopener noreferrer')
    return renderer.renderToken(tokens, index, options)
  },

  /** Over https, or one of the writer's own, whose size is known; another picture is its own description. */
  image: (tokens, index, _options, env) => {
    const image = tokens[index]!
    const alt = escapeHtml(inlineText(image.children ?? []))
    const source = String(image.attrGet('src'))
    const hash = ownPicture(source)
    const size = hash === undefined ? undefined : (env!['pictures'] as Pictures)[hash]
    if (!size && !/^https:\/\//i.test(source)) return alt
    const title = image.attrGet('title')
    const titled = title === null ? '' : ` title="${escapeHtml(String(title))}"`
    const sized = size ? ` width="${size[0]}" height="${size[1]}"` : ''
    return `<img src="${escapeHtml(source)}" alt="${alt}"${titled}${sized} loading="lazy" decoding="async" />`
  },

  fence: (tokens, index, _options, env) => {
    const { info, content } = tokens[index]!
    return codeBlock(info, content, env!['allowance'] as Allowance)
  },
} satisfies Record<string, RendererRule>)
