import { type Element, hasClass, htmlTree, isElement, type Node, textOf } from './html-tree.ts'
import { inlineMarkdown } from './to-markdown-inline.ts'

/**
 * The HTML of a public piece as Markdown again: what renderMarkdown makes of it has the same words, and, but for
 * marks inside marks inside marks and single items set apart, the same HTML.
 */
export const toMarkdown = (html: string): string => treeAsMarkdown(htmlTree(html))

export function treeAsMarkdown(tree: readonly Node[]): string {
  const written = blocks(tree, { ids: new Set(headingIds(tree)), depth: 0, tight: false })
  return written === '' ? '' : `${written}\n`
}

interface Place {
  readonly ids: ReadonlySet<string>
  /** Of lists in lists. */
  readonly depth: number
  /** In a list whose items stand close together, no empty line sets blocks apart. */
  readonly tight: boolean
}

interface Block {
  readonly tag: string
  readonly text: string
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const blockTags = new Set([...headings, 'p', 'ul', 'ol', 'blockquote', 'pre', 'hr', 'table', 'section'])

function* headingIds(nodes: readonly Node[]): Generator<string> {
  for (const node of nodes) {
    if (!isElement(node)) continue
    if (headings.includes(node.tag)) yield node.attributes['id'] ?? ''
    else yield* headingIds(node.children)
  }
}

const isBlock = (node: Node): node is Element => isElement(node) && blockTags.has(node.tag)

/** Blocks, and the words that stand between them without a paragraph, as in the items of a close list. */
function segments(nodes: readonly Node[]): (Element | readonly Node[])[] {
  const found: (Element | Node[])[] = []
  for (const node of nodes) {
    const last = found.at(-1)
    if (isBlock(node)) found.push(node)
    else if (Array.isArray(last)) last.push(node)
    else found.push([node])
  }
  // A line break sets a block apart from what stands beside it.
  return found
    .map((one, at) => (Array.isArray(one) ? trimmed(one, at > 0, at < found.length - 1) : one))
    .filter((one) => !Array.isArray(one) || one.some((node) => node !== ''))
}

function trimmed(words: readonly Node[], afterBlock: boolean, beforeBlock: boolean): Node[] {
  const nodes = [...words]
  const trim = (at: number, edge: RegExp) => {
    const node = nodes[at]
    if (typeof node === 'string') nodes[at] = node.replace(edge, '')
  }
  if (afterBlock) trim(0, /^\n/)
  if (beforeBlock) trim(nodes.length - 1, /\n$/)
  return nodes
}

function blocks(nodes: readonly Node[], place: Place): string {
  const written: Block[] = []
  for (const segment of segments(nodes)) {
    written.push(
      isElementSegment(segment)
        ? { tag: segment.tag, text: block(segment, place, written.at(-1)) }
        : { tag: 'words', text: inlineMarkdown(segment, place.ids) },
    )
  }
  return written.map(({ tag, text }, at) => gap(written[at - 1]?.tag, tag, place) + text).join('')
}

const isElementSegment = (segment: Element | readonly Node[]): segment is Element => !Array.isArray(segment)

/** Words after a quote or a list would go on in it: an empty line of the quote, or of the page, keeps them apart. */
function gap(before: string | undefined, tag: string, { tight }: Place): string {
  if (before === undefined) return ''
  if (!tight) return '\n\n'
  if (tag === 'words' && before === 'blockquote') return '\n>\n'
  return tag === 'words' && (before === 'ul' || before === 'ol') ? '\n\n' : '\n'
}

function block(element: Element, place: Place, before: Block | undefined): string {
  const { tag, children } = element
  if (tag === 'p') return inlineMarkdown(children, place.ids) || '&#8203;'
  if (tag === 'ul' || tag === 'ol') return list(element, place, before)
  if (tag === 'blockquote') return indented(blocks(children, { ...place, tight: false }), '> ', '> ')
  if (tag === 'pre') return code(element)
  // In an item `---` could be its marker, and under a paragraph it would make a heading.
  if (tag === 'hr') return place.depth === 0 ? '---' : '___'
  if (tag === 'table') return table(element, place)
  if (tag === 'section') return notes(element, place)
  return heading(Number(tag.slice(1)), children, place)
}

function heading(level: number, children: readonly Node[], { ids }: Place): string {
  if (hasBreak(children)) {
    const lines = inlineMarkdown(children, ids)
    // Over `---` a line with `|` would be a table.
    return level === 1 ? `${lines}\n===` : `${lines.replace(/(\\\\)|\\?\|/g, (_, pair) => pair ?? '&#124;')}\n---`
  }
  const words = inlineMarkdown(children, ids, true).replace(/(?<=^|\s)#+$/, '\\$&')
  return `${'#'.repeat(level)} ${words}`.trimEnd()
}

const hasBreak = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => isElement(node) && (node.tag === 'br' || hasBreak(node.children)))

function code({ children }: Element): string {
  const [inner] = children.filter(isElement)
  const language = /(?:^| )language-(\S+)/.exec(inner?.attributes['class'] ?? '')?.[1] ?? ''
  // A fence that was never closed may have no line break at its end.
  const text = textOf(children).replace(/(?<=[^\n])$/, '\n')
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${fence}`
}

/** Lists side by side, and lists in lists, have other markers: else they would be one list, or a rule. */
function list({ tag, attributes, children }: Element, place: Place, before: Block | undefined): string {
  const items = children.filter(isElement)
  const tight = items.some((item) => !segments(item.children).every(isElementSegment))
  const first = place.depth % 2 === 0 ? '-' : '*'
  const second = first === '-' ? '*' : '-'
  const bullet = before?.tag === 'ul' && before.text.startsWith(first) ? second : first
  const point = before?.tag === 'ol' && /^\d+\./.test(before.text) ? ')' : '.'
  const start = Number(attributes['start'] ?? 1)
  const written = items.map((item, at) => {
    const marker = tag === 'ul' ? bullet : `${Math.min(start + at, 999_999_999)}${point}`
    const content = blocks(item.children, { ...place, depth: place.depth + 1, tight })
    // An empty item cannot follow words.
    const shown = content === '' && before?.tag === 'words' ? '&#8203;' : content
    return indented(shown, `${marker} `, ' '.repeat(marker.length + 1))
  })
  return written.join(tight ? '\n' : '\n\n')
}

function indented(text: string, first: string, rest: string): string {
  return text
    .split('\n')
    .map((line, at) => {
      const lead = at === 0 ? first : rest
      return line === '' ? lead.trimEnd() : lead + line
    })
    .join('\n')
}

const alignments: Readonly<Record<string, string>> = { left: ':--', center: ':-:', right: '--:' }

function table({ children }: Element, { ids }: Place): string {
  const rows = children
    .filter(isElement)
    .flatMap((part) => part.children.filter(isElement))
    .map((row) => row.children.filter(isElement))
  const [head = []] = rows
  const cell = (one: Element) => inlineMarkdown(one.children, ids, true).replace(/\|/g, '\\|')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const written = rows.map((row) => line(row.map(cell)))
  written.splice(1, 0, line(head.map(({ attributes }) => alignments[attributes['align'] ?? ''] ?? '---')))
  return written.join('\n')
}

function notes({ children }: Element, place: Place): string {
  const [list] = children.filter(isElement)
  const items = list?.children.filter(isElement) ?? []
  const written = items.map(({ attributes, children }) => {
    const content = withoutReturns(children.filter(isElement))
    const text = blocks(content, { ...place, depth: 1, tight: false })
    const name = `[^${attributes['id']?.slice('fn-'.length)}]:`
    const wordsFirst = content.find(isBlock)?.tag === 'p'
    return indented(wordsFirst ? text : `\n${text}`, wordsFirst ? `${name} ` : name, '    ').trimEnd()
  })
  return written.join('\n\n')
}

/** The ways back to the text are made anew. */
function withoutReturns(nodes: readonly Node[]): Node[] {
  const isReturn = (node: Node | undefined) => isElement(node) && hasClass(node, 'footnote-backref')
  return nodes.flatMap((node, at): Node[] => {
    if (isReturn(node)) return []
    if (!isElement(node)) return [isReturn(nodes[at + 1]) ? node.replace(/ $/, '') : node]
    return [{ ...node, children: withoutReturns(node.children) }]
  })
}
