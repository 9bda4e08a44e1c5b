import type { Token } from 'markdown-it'
import { message } from '#messages/message.ts'
import { ServiceError } from '../errors.ts'

/** Bytes of HTML. */
export const mostHtml = 1_048_576

/**
 * No text of 100,000 characters has more, except with tables whose rows are filled up, and then it is too much HTML
 * too.
 */
export const mostTokens = 320_000

/** One top-level block, and its size. */
export interface Part {
  readonly block: readonly Token[]
  readonly length: number
}

export function tooLarge(parts: readonly Part[], bytes?: number): ServiceError {
  const { block } = parts.reduce((most, part) => (part.length > most.length ? part : most))
  const detail = message('error.render_too_large', locationOf(block))
  const problem = {
    pointer: '/body_md',
    code: 'render_too_large',
    detail: 'becomes more than 1 MiB of HTML',
    limit: mostHtml,
  }
  return new ServiceError(422, 'render_too_large', detail, {
    errors: [bytes === undefined ? problem : { ...problem, actual: bytes }],
  })
}

export function blocksOf(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = []
  let block: Token[] = []
  let depth = 0
  for (const token of tokens) {
    block.push(token)
    depth += token.nesting
    if (depth > 0) continue
    blocks.push(block)
    block = []
  }
  return blocks
}

/** Total length of URLs and titles: a text can define one of 50,000 characters and use it 15,000 times. */
export function sharedLength(block: readonly Token[]): number {
  let length = 0
  for (const { children } of block) {
    for (const { attrs } of children ?? []) for (const [, value] of attrs ?? []) length += String(value).length
  }
  return length
}

/** Where a block begins in the source. */
export interface BlockLocation {
  readonly kind: string
  readonly line: number
}

const kinds: Readonly<Record<string, string>> = {
  blockquote_open: 'quote',
  bullet_list_open: 'list',
  code_block: 'code',
  fence: 'code',
  figure_open: 'paragraph',
  footnotes_open: 'footnotes',
  heading_open: 'heading',
  ordered_list_open: 'list',
  paragraph_open: 'paragraph',
  table_open: 'table',
}

/** From the tokens of one block; footnotes are grouped, wherever they were written. */
function locationOf(block: readonly Token[]): BlockLocation {
  const lines = block.flatMap(({ map }) => (map ? [map[0]] : []))
  const first = lines.reduce((least, line) => Math.min(least, line), Number.POSITIVE_INFINITY)
  return { kind: kinds[block[0]?.type ?? ''] ?? 'block', line: Number.isFinite(first) ? first + 1 : 1 }
}

const fenceMark = /^ {0,3}(`{3,}|~{3,})/

/** The longest block of a source by its lines alone: for a text that could not be parsed in time. */
export function longestBlockLocation(source: string): BlockLocation {
  let longest = { line: 1, length: -1, kind: 'block' }
  let block = { line: 1, length: 0, kind: '' }
  let fence = ''
  const end = (next: number) => {
    if (block.length > longest.length) longest = block
    block = { line: next, length: 0, kind: '' }
  }
  for (const [index, line] of source.split(/\r\n?|\n/).entries()) {
    const mark = fenceMark.exec(line)?.[1]
    if (!fence && (line.trim() === '' || (mark && block.length > 0))) end(index + (mark ? 1 : 2))
    block.kind ||= kindOf(line)
    block.length += line.length
    if (mark && !fence) fence = mark
    else if (mark && fence && mark.startsWith(fence)) {
      fence = ''
      end(index + 2)
    }
  }
  end(0)
  return { kind: longest.kind || 'block', line: longest.line }
}

function kindOf(line: string): string {
  const text = line.trimStart()
  if (fenceMark.test(line)) return 'code'
  if (text.startsWith('>')) return 'quote'
  if (/^#{1,6}\s/.test(text)) return 'heading'
  if (/^([-+*]|\d{1,9}[.)])\s/.test(text)) return 'list'
  return text.startsWith('|') ? 'table' : text && 'paragraph'
}
