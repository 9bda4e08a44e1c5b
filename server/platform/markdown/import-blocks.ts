import { type Element, hasClass, isElement, type Node, textOf } from './html-tree.ts'
import { type Finding, foreignInline } from './import-inline.ts'

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const wrappers = new Set(
  'div section article header footer main aside nav address center figure picture details dl'.split(' '),
)
const players = new Set(['iframe', 'video', 'audio', 'embed', 'object'])
const asked = new Set(['form', 'button', 'input', 'select'])
const blocks = new Set([
  ...[...headings, ...wrappers, ...players, ...asked],
  ...'p ul ol li blockquote pre hr table figcaption summary dt dd caption'.split(' '),
])

/** Any tree as one of the blocks that our own pipeline writes: words that stand about are paragraphs. */
export function foreignBlocks(nodes: readonly Node[], finding: Finding): Node[] {
  const notes: Element[] = []
  const found = flow(nodes, finding, notes)
  if (notes.length > 0) found.push(element('section', [element('ol', notes)]))
  return found
}

const element = (tag: string, children: Node[], attributes: Record<string, string> = {}): Element => ({
  tag,
  attributes,
  children,
})

function flow(nodes: readonly Node[], finding: Finding, notes: Element[]): Node[] {
  const found: Node[] = []
  let words: Node[] = []
  const paragraph = (): void => {
    const inline = foreignInline(words, finding)
    if (inline.length > 0) found.push(element('p', inline))
    words = []
  }
  for (const node of nodes) {
    if (isElement(node) && finding.without.some((name) => hasClass(node, name))) continue
    // Two line breaks are what some programs write for a paragraph.
    if (
      isTag(node, 'br') &&
      isTag(
        words.findLast((one) => isElement(one) || one.trim() !== ''),
        'br',
      )
    )
      paragraph()
    else if (!isElement(node) || !holdsBlock(node)) words.push(node)
    else {
      paragraph()
      found.push(...block(node, finding, notes))
    }
  }
  paragraph()
  return found
}

/** A link or a mark around blocks gives way to them. */
const holdsBlock = (node: Element): boolean =>
  blocks.has(node.tag) || (node.tag !== 'a' && node.children.some((child) => isElement(child) && holdsBlock(child)))

function block(node: Element, finding: Finding, notes: Element[]): Node[] {
  const { tag, children } = node
  const inner = () => flow(children, finding, notes)
  if (hasClass(node, 'footnote')) return note(node, finding, notes)
  if (players.has(tag)) return player(node, finding)
  if (asked.has(tag)) {
    finding.lost.add('a form or button')
    return tag === 'form' ? inner() : []
  }
  if (tag === 'hr') return [element('hr', [])]
  if (tag === 'pre') return [code(node)]
  if (tag === 'table') return [...flow(strayIn(node), finding, notes), ...table(node, finding)]
  if (tag === 'ul' || tag === 'ol') return list(node, finding, notes)
  if (tag === 'blockquote') return wrapped('blockquote', inner())
  if (headings.includes(tag)) return wrapped(tag, foreignInline(children, finding))
  if (tag === 'figcaption' || tag === 'caption') return wrapped('p', marked('em', foreignInline(children, finding)))
  if (tag === 'summary' || tag === 'dt') return wrapped('p', marked('strong', foreignInline(children, finding)))
  return inner()
}

const wrapped = (tag: string, children: Node[]): Node[] => (children.length > 0 ? [element(tag, children)] : [])
const marked = (tag: string, children: Node[]): Node[] => (children.length > 0 ? [element(tag, children)] : [])

/** A player is a link to what it plays. */
function player({ attributes, children }: Element, finding: Finding): Node[] {
  const sources = children.filter(isElement).map((child) => child.attributes['src'])
  const address = [attributes['src'], attributes['data'], ...sources].find((one) => one !== undefined && one !== '')
  if (address === undefined) {
    finding.lost.add('a player without an address')
    return []
  }
  const href = URL.parse(address.replace(/^\/\//, 'https://'), finding.base)?.href ?? address
  finding.embeds.add(href)
  return [element('p', [element('a', [href], { href })])]
}

function code({ attributes, children }: Element): Element {
  const [inner] = children.filter(isElement)
  const language = /\blang(?:uage)?-([\w+#.-]{1,40})/.exec(
    `${inner?.attributes['class'] ?? ''} ${attributes['class'] ?? ''}`,
  )
  return element('pre', [element('code', [linesOf(children)], language ? { class: `language-${language[1]}` } : {})])
}

const linesOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (isElement(node) ? (node.tag === 'br' ? '\n' : linesOf(node.children)) : node)).join('')

/** Items that are a line, and perhaps a list under it, stand close together. */
function list({ tag, attributes, children }: Element, finding: Finding, notes: Element[]): Node[] {
  const items: Node[][] = []
  for (const child of children) {
    const isItem = isTag(child, 'li')
    const content = flow(isItem ? (child as Element).children : [child], finding, notes)
    const last = items.at(-1)
    if (!isItem && last) last.push(...content)
    else if (content.length > 0) items.push(content)
  }
  const isTight = items.every(([first, ...rest]) => isTag(first, 'p') && rest.every((one) => isTag(one, 'ul', 'ol')))
  const written = items.map((content) => {
    const [first, ...rest] = content
    return element('li', isTight && isElement(first) ? [...first.children, ...rest] : content)
  })
  const { start = '' } = attributes
  return written.length > 0 ? [element(tag, written, /^\d{1,9}$/.test(start) ? { start } : {})] : []
}

const isTag = (node: Node | undefined, ...tags: string[]): boolean => isElement(node) && tags.includes(node.tag)

/** Every row as wide as the widest, the first as its head: Markdown knows no other. */
function table(node: Element, finding: Finding): Node[] {
  const rows = rowsIn(node).map((row) => row.children.filter((cell) => isTag(cell, 'td', 'th')) as Element[])
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0) return []
  const cells = (row: readonly Element[], tag: string): Element =>
    element(
      'tr',
      Array.from({ length: width }, (_, at) => element(tag, foreignInline(row[at]?.children ?? [], finding))),
    )
  const [head = [], ...rest] = rows
  return [
    element('table', [
      element('thead', [cells(head, 'th')]),
      element(
        'tbody',
        rest.map((row) => cells(row, 'td')),
      ),
    ]),
  ]
}

/** Captions, and words that a broken table has between its cells. */
const strayIn = ({ tag, children }: Element): Node[] =>
  children.flatMap((child) => {
    if (tag === 'tr' && isTag(child, 'td', 'th')) return []
    return isTag(child, 'thead', 'tbody', 'tfoot', 'tr') ? strayIn(child as Element) : [child]
  })

const rowsIn = ({ children }: Element): Element[] =>
  children.filter(isElement).flatMap((child) => {
    if (child.tag === 'tr') return [child]
    return isTag(child, 'thead', 'tbody', 'tfoot') ? rowsIn(child) : []
  })

/** `<div class="footnote">` with its number and its words. */
function note({ children }: Element, finding: Finding, notes: Element[]): Node[] {
  const [number, ...rest] = children.filter(isElement)
  const name = textOf(number?.children ?? []).trim()
  notes.push(element('li', flow(rest, finding, []), { id: `fn-${name}` }))
  return []
}
