/** A tree of HTML. `htmlTree` parses what our own pipeline writes; `parseHtml` anything else. */

export interface Element {
  readonly tag: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Node[]
}
/** Text is a string with its references resolved. */
export type Node = Element | string

const parts = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+/g
const attribute = /([a-z]+)(?:="([^"]*)")?/g
const empty = new Set(['br', 'hr', 'img', 'input'])

const references: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }
const resolved = (text: string): string =>
  text.includes('&') ? text.replace(/&(?:amp|lt|gt|quot);/g, (one) => references[one]!) : text

export function htmlTree(html: string): Node[] {
  const root: Node[] = []
  const open: Node[][] = [root]
  for (const [whole, closing, tag, attributes] of html.matchAll(parts)) {
    const siblings = open.at(-1)!
    if (tag === undefined) siblings.push(resolved(whole))
    else if (closing) {
      if (open.length > 1) open.pop()
    } else {
      const children: Node[] = []
      siblings.push(element(tag, children, readAttributes(attributes ?? '')))
      if (!empty.has(tag)) open.push(children)
    }
  }
  return root
}

function readAttributes(text: string): Record<string, string> {
  if (text === '') return {}
  return Object.fromEntries([...text.matchAll(attribute)].map(([, name, value = '']) => [name, resolved(value)]))
}

export const element = (tag: string, children: Node[], attributes: Readonly<Record<string, string>> = {}): Element => ({
  tag,
  attributes,
  children,
})

export const isElement = (node: Node | undefined): node is Element => typeof node === 'object'

export const hasClass = ({ attributes }: Element, name: string): boolean =>
  (attributes['class'] ?? '').split(' ').includes(name)

/** The text content. */
export const textOf = (nodes: readonly Node[]): string =>
  nodes.map((node) => (isElement(node) ? textOf(node.children) : node)).join('')

/** Every element, in the order of the text. */
export function* elementsIn(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes) {
    if (!isElement(node)) continue
    yield node
    yield* elementsIn(node.children)
  }
}
