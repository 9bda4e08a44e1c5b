import { escapedStart } from './escape.ts'
import { listOf, wordLevel, wordList } from './lists.ts'
import { inline, runsOf } from './runs.ts'
import { tableOf } from './tables.ts'
import { holdsBlocks, isBlock, isElement, isHidden, nameOf } from './tree.ts'

/** Pasted HTML as the Markdown a writer would have typed. */
export function markdownOf(root: Node): string {
  return blocksOf(root.childNodes).filter(Boolean).join('\n\n')
}

/** Blocks as they are, and what stands between them as paragraphs. */
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

/** Two line breaks in a row are how some pages part paragraphs. */
function paragraphs(nodes: readonly Node[]): string[] {
  return inline(runsOf(nodes))
    .split(/\n[\s\u00a0]*\n/)
    .map(paragraph)
    .filter(Boolean)
}

/** A line's end that was meant stays one: a backslash says so and can be seen. */
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
      // A heading is heavy by itself.
      const plain = runsOf(element.childNodes).map((run) => ({ ...run, bold: false }))
      const text = inline(plain).replace(/\s*\n\s*/g, ' ')
      return text ? [`${'#'.repeat(Number(name[1]))} ${text}`] : []
    }
    case 'hr':
      return ['---']
    case 'pre':
      return [codeOf(element)]
    case 'blockquote':
      return [quoted(blocksOf(element.childNodes))]
    case 'ul':
    case 'ol':
      return [listOf(element, blocksOf)]
    case 'table':
      return [tableOf(element) ?? markdownOf(element)]
    case 'figcaption':
      return paragraphs([...element.childNodes]).map((text) => `*${text}*`)
    default:
      return holdsBlocks(element) ? blocksOf(element.childNodes) : paragraphs([element])
  }
}

const quoted = (blocks: readonly string[]): string =>
  blocks
    .filter(Boolean)
    .join('\n\n')
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')

function codeOf(element: Element): string {
  const text = (element.textContent ?? '').replace(/\n$/, '')
  const classes = `${element.className} ${element.querySelector('code')?.className ?? ''}`
  const language = /\b(?:language|lang|highlight-source)-([\w+#-]+)/.exec(classes)?.[1] ?? ''
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
