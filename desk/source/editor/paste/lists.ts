import { inline, runsOf } from './runs.ts'
import { holdsBlocks, isBlock, isElement, isHidden, nameOf, styleOf } from './tree.ts'

interface Item {
  readonly level: number
  readonly marker: string
  readonly blocks: string[]
}

/** A list as Markdown. `blocksOf` makes Markdown of what an item holds. */
export function listOf(list: Element, blocksOf: (nodes: Iterable<Node>) => string[]): string {
  const isOrdered = nameOf(list) === 'ol'
  let number = Number.parseInt(list.getAttribute('start') ?? '1', 10) || 1
  const items: Item[] = []
  for (const child of list.childNodes) {
    if (isHidden(child) || !isElement(child)) continue
    const last = items.at(-1)
    if (['ul', 'ol'].includes(nameOf(child))) {
      // Google Docs hangs the inner list beside the item it belongs to.
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
  return written(items)
}

/** Items of more than one paragraph stand apart; the others line by line. */
function written(items: readonly Item[]): string {
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

/** A paragraph of Word's that is an item of a list by its style alone; its level, from one. */
export function wordLevel(node: Node): number | undefined {
  if (!isElement(node) || !isBlock(node)) return undefined
  const found = /\blevel(\d)/i.exec(styleOf(node, 'mso-list'))
  return found ? Number(found[1]) : undefined
}

/** Word's paragraphs in a row, put back into the list they are. */
export function wordList(paragraphs: readonly Element[]): string {
  const items = paragraphs.map((paragraph) => ({
    level: wordLevel(paragraph) ?? 1,
    isOrdered: /^\s*[\da-z]{1,4}[.)]/i.test(ignored(paragraph)),
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
    return { list: written(found), next: place }
  }
  return nested(0, Math.min(...items.map(({ level }) => level))).list
}

/** What Word draws in front of an item. */
function ignored(element: Element): string {
  for (const span of element.querySelectorAll('span')) {
    if (/^ignore$/i.test(styleOf(span, 'mso-list'))) return span.textContent ?? ''
  }
  return ''
}
