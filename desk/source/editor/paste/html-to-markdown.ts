import { trustedHtml } from '../../components/trusted.ts'
import { escapedStart, holdsBlocks, inline, isBlock, isElement, isHidden, nameOf, runsOf, styleOf } from './inline.ts'

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

/** The Markdown; undefined if the HTML has no formatting beyond the plain text. */
export function htmlToMarkdown(html: string): string | undefined {
  if (html.length > maxLength) return undefined
  const { body } = new DOMParser().parseFromString(trustedHtml(renameForbidden(html)), 'text/html')
  return hasFormatting(body) ? blocksToMarkdown(body) || undefined : undefined
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

function blocksToMarkdown(root: Node): string {
  return blocksOf(root.childNodes).filter(Boolean).join('\n\n')
}

/** Block elements, and the inline nodes between them as paragraphs. */
function blocksOf(nodes: Iterable<Node>): string[] {
  const found: string[] = []
  let loose: Node[] = []
  let items: Element[] = []
  const close = () => {
    if (items.length > 0) found.push(wordList(items))
    found.push(...paragraphs(loose))
    items = []
    loose = []
  }
  for (const node of nodes) {
    if (isHidden(node)) continue
    if (wordLevel(node) !== undefined) {
      if (loose.length > 0) close()
      items.push(node as Element)
    } else if (isElement(node) && (isBlock(node) || holdsBlocks(node))) {
      close()
      found.push(...blockOf(node))
    } else if (items.length === 0 || (node.textContent ?? '').trim() !== '') {
      if (items.length > 0) close()
      loose.push(node)
    }
  }
  close()
  return found
}

/** Some pages separate paragraphs by two line breaks. */
function paragraphs(nodes: readonly Node[]): string[] {
  return inline(runsOf(nodes))
    .split(/\n[\s\u00a0]*\n/)
    .map(paragraph)
    .filter(Boolean)
}

/** An intended line break is written as a backslash, which is visible. */
const paragraph = (text: string): string =>
  text
    .split('\n')
    .map((line) => escapedStart(line.trim()))
    .filter(Boolean)
    .join('\\\n')

function blockOf(element: Element): string[] {
  const name = nameOf(element)
  switch (name) {
    case 'h1':
    case 'h2':
    case 'h3':
    case 'h4':
    case 'h5':
    case 'h6': {
      // Headings are bold anyway.
      const plain = runsOf(element.childNodes).map((run) => ({ ...run, bold: false }))
      const text = inline(plain).replace(/\s*\n\s*/g, ' ')
      return text ? [`${'#'.repeat(Number(name[1]))} ${text}`] : []
    }
    case 'hr':
      return ['---']
    case 'pre':
      return [codeBlock(element)]
    case 'blockquote':
      return [quoteBlocks(blocksOf(element.childNodes))]
    case 'ul':
    case 'ol':
      return [listOf(element, blocksOf)]
    case 'table':
      return [tableOf(element) ?? blocksToMarkdown(element)]
    case 'figcaption':
      return paragraphs([...element.childNodes]).map((text) => `*${text}*`)
    default:
      return holdsBlocks(element) ? blocksOf(element.childNodes) : paragraphs([element])
  }
}

const quoteBlocks = (blocks: readonly string[]): string =>
  blocks
    .filter(Boolean)
    .join('\n\n')
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

function codeBlock(element: Element): string {
  const text = (element.textContent ?? '').replace(/\n$/, '')
  const classes = `${element.className} ${element.querySelector('code')?.className ?? ''}`
  const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes)?.[1] ?? ''
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}

interface Item {
  readonly level: number
  readonly marker: string
  readonly blocks: string[]
}

