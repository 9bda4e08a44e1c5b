import { type Message, message } from '#messages/message.ts'
import { type Element, element, hasClass, isElement, type Node, textOf } from './html-tree.ts'
import { treeAsMarkdown } from './to-markdown.ts'

/** Pure: the desk converts pasted HTML with it too. */

/** HTML of another program converted to Markdown, with a list of what was lost. */
export interface ConvertedHtml {
  readonly markdown: string
  /** Image URLs, which are kept. */
  readonly pictures: readonly string[]
  /** URLs of players and frames, which become links. */
  readonly embeds: readonly string[]
  /** The rest: forms, scripts. */
  readonly lost: readonly Message[]
}

export interface HtmlImportOptions {
  /** The base of relative URLs. */
  readonly base?: string | undefined
  /** Classes of elements to drop: subscribe buttons, section rules. */
  readonly without?: readonly string[]
  /** For people to edit. Addresses stay as they are. */
  readonly readable?: boolean
}

/** Converts any tree, parsed by a browser, `parseHtml` or `htmlTree`. */
export function convertTree(
  tree: readonly Node[],
  { base, without = [], readable = false }: HtmlImportOptions = {},
): ConvertedHtml {
  const [pictures, embeds, lost] = [new Set<string>(), new Set<string>(), new Map<string, Message>()]
  const absolute = (address: string): string | undefined =>
    readable ? address : URL.parse(address.replace(/^\/\//, 'https://'), base)?.href
  const blocks = importBlocks(tree, { absolute, without, readable, pictures, embeds, lost })
  const markdown = treeAsMarkdown(blocks, readable)
  return { markdown, pictures: [...pictures], embeds: [...embeds], lost: [...lost.values()] }
}

/** Options of a conversion, and what it collects. */
interface Conversion {
  readonly absolute: (address: string) => string | undefined
  readonly without: readonly string[]
  readonly readable: boolean
  readonly pictures: Set<string>
  readonly embeds: Set<string>
  /** Each once. */
  readonly lost: Map<string, Message>
}

const lose = ({ lost }: Conversion, what: Message): void => {
  lost.set(JSON.stringify(what), what)
}

const same: Readonly<Record<string, string>> = {
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em', cite: 'em', var: 'em' },
  ...{ s: 'del', strike: 'del', del: 'del', code: 'code', kbd: 'code', samp: 'code', tt: 'code' },
}

/** What they hold is no text. */
const unread = new Set(['script', 'style', 'head', 'title', 'textarea', 'option', 'noscript', 'template'])

/** Converts the inline content of a paragraph; white space is collapsed and trimmed. */
function importInline(nodes: readonly Node[], conversion: Conversion): Node[] {
  const content = trimmed(spaced(nodes.flatMap((node) => inline(node, conversion))))
  // For people to edit, an address stays as it is: it becomes a link when it is rendered.
  return conversion.readable ? content : content.flatMap(withLinks)
}

/** Without the punctuation after it. */
const bareAddress = /\b(https?:\/\/[^\s<>"“”„«»]{1,2000}(?<![.,;:!?)\]}'’…]))/i

/** Bare addresses become links, except in links and code. */
function withLinks(node: Node): Node[] {
  if (isElement(node)) {
    if (node.tag === 'a' || node.tag === 'code' || node.tag === 'img') return [node]
    return [{ ...node, children: node.children.flatMap(withLinks) }]
  }
  if (!node.includes('://')) return [node]
  return node
    .split(bareAddress)
    .map((part, at) => (at % 2 === 0 ? part : element('a', [part], { href: part })))
    .filter((part) => part !== '')
}

function inline(node: Node, conversion: Conversion): Node[] {
  if (!isElement(node)) return [node.replace(/[ \t\r\n\f]+/g, ' ')]
  const { tag, children } = node
  if (conversion.without.some((name) => hasClass(node, name))) return []
  const inner = () => spaced(children.flatMap((child) => inline(child, conversion)))
  if (tag === 'br') return [element('br', [])]
  if (tag === 'img') return picture(node, conversion)
  if (tag === 'svg' || tag === 'math') {
    lose(conversion, message('import.lost_drawing'))
    return []
  }
  if (unread.has(tag)) {
    if (tag === 'script') lose(conversion, message('import.lost_script'))
    return []
  }
  if (tag === 'a') return link(node, inner(), conversion)
  const mark = same[tag]
  if (mark === 'code') return set('code', [textOf(children).replace(/\s+/g, ' ')])
  if (mark !== undefined) return set(mark, inner())
  if (tag === 'sub' || tag === 'sup') lose(conversion, message('import.lost_raised'))
  if (tag === 'mark' || tag === 'u' || tag === 'ins') lose(conversion, message('import.lost_highlights'))
  return blocks.has(tag) ? [' ', ...inner(), ' '] : inner()
}

/** Moves spaces and a line break at the edges of a mark or link outside: Markdown would not parse it as a mark otherwise. */
function set(tag: string, children: Node[], attributes: Readonly<Record<string, string>> = {}): Node[] {
  const edge = (node: Node | undefined, space: RegExp): Node[] => {
    if (typeof node === 'string') return space.test(node) ? [' '] : []
    return node?.tag === 'br' ? [node] : []
  }
  const [before, after] = [edge(children[0], /^\s/), edge(children.at(-1), /\s$/)]
  const inner = trimmed(children)
  return inner.length > 0 ? [...before, element(tag, inner, attributes), ...after] : children
}

function picture({ attributes: { src = '', alt = '', title } }: Element, conversion: Conversion): Node[] {
  const address = src === '' ? undefined : conversion.absolute(src)
  if (address === undefined || !/^https?:/i.test(address)) {
    lose(
      conversion,
      src === ''
        ? message('import.lost_image_without_address')
        : message('import.lost_image', { address: src.slice(0, 100) }),
    )
    return alt === '' ? [] : [alt]
  }
  conversion.pictures.add(address)
  return [element('img', [], { src: address, alt, ...(title ? { title } : {}) })]
}

function link(node: Element, children: Node[], conversion: Conversion): Node[] {
  const { href, title } = node.attributes
  if (hasClass(node, 'footnote-anchor')) {
    return [element('sup', [textOf(node.children).trim()], { class: 'footnote-ref' })]
  }
  if (href === undefined || href === '') return children
  const address = href.startsWith('#') ? href : (conversion.absolute(href) ?? href)
  if (!/^(?:#|[a-z]+:)/i.test(address)) lose(conversion, message('import.lost_target', { address: href.slice(0, 100) }))
  return set('a', children, { href: address, ...(title ? { title } : {}) })
}

/** Collapses spaces across nodes, and drops those beside a line break. */
function spaced(nodes: readonly Node[]): Node[] {
  const found: Node[] = []
  for (const node of nodes) {
    const last = found.at(-1)
    if (typeof node === 'string' && typeof last === 'string') found[found.length - 1] = last + node
    else found.push(node)
  }
  return found
    .map((node, at) => {
      if (isElement(node)) return node
      const one = node.replace(/ {2,}/g, ' ')
      const ended = isTag(found[at + 1], 'br') ? one.trimEnd() : one
      return isTag(found[at - 1], 'br') ? ended.trimStart() : ended
    })
    .filter((node) => node !== '')
}

/** For headings and cells, which end with their line. */
const oneLine = (nodes: readonly Node[]): Node[] =>
  nodes.map((node) => {
    if (!isElement(node)) return node
    return node.tag === 'br' ? ' ' : { ...node, children: oneLine(node.children) }
  })

const isEmpty = (node: Node | undefined): boolean =>
  typeof node === 'string' ? node.trim() === '' : isElement(node) && node.tag === 'br'

function trimmed(nodes: readonly Node[]): Node[] {
  const found = [...nodes]
  while (found.length > 0 && isEmpty(found[0])) found.shift()
  while (found.length > 0 && isEmpty(found.at(-1))) found.pop()
  const [first, last] = [found[0], found.length - 1]
  if (typeof first === 'string') found[0] = first.trimStart()
  const end = found[last]
  if (typeof end === 'string') found[last] = end.trimEnd()
  return found
}

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const wrappers = new Set(
  'div section article header footer main aside nav address center figure picture details dialog dl fieldset hgroup'.split(
    ' ',
  ),
)
const players = new Set(['iframe', 'video', 'audio', 'embed', 'object'])
const asked = new Set(['form', 'button', 'input', 'select'])
export const blocks: ReadonlySet<string> = new Set([
  ...[...headings, ...wrappers, ...players, ...asked],
  ...'p ul ol li blockquote pre hr table figcaption summary dt dd caption'.split(' '),
])

/** Converts any tree into the blocks that our own pipeline writes: loose text becomes paragraphs. */
function importBlocks(nodes: readonly Node[], conversion: Conversion): Node[] {
  const notes: Element[] = []
  const found = flow(nodes, conversion, notes)
  if (notes.length > 0) found.push(element('section', [element('ol', notes)]))
  return found
}

function flow(nodes: readonly Node[], conversion: Conversion, notes: Element[]): Node[] {
  const found: Node[] = []
  let words: Node[] = []
  const paragraph = (): void => {
    const inline = importInline(words, conversion)
    if (inline.length > 0) found.push(element('p', inline))
    words = []
  }
  for (const node of nodes) {
    if (isElement(node) && conversion.without.some((name) => hasClass(node, name))) continue
    // Some programs write two line breaks for a paragraph.
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
      found.push(...block(node, conversion, notes))
    }
  }
  paragraph()
  return found
}

/** A link or mark around blocks is dropped. */
const holdsBlock = (node: Element): boolean =>
  blocks.has(node.tag) || (node.tag !== 'a' && node.children.some((child) => isElement(child) && holdsBlock(child)))

function block(node: Element, conversion: Conversion, notes: Element[]): Node[] {
  const { tag, children } = node
  const inner = () => flow(children, conversion, notes)
  if (hasClass(node, 'footnote')) return note(node, conversion, notes)
  if (players.has(tag)) return player(node, conversion)
  if (asked.has(tag)) {
    lose(conversion, message('import.lost_form'))
    return tag === 'form' ? inner() : []
  }
  if (tag === 'hr') return [element('hr', [])]
  if (tag === 'pre') return [code(node)]
  if (tag === 'table') return [...flow(strayIn(node), conversion, notes), ...table(node, conversion)]
  if (tag === 'ul' || tag === 'ol') return list(node, conversion, notes)
  if (tag === 'blockquote') return wrapped('blockquote', inner())
  if (headings.includes(tag)) return wrapped(tag, importInline(oneLine(children), conversion))
  if (tag === 'figure') return figure(node, conversion) ?? inner()
  if (tag === 'figcaption' || tag === 'caption') return wrapped('p', wrapped('em', importInline(children, conversion)))
  if (tag === 'summary' || tag === 'dt') return wrapped('p', wrapped('strong', importInline(children, conversion)))
  return inner()
}

/** Around the image of a figure. */
const frames = new Set(['a', 'div', 'span', 'p', 'picture', 'source', 'img'])
const frameOnly = (node: Node): boolean =>
  isElement(node) ? frames.has(node.tag) && node.children.every(frameOnly) : node.trim() === ''

/** By the classes of this site, Ghost, WordPress and Medium. */
const widths: Readonly<Record<string, readonly string[]>> = {
  wide: ['wide', 'kg-width-wide', 'alignwide', 'graf--layoutOutsetCenter'],
  full: ['full', 'kg-width-full', 'alignfull', 'graf--layoutFillWidth'],
}

const pictureFile = /\.(?:avif|gif|jpe?g|png|webp)(?:[?#]|$)/i

/** One image with a caption or a width. Another figure is a box like any other. */
function figure(node: Element, conversion: Conversion): Node[] | undefined {
  const caption = node.children.find((child): child is Element => isTag(child, 'figcaption'))
  const frame = node.children.filter((child) => child !== caption)
  if (!frame.every(frameOnly)) return undefined
  const [first, ...rest] = importInline(frame, conversion)
  // An image that leads to itself, larger, needs no link.
  const image =
    isTag(first, 'a') && pictureFile.test((first as Element).attributes['href'] ?? '')
      ? (first as Element).children[0]
      : first
  if (!isTag(image, 'img') || rest.length > 0) return undefined
  const words = importInline(oneLine(caption?.children ?? []), conversion)
  const width = Object.keys(widths).find((name) => widths[name]!.some((one) => hasClass(node, one)))
  if (words.length === 0 && width === undefined) return undefined
  return [element('figure', [image!, ...wrapped('figcaption', words)], width === undefined ? {} : { class: width })]
}

const wrapped = (tag: string, children: Node[]): Node[] => (children.length > 0 ? [element(tag, children)] : [])

/** A media player becomes a link to its source. */
function player({ attributes, children }: Element, conversion: Conversion): Node[] {
  const sources = children.filter(isElement).map((child) => child.attributes['src'])
  const address = [attributes['src'], attributes['data'], ...sources].find((one) => one !== undefined && one !== '')
  if (address === undefined) {
    lose(conversion, message('import.lost_embed'))
    return []
  }
  const href = conversion.absolute(address) ?? address
  conversion.embeds.add(href)
  return [element('p', [element('a', [href], { href })])]
}

function code({ attributes, children }: Element): Element {
  const [inner] = children.filter(isElement)
  // Medium names it in an attribute, others in a class.
  const named = attributes['data-code-block-lang'] ?? ''
  const language = /\b(?:lang|language|highlight-source)-([\w+#.-]{1,40})/.exec(
    `${inner?.attributes['class'] ?? ''} ${attributes['class'] ?? ''} lang-${named}`,
  )
  return element('pre', [element('code', [linesOf(children)], language ? { class: `language-${language[1]}` } : {})])
}

const linesOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (isElement(node) ? (node.tag === 'br' ? '\n' : linesOf(node.children)) : node)).join('')

/** A list is tight if every item is one line, perhaps with a nested list. */
function list({ tag, attributes, children }: Element, conversion: Conversion, notes: Element[]): Node[] {
  const items: Node[][] = []
  for (const child of children) {
    const isItem = isTag(child, 'li')
    const content = flow(isItem ? (child as Element).children : [child], conversion, notes)
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

/** Every row is padded to the widest, and the first is the header: Markdown has no other tables. */
function table(node: Element, conversion: Conversion): Node[] {
  const rows = rowsIn(node)
    .map((row) => row.children.filter((cell) => isTag(cell, 'td', 'th')) as Element[])
    .filter((row) => row.length > 0)
  const width = Math.max(0, ...rows.map((row) => row.length))
  if (width === 0) return []
  const cells = (row: readonly Element[], tag: string): Element =>
    element(
      'tr',
      Array.from({ length: width }, (_, at) => {
        const { children = [], attributes: { align } = {} } = row[at] ?? {}
        return element(tag, importInline(oneLine(children), conversion), align ? { align } : {})
      }),
    )
  const [head = [], ...rest] = rows
  const body = rest.map((row) => cells(row, 'td'))
  return [element('table', [element('thead', [cells(head, 'th')]), element('tbody', body)])]
}

/** Captions, and text between the cells of a broken table. */
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

/** `<div class="footnote">` with its number and text. */
function note({ children }: Element, conversion: Conversion, notes: Element[]): Node[] {
  const [number, ...rest] = children.filter(isElement)
  const name = textOf(number?.children ?? []).trim()
  notes.push(element('li', flow(rest, conversion, []), { id: `fn-${name}` }))
  return []
}
