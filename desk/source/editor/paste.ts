import { blocks, convertTree } from '../../../server/platform/markdown/foreign-html.ts'
import {
  element,
  isElement as isTreeElement,
  type Element as TreeElement,
  type Node as TreeNode,
} from '../../../server/platform/markdown/html-tree.ts'
import { trustedHtml } from '../components/trusted.ts'
import { linkTarget } from './codemirror/marks.ts'

/** The only place where the desk parses foreign HTML, into a separate document in which nothing runs or loads. */

/**
 * The CSP forbids style attributes and event handlers, and browsers report violations even in a separate document. They
 * are renamed before parsing; styles can still be read.
 */
const tag = /<[a-z][^\s/>]*(?:"[^"]*"|'[^']*'|[^'"<>])*>/gi
const forbidden = /"[^"]*"|'[^']*'|(?<=\s)(?:style|on[a-z]+)(?=\s*=)/gi
const sheet = /<style\b.*?<\/style\s*>/gis

const renameForbidden = (html: string): string =>
  html
    .replace(sheet, '')
    .replace(tag, (whole) =>
      whole.replace(forbidden, (part) =>
        /^["']/.test(part) ? part : /^style$/i.test(part) ? 'data-look' : 'data-act',
      ),
    )

/** Longer HTML is pasted as plain text. */
const maxLength = 4_000_000

interface ConvertedPaste {
  readonly markdown: string
  /** The footnotes of it, which belong at the end of the text. */
  readonly notes: string
}

const markdownOf = (tree: readonly TreeNode[]): string => convertTree(tree, { readable: true }).markdown.trimEnd()

/** Undefined if the HTML has no formatting beyond the plain text. Footnotes are numbered from `firstNote`. */
export function convertHtml(html: string, firstNote: number): ConvertedPaste | undefined {
  if (html.length > maxLength) return undefined
  const { body } = new DOMParser().parseFromString(trustedHtml(renameForbidden(html)), 'text/html')
  if (!hasFormatting(body)) return undefined
  const notes = takeFootnotes(body).map((note, at) => {
    const number = element('span', [String(firstNote + at)])
    return element('div', [number, element('div', treeOf(note, {}))], { class: 'footnote' })
  })
  for (const mark of body.querySelectorAll(`[${noteMark}]`)) {
    mark.setAttribute(noteMark, String(firstNote + Number(mark.getAttribute(noteMark))))
  }
  const markdown = markdownOf(treeOf(body, {}))
  return markdown ? { markdown, notes: markdownOf(notes) } : undefined
}

/** On a mention of a footnote: its place among them. */
const noteMark = 'data-note'
const noteSign = /^[[(]?[\da-z*†‡§]{1,6}[\])]?$/i

/**
 * Takes the footnotes out of the page. Word, Google Docs and LibreOffice write them as two links with the same words
 * that lead to each other: the mention, then the first word of the note.
 */
function takeFootnotes(body: Element): Element[] {
  const anchors = [...body.querySelectorAll('a[href^="#"]')]
  const nameOfAnchor = (anchor: Element) => anchor.id || (anchor.getAttribute('name') ?? '')
  const byName = new Map(anchors.map((anchor) => [`#${nameOfAnchor(anchor)}`, anchor]))
  const words = (node: Element) => (node.textContent ?? '').trim()
  const blocks: Element[] = []
  for (const mention of anchors) {
    const back = byName.get(mention.getAttribute('href') ?? '')
    if (!back || back.getAttribute('href') !== `#${nameOfAnchor(mention)}`) continue
    const isFirst = (mention.compareDocumentPosition(back) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
    if (!isFirst || words(mention) !== words(back) || !noteSign.test(words(mention))) continue
    mention.setAttribute(noteMark, String(blocks.length))
    blocks.push(noteBlock(back, anchors))
    back.remove()
  }
  for (const block of blocks) {
    // The line above the notes.
    while (/^[hb]r$/i.test(block.previousElementSibling?.nodeName ?? '')) block.previousElementSibling?.remove()
    block.remove()
  }
  return blocks
}

/** The paragraph that begins with this link, or all paragraphs of its note. */
function noteBlock(link: Element, anchors: readonly Element[]): Element {
  const paragraph = link.closest('p, li, div') ?? link
  const around = paragraph.parentElement
  const isOfOne = around !== null && anchors.filter((anchor) => around.contains(anchor)).length === 1
  return isOfOne && /^(?:div|li)$/i.test(around.nodeName) && around.firstElementChild === paragraph ? around : paragraph
}

const meaningfulTags = 'h1,h2,h3,h4,h5,h6,ul,ol,table,blockquote,hr,a[href],img[src],em,i,strong,b,code,del,s'
const meaningfulStyle = /mso-list|font-weight:\s*(bold|[6-9]00)|font-style:\s*italic|line-through/i
const preformatted = '[data-look*="white-space: pre;"]'

/** Plain text wins over HTML that only colours it, so Markdown copied from another editor stays as it is. */
function hasFormatting(body: Element): boolean {
  if (body.querySelector(preformatted)) return false
  const looks = [...body.querySelectorAll('[data-look]')].map((element) => element.getAttribute('data-look') ?? '')
  return body.querySelector(meaningfulTags) !== null || looks.some((look) => meaningfulStyle.test(look))
}

/** The formatting of text, by its tags and styles. */
interface Look {
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly code?: boolean
  readonly link?: string | undefined
  /** What these already are. */
  readonly heading?: boolean
  readonly caption?: boolean
}

/** The content of a DOM node as plain tags: styles as marks, every mark as long as it can be, Word's lists as lists. */
function treeOf(parent: Node, look: Look): TreeNode[] {
  const found: TreeNode[] = []
  let lists: WordList[] = []
  for (const node of parent.childNodes) {
    if (isText(node)) {
      const text = node.nodeValue ?? ''
      if (lists.length > 0 && text.trim() === '') continue
      found.push(withMarks(text, look))
    } else if (isElement(node) && !isHidden(node)) {
      const level = wordLevel(node)
      if (level !== undefined) {
        addWordItem(node, level, lists, found, look)
        continue
      }
      found.push(...elementTree(node, look))
    } else continue
    lists = []
  }
  return merged(found)
}

/** Always in the same order, so that neighbours can be merged. */
function withMarks(text: string, { link, bold, italic, strike, code, heading, caption }: Look): TreeNode {
  let node: TreeNode = code ? element('code', [text]) : collapsed(text)
  if (strike) node = element('del', [node])
  if (italic && !caption) node = element('em', [node])
  if (bold && !heading) node = element('strong', [node])
  return link ? element('a', [node], { href: link }) : node
}

/** As browsers show it; a non-breaking space stays only if it is alone. */
const collapsed = (text: string): string => text.replace(/[\s\u00a0]{2,}/g, ' ')

const marks = new Set(['a', 'strong', 'em', 'del', 'code'])

/** What two neighbours have in common that become one. */
const sortOf = (node: TreeNode | undefined): string | undefined => {
  if (!isTreeElement(node)) return node === undefined ? undefined : 'text'
  if (node.attributes['class']) return undefined
  return marks.has(node.tag) ? `${node.tag} ${node.attributes['href']}` : undefined
}

/** Adjacent texts with the same marks become one. */
function merged(nodes: readonly TreeNode[]): TreeNode[] {
  const groups: [TreeNode, ...TreeNode[]][] = []
  for (const node of nodes) {
    const last = groups.at(-1)
    const sort = sortOf(node)
    if (last && sort !== undefined && sort === sortOf(last[0])) last.push(node)
    else groups.push([node])
  }
  return groups.map((group) => {
    const [first] = group
    if (!isTreeElement(first)) return collapsed(group.join(''))
    const children = group.flatMap((node) => (isTreeElement(node) ? node.children : []))
    return group.length === 1 ? first : element(first.tag, merged(children), first.attributes)
  })
}

const aroundBlocks = [...blocks].join()
/** Of tables for layout. */
const tableParts = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th'])

function elementTree(node: Element, look: Look): TreeNode[] {
  const name = nameOf(node)
  switch (name) {
    case 'br':
    case 'hr':
      return [element(name, [])]
    case 'a':
      if (node.hasAttribute(noteMark)) {
        return [element('a', [node.getAttribute(noteMark)!], { class: 'footnote-anchor' })]
      }
      break
    case 'img':
      return picture(node)
    case 'picture':
      return treeOf(node, look)
    case 'input':
      return node.getAttribute('type') === 'checkbox' ? [node.hasAttribute('checked') ? '[x] ' : '[ ] '] : []
    case 'code':
    case 'kbd':
    case 'samp':
    case 'tt':
      if (node.querySelector(aroundBlocks) === null) return [withMarks(node.textContent ?? '', { ...look, code: true })]
      break
    case 'pre': {
      const classes = `${node.className} ${node.querySelector('code')?.className ?? ''}`
      return [element('pre', [node.textContent ?? ''], { class: classes })]
    }
    case 'table':
      if (isGrid(node)) return [grid(node, look)]
  }
  const children = treeOf(node, lookOf(node, look))
  if (tableParts.has(name)) return [element('div', children)]
  if (!blocks.has(name)) return children
  return [element(name, children, kept[name]?.(node) ?? {})]
}

/** Attributes of blocks: where a list begins, how wide a picture is. */
const kept: Readonly<Record<string, (node: Element) => Record<string, string>>> = {
  ol: (node) => ({ start: node.getAttribute('start') ?? '' }),
  figure: (node) => ({ class: node.className }),
}

function lookOf(node: Element, look: Look): Look {
  const name = nameOf(node)
  const weight = styleOf(node, 'font-weight')
  const slant = styleOf(node, 'font-style')
  const line = styleOf(node, 'text-decoration') || styleOf(node, 'text-decoration-line')
  // Styles override tag names: Google Docs wraps everything in a <b> of normal weight.
  const bold = weight ? /^(bold|bolder|[6-9]\d\d)$/.test(weight) : name === 'b' || name === 'strong' || look.bold
  const italic = slant ? /^(italic|oblique)/.test(slant) : ['i', 'em', 'cite'].includes(name) || look.italic
  const strike = /line-through/.test(line) || ['s', 'del', 'strike'].includes(name) || look.strike
  return {
    bold: bold === true,
    italic: italic === true,
    strike: strike === true,
    link: (name === 'a' ? addressOf(node) : undefined) ?? look.link,
    heading: look.heading === true || /^(h[1-6]|th|dt|summary)$/.test(name),
    caption: look.caption === true || name === 'caption',
  }
}

/** Only http, https and mailto links; Google's redirect is resolved. */
function addressOf(node: Element): string | undefined {
  const given = node.getAttribute('href')?.trim() ?? ''
  if (!/^(https?:|mailto:)/i.test(given)) return undefined
  const detour = /^https?:\/\/www\.google\.[a-z.]+\/url\?(.*)$/i.exec(given)?.[1]
  return linkTarget((detour && new URLSearchParams(detour).get('q')) || given)
}

function picture(node: Element): TreeNode[] {
  const source = node.getAttribute('src')?.trim() ?? ''
  if (!/^https:/i.test(source)) return []
  return [
    element('img', [], { src: linkTarget(source), alt: (node.getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim() }),
  ]
}

const rowsOf = (table: Element): Element[][] =>
  [...table.querySelectorAll('tr')].map((row) => [...row.children].filter((cell) => /^t[dh]$/i.test(cell.nodeName)))

/** Other tables are for layout and converted as text. */
const isGrid = (table: Element): boolean =>
  table.querySelector('table') === null && rowsOf(table).some((cells) => cells.length > 1)

const grid = (table: Element, look: Look): TreeElement =>
  element(
    'table',
    rowsOf(table).map((cells) =>
      element(
        'tr',
        cells.map((cell) => element('td', treeOf(cell, lookOf(cell, look)), { align: alignOf(cell) })),
      ),
    ),
  )

function alignOf(cell: Element): string {
  const align = (cell.getAttribute('align') ?? styleOf(cell, 'text-align')).toLowerCase()
  return align === 'end' ? 'right' : align === 'right' || align === 'center' ? align : ''
}

interface WordList {
  readonly level: number
  readonly list: TreeElement
}

/** The level, from one, of a Word paragraph that is a list item by its style only. */
function wordLevel(node: Element): number | undefined {
  const found = /\blevel(\d)/i.exec(styleOf(node, 'mso-list'))
  return found ? Number(found[1]) : undefined
}

/** Rebuilds lists from consecutive Word paragraphs. `lists` are those still open, the innermost last. */
function addWordItem(node: Element, level: number, lists: WordList[], found: TreeNode[], look: Look): void {
  const name = /^\s*[\da-z]{1,4}[.)]/i.test(wordMarker(node)) ? 'ol' : 'ul'
  const isOver = (open: WordList | undefined) =>
    open !== undefined && (open.level > level || (open.level === level && open.list.tag !== name))
  while (isOver(lists.at(-1))) {
    const { list, level: deeper } = lists.pop()!
    // A list that begins deeper than it goes on is one list.
    if (lists.length === 0 && deeper > level && list.tag === name) lists.push({ level, list })
  }
  if (lists.at(-1)?.level !== level) {
    const list = element(name, [])
    const around = lists.at(-1)?.list.children ?? found
    around.push(list)
    lists.push({ level, list })
  }
  lists.at(-1)!.list.children.push(element('li', treeOf(node, lookOf(node, look))))
}

/** The bullet or number Word renders before an item; the list has its own. */
const isWordMarker = (node: Element): boolean => /^ignore$/i.test(styleOf(node, 'mso-list'))
const wordMarker = (node: Element): string => [...node.querySelectorAll('span')].find(isWordMarker)?.textContent ?? ''

const nameOf = (node: Node): string => node.nodeName.toLowerCase()
const isElement = (node: Node): node is Element => node.nodeType === 1
const isText = (node: Node): boolean => node.nodeType === 3

/** One declaration of the renamed style attribute. Read as text, since browsers drop Word's own properties (mso-…). */
const styleOf = (node: Element, property: string): string =>
  new RegExp(`(?:^|;)\\s*${property}\\s*:([^;]*)`, 'i').exec(node.getAttribute('data-look') ?? '')?.[1]?.trim() ?? ''

const hiddenTags = new Set(
  'script style meta link title head template noscript svg math button select textarea iframe object audio video canvas map col colgroup base o:p v:shape xml'.split(
    ' ',
  ),
)

const isHidden = (node: Element): boolean =>
  hiddenTags.has(nameOf(node)) ||
  node.hasAttribute('hidden') ||
  styleOf(node, 'display') === 'none' ||
  styleOf(node, 'mso-hide') === 'all' ||
  isWordMarker(node)
