import type { Token } from 'markdown-it'

/** Where in the source a block stands, in words for its writer: "the table that begins at line 120". */
const place = (kind: string, line: number): string =>
  kind === 'footnotes' ? `the footnotes, the first at line ${line}` : `the ${kind} that begins at line ${line}`

const kinds: Readonly<Record<string, string>> = {
  blockquote_open: 'quote',
  bullet_list_open: 'list',
  code_block: 'code block',
  fence: 'code block',
  footnotes_open: 'footnotes',
  heading_open: 'heading',
  ordered_list_open: 'list',
  paragraph_open: 'paragraph',
  table_open: 'table',
}

/** By the tokens of one block; notes stand together, wherever they were written. */
export function placeOf(block: readonly Token[]): string {
  const lines = block.flatMap(({ map }) => (map ? [map[0]] : []))
  const first = lines.reduce((least, line) => Math.min(least, line), Number.POSITIVE_INFINITY)
  return place(kinds[block[0]?.type ?? ''] ?? 'block', Number.isFinite(first) ? first + 1 : 1)
}

const fenceMark = /^ {0,3}(`{3,}|~{3,})/

/** The longest block of a source, by its lines alone: for a text that could not be parsed in time. */
export function longestPlace(source: string): string {
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
  return place(longest.kind || 'block', longest.line)
}

function kindOf(line: string): string {
  const text = line.trimStart()
  if (fenceMark.test(line)) return 'code block'
  if (text.startsWith('>')) return 'quote'
  if (/^#{1,6}\s/.test(text)) return 'heading'
  if (/^([-+*]|\d{1,9}[.)])\s/.test(text)) return 'list'
  return text.startsWith('|') ? 'table' : text && 'paragraph'
}
