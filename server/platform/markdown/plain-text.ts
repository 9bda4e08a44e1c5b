import type { Token } from 'markdown-it'
import { isDone, mentionOf, noteOf } from './footnotes-tasks.ts'

/** Lists, tables and footnotes: their parts are separated by single line breaks. */
const group = /^(bullet_list|ordered_list|table|footnotes)_(open|close)$/

export interface PlainTextOptions {
  /** Whether descriptions and captions of images are part of it. */
  readonly images?: boolean
  /** Characters after which no block is begun. */
  readonly most?: number
}

/**
 * The text without markup. Blocks are separated by an empty line; list items, table rows and footnotes by a line break;
 * cells by a tab.
 */
export function plainText(
  tokens: readonly Token[],
  { images = true, most = Number.POSITIVE_INFINITY }: PlainTextOptions = {},
): string {
  let text = ''
  let gap = '\n\n'
  let lead = ''
  let depth = 0
  let row: string[] | undefined
  let isFigure = false
  const add = (block: string) => {
    if (!block) return
    text += (text && gap) + lead + block
    lead = ''
    gap = depth > 0 ? '\n' : '\n\n'
  }
  for (const token of tokens) {
    if (text.length >= most) break
    if (token.tag === 'figure') isFigure = token.nesting === 1
    else if (group.test(token.type)) {
      depth += token.nesting
      if (depth === (token.nesting === 1 ? 1 : 0)) gap = '\n\n'
    } else if (token.type === 'footnote_open') lead = `[${noteOf(token).number}] `
    else if (token.type === 'tr_open') row = []
    else if (token.type === 'tr_close') {
      add(row?.join('\t').trimEnd() ?? '')
      row = undefined
    } else if (token.type === 'inline') {
      const inline = isFigure && !images ? '' : inlineText(token.children ?? [], { images })
      if (row) row.push(inline)
      else add(inline)
    } else if (token.type === 'fence' || token.type === 'code_block') add(token.content.replace(/\n$/, ''))
  }
  return text
}

/** Heading ids omit the `[x]` and `[1]` of tasks and footnotes. */
export function inlineText(tokens: readonly Token[], { marks = true, images = true } = {}): string {
  let text = ''
  for (const token of tokens) {
    if (token.type === 'text' || token.type === 'code_inline' || token.type === 'text_special') text += token.content
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n'
    else if (token.type === 'image') text += images ? inlineText(token.children ?? [], { marks }) : ''
    else if (!marks) continue
    else if (token.type === 'task_open') text += isDone(token) ? '[x] ' : '[ ] '
    else if (token.type === 'footnote_mark') {
      const { label, number } = mentionOf(token)
      text += number ? `[${number}]` : `[^${label}]`
    }
  }
  return text
}