/** A list as Markdown. `blocksOf` converts the content of an item. */
function listOf(list: Element, blocksOf: (nodes: Iterable<Node>) => string[]): string {
  const isOrdered = nameOf(list) === 'ol'
  let number = Number.parseInt(list.getAttribute('start') ?? '1', 10) || 1
  const items: Item[] = []
  for (const child of list.childNodes) {
    if (isHidden(child) || !isElement(child)) continue
    const last = items.at(-1)
    if (['ul', 'ol'].includes(nameOf(child))) {
      // Google Docs puts a nested list beside its item.
      if (last) last.blocks.push(listOf(child, blocksOf))
      else items.push({ level: 0, marker: '-', blocks: [listOf(child, blocksOf)] })
      continue
    }
    const marker = isOrdered ? `${number++}.` : '-'
    items.push({
      level: 0,
      marker,
      blocks: holdsBlocks(child) ? blocksOf(child.childNodes) : [inline(runsOf(child.childNodes))],
    })
  }
  return renderItems(items)
}

/** A list is loose if an item has more than one paragraph. */
function renderItems(items: readonly Item[]): string {
  const isLoose = items.some(({ blocks }) => blocks.slice(1).some((block) => !isList(block)))
  return items
    .map(({ marker, blocks }) => {
      const body = blocks.filter(Boolean).join(isLoose ? '\n\n' : '\n')
      const indent = ' '.repeat(marker.length + 1)
      return `${marker} ${body.replace(/\n(?=[^\n])/g, `\n${indent}`)}`.trimEnd()
    })
    .join(isLoose ? '\n\n' : '\n')
}

const isList = (block: string): boolean => /^([-+*]|\d+\.) /.test(block)

/** The level, from one, of a Word paragraph that is a list item by its style only. */
function wordLevel(node: Node): number | undefined {
  if (!isElement(node) || !isBlock(node)) return undefined
  const found = /\blevel(\d)/i.exec(styleOf(node, 'mso-list'))
  return found ? Number(found[1]) : undefined
}

/** Rebuilds a list from consecutive Word paragraphs. */
function wordList(paragraphs: readonly Element[]): string {
  const items = paragraphs.map((paragraph) => ({
    level: wordLevel(paragraph) ?? 1,
    isOrdered: /^\s*[\da-z]{1,4}[.)]/i.test(wordMarker(paragraph)),
    text: inline(runsOf(paragraph.childNodes)),
  }))
  const nested = (from: number, level: number): { list: string; next: number } => {
    const found: Item[] = []
    let place = from
    let number = 1
    while (place < items.length && items[place]!.level >= level) {
      const item = items[place]!
      if (item.level > level && found.length > 0) {
        const { list, next } = nested(place, item.level)
        found.at(-1)!.blocks.push(list)
        place = next
        continue
      }
      found.push({ level, marker: item.isOrdered ? `${number++}.` : '-', blocks: [item.text] })
      place += 1
    }
    return { list: renderItems(found), next: place }
  }
  return nested(0, Math.min(...items.map(({ level }) => level))).list
}

/** The bullet or number Word renders before an item. */
function wordMarker(element: Element): string {
  for (const span of element.querySelectorAll('span')) {
    if (/^ignore$/i.test(styleOf(span, 'mso-list'))) return span.textContent ?? ''
  }
  return ''
}

/** A table as Markdown; undefined for layout tables, which are converted as text. */
function tableOf(table: Element): string | undefined {
  const rows = [...table.querySelectorAll('tr')].map((row) =>
    [...row.children].filter((cell) => /^t[dh]$/i.test(cell.nodeName)),
  )
  const width = Math.max(0, ...rows.map((cells) => cells.length))
  if (width < 2 || table.querySelector('table')) return undefined
  const lines = rows.filter((cells) => cells.length > 0).map((cells) => line(filled(cells.map(textOf), width)))
  const rule = line(filled((rows.find((cells) => cells.length > 0) ?? []).map(ruleOf), width, '---'))
  return [lines[0], rule, ...lines.slice(1)].join('\n')
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const filled = (cells: readonly string[], width: number, blank = ''): string[] =>
  Array.from({ length: width }, (_, place) => cells[place] ?? blank)

const textOf = (cell: Element): string =>
  inline(runsOf(cell.childNodes).map((run) => (cell.nodeName.toLowerCase() === 'th' ? { ...run, bold: false } : run)))
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\|/g, '\\|')

function ruleOf(cell: Element): string {
  const align = (cell.getAttribute('align') ?? styleOf(cell, 'text-align')).toLowerCase()
  return align === 'right' || align === 'end' ? '---:' : align === 'center' ? ':---:' : '---'
}
