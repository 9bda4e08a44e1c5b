import { type Element, element, hasClass, htmlTree, isElement, type Node, textOf } from './html-tree.ts'
import { inlineMarkdown, type MarkdownStyle } from './to-markdown-inline.ts'

/**
 * Converts published HTML back to Markdown: rendered again it has the same text and, except for marks nested three deep
 * and single loose items, the same HTML.
 */
export const toMarkdown = (html: string): string => treeAsMarkdown(htmlTree(html))

export function treeAsMarkdown(tree: readonly Node[], readable = false): string {
  const written = blocks(tree, { ids: new Set(headingIds(tree)), readable, depth: 0, tight: false })
  return written === '' ? '' : `${written}\n`
}

interface BlockContext extends MarkdownStyle {
  /** Nesting depth of lists. */
  readonly depth: number
  /** In a tight list no empty line separates blocks. */
  readonly tight: boolean
}

interface Block {
  readonly tag: string
  readonly text: string
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const blockTags = new Set([...headings, 'p', 'ul', 'ol', 'blockquote', 'pre', 'hr', 'table', 'section', 'figure'])

function* headingIds(nodes: readonly Node[]): Generator<string> {
  for (const node of nodes) {
    if (!isElement(node)) continue
    if (headings.includes(node.tag)) yield node.attributes['id'] ?? ''
    else yield* headingIds(node.children)
  }
}

const isBlock = (node: Node): node is Element => isElement(node) && blockTags.has(node.tag)

/** Blocks, and the text between them without a paragraph, as in the items of a tight list. */
function segments(nodes: readonly Node[]): (Element | readonly Node[])[] {
  const found: (Element | Node[])[] = []
  for (const node of nodes) {
    const last = found.at(-1)
    if (isBlock(node)) found.push(node)
    else if (Array.isArray(last)) last.push(node)
    else found.push([node])
  }
  // A line break separates a block from its neighbours.
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

function blocks(nodes: readonly Node[], context: BlockContext): string {
  const written: Block[] = []
  for (const segment of segments(nodes)) {
    written.push(
      isElementSegment(segment)
        ? { tag: segment.tag, text: block(segment, context, written.at(-1)) }
        : { tag: 'words', text: inlineMarkdown(segment, context) },
    )
  }
  return written.map(({ tag, text }, at) => gap(written[at - 1]?.tag, tag, context) + text).join('')
}

const isElementSegment = (segment: Element | readonly Node[]): segment is Element => !Array.isArray(segment)

/** Text after a quote or list would continue it: an empty line, of the quote or the page, separates them. */
function gap(before: string | undefined, tag: string, { tight }: BlockContext): string {
  if (before === undefined) return ''
  if (!tight) return '\n\n'
  if (tag === 'words' && before === 'blockquote') return '\n>\n'
  return tag === 'words' && (before === 'ul' || before === 'ol') ? '\n\n' : '\n'
}

function block(one: Element, context: BlockContext, before: Block | undefined): string {
  const { tag, children } = one
  if (tag === 'p') return inlineMarkdown(children, context) || '&#8203;'
  if (tag === 'ul' || tag === 'ol') return list(one, context, before)
  if (tag === 'blockquote') return indented(blocks(children, { ...context, tight: false }), '> ', '> ')
  if (tag === 'pre') return code(one)
  // In an item `---` could be its marker, and under a paragraph it would make a heading.
  if (tag === 'hr') return context.depth === 0 ? '---' : '___'
  if (tag === 'table') return table(one, context)
  if (tag === 'section') return notes(one, context)
  if (tag === 'figure') return figure(one, context)
  return heading(Number(tag.slice(1)), children, context)
}

/** Without its image, which may not be shown, what is left are paragraphs. */
function figure({ attributes, children }: Element, context: BlockContext): string {
  const image = children.find((node): node is Element => isElement(node) && node.tag === 'img')
  const caption = children.find((node): node is Element => isElement(node) && node.tag === 'figcaption')
  const words = caption?.children ?? []
  if (!image) {
    const rest = children.filter((node) => node !== caption && node !== '\n')
    return blocks(
      [rest, words].filter((nodes) => nodes.length > 0).map((nodes) => element('p', [...nodes])),
      { ...context, tight: false },
    )
  }
  const { src = '', alt = '' } = image.attributes
  const title = inlineMarkdown(words, context, true)
  const width = attributes['class']
  const address = width === undefined ? src : `${src}#${width}`
  return inlineMarkdown([element('img', [], { src: address, alt, ...(title ? { title } : {}) })], context)
}

function heading(level: number, children: readonly Node[], context: BlockContext): string {
  if (hasBreak(children)) {
    const lines = inlineMarkdown(children, context)
    // Above `---` a line with `|` would be a table.
    return level === 1 ? `${lines}\n===` : `${lines.replace(/(\\\\)|\\?\|/g, (_, pair) => pair ?? '&#124;')}\n---`
  }
  const words = inlineMarkdown(children, context, true).replace(/(?<=^|\s)#+$/, '\\$&')
  return `${'#'.repeat(level)} ${words}`.trimEnd()
}

const hasBreak = (nodes: readonly Node[]): boolean =>
  nodes.some((node) => isElement(node) && (node.tag === 'br' || hasBreak(node.children)))

function code({ children }: Element): string {
  const [inner] = children.filter(isElement)
  const language = /(?:^| )language-(\S+)/.exec(inner?.attributes['class'] ?? '')?.[1] ?? ''
  // An unclosed fence may have no line break at its end.
  const text = textOf(children).replace(/(?<=[^\n])$/, '\n')
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}${fence}`
}

/** Adjacent and nested lists alternate markers: otherwise they would be one list, or a rule. */
function list({ tag, attributes, children }: Element, context: BlockContext, before: Block | undefined): string {
  const items = children.filter(isElement)
  const tight = items.some((item) => !segments(item.children).every(isElementSegment))
  const first = context.readable || context.depth % 2 === 0 ? '-' : '*'
  const second = first === '-' ? '*' : '-'
  const bullet = before?.tag === 'ul' && before.text.startsWith(first) ? second : first
  const point = before?.tag === 'ol' && /^\d+\./.test(before.text) ? ')' : '.'
  const start = Number(attributes['start'] ?? 1)
  const written = items.map((item, at) => {
    const marker = tag === 'ul' ? bullet : `${Math.min(start + at, 999_999_999)}${point}`
    const content = blocks(item.children, { ...context, depth: context.depth + 1, tight })
    // An empty item cannot follow text.
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

function table({ children }: Element, context: BlockContext): string {
  const rows = children
    .filter(isElement)
    .flatMap((part) => part.children.filter(isElement))
    .map((row) => row.children.filter(isElement))
  const [head = []] = rows
  const cell = (one: Element) => inlineMarkdown(one.children, context, true).replace(/\|/g, '\\|')
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const written = rows.map((row) => line(row.map(cell)))
  const rule = ({ attributes }: Element) => alignments[attributes['align'] ?? ''] ?? '---'
  written.splice(1, 0, line(head.map((one) => (context.readable ? rule(one).replace(/-+/, '---') : rule(one)))))
  return written.join('\n')
}

function notes({ children }: Element, context: BlockContext): string {
  const [list] = children.filter(isElement)
  const items = list?.children.filter(isElement) ?? []
  const written = items.map(({ attributes, children }) => {
    const content = withoutReturns(children.filter(isElement))
    const text = blocks(content, { ...context, depth: 1, tight: false })
    const name = `[^${attributes['id']?.slice('fn-'.length)}]:`
    const wordsFirst = /^(?:p|figure)$/.test(content.find(isBlock)?.tag ?? '')
    return indented(wordsFirst ? text : `\n${text}`, wordsFirst ? `${name} ` : name, '    ').trimEnd()
  })
  return written.join('\n\n')
}

/** Backlinks are generated again. */
function withoutReturns(nodes: readonly Node[]): Node[] {
  const isReturn = (node: Node | undefined) => isElement(node) && hasClass(node, 'footnote-backref')
  return nodes.flatMap((node, at): Node[] => {
    if (isReturn(node)) return []
    if (!isElement(node)) return [isReturn(nodes[at + 1]) ? node.replace(/ $/, '') : node]
    return [{ ...node, children: withoutReturns(node.children) }]
  })
}
