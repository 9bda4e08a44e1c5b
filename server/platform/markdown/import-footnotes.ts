import { type Element, element, elementsIn, hasClass, isElement, type Node, textOf } from './html-tree.ts'

/**
 * Footnotes as most programs write them (markdown-it, Jetpack, Gutenberg, pandoc): a link to an item of a list, which
 * links back. They become the form that `convertTree` reads.
 */
export function withFootnotes(tree: readonly Node[]): Node[] {
  const links = [...elementsIn(tree)].filter(
    ({ tag, attributes: { href = '' } }) => tag === 'a' && href.startsWith('#'),
  )
  if (links.length === 0) return [...tree]
  const targets = new Set(links.map(targetOf))
  const notes = new Map<string, Note>()
  for (const item of elementsIn(tree)) {
    const { tag, attributes, children } = item
    const id = attributes['id'] ?? ''
    if (tag !== 'li' || !targets.has(id) || notes.has(id)) continue
    const back = [...elementsIn(children)].filter((one) => links.includes(one))
    if (back.length > 0) notes.set(id, { item, back, number: String(notes.size + 1) })
  }
  if (notes.size === 0) return [...tree]
  return [...without(tree, notes), ...[...notes.values()].map(noteElement)]
}

interface Note {
  readonly item: Element
  /** The links back to the text, which are left out. */
  readonly back: readonly Element[]
  readonly number: string
}

const targetOf = ({ attributes: { href = '' } }: Element): string => {
  try {
    return decodeURIComponent(href.slice(1))
  } catch {
    return href.slice(1)
  }
}

/** The text with numbers for the mentions, without the notes and what was only there for them. */
function without(nodes: readonly Node[], notes: ReadonlyMap<string, Note>): Node[] {
  const items = new Set([...notes.values()].map(({ item }) => item))
  const visit = (node: Node): Node[] => {
    if (!isElement(node)) return [node]
    if (items.has(node) || hasClass(node, 'footnotes-sep')) return []
    const mention = mentionIn(node, notes)
    if (mention) return [element('a', [mention.number], { class: 'footnote-anchor' })]
    const children = node.children.flatMap(visit)
    const isList = node.tag === 'ol' || node.tag === 'ul'
    const isEmptied = children.length < node.children.length && children.every(isBlank)
    if (isEmptied && (isList || hasClass(node, 'footnotes'))) return []
    return [{ ...node, children }]
  }
  return nodes.flatMap(visit)
}

const isBlank = (node: Node): boolean => (isElement(node) ? node.tag === 'hr' : node.trim() === '')

/** A link to a note, or the raised number around it. */
function mentionIn(node: Element, notes: ReadonlyMap<string, Note>): Note | undefined {
  if (node.tag === 'a') return node.attributes['href']?.startsWith('#') ? notes.get(targetOf(node)) : undefined
  const [only, ...others] = node.children.filter((child) => isElement(child) || child.trim() !== '')
  return node.tag === 'sup' && isElement(only) && others.length === 0 ? mentionIn(only, notes) : undefined
}

function noteElement({ item, back, number }: Note): Element {
  const visit = (node: Node): Node[] => {
    if (!isElement(node)) return [node]
    if (back.includes(node)) return []
    const children = node.children.flatMap(visit)
    // A raised arrow, or a paragraph of its own for it.
    return children.length < node.children.length && textOf(children).trim() === '' ? [] : [{ ...node, children }]
  }
  return element('div', [element('span', [number]), element('div', item.children.flatMap(visit))], {
    class: 'footnote',
  })
}
