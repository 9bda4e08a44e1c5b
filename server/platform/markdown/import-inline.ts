import { type Element, hasClass, isElement, type Node, textOf } from './html-tree.ts'

/** What is asked of a conversion, and what it finds on its way. */
export interface Finding {
  readonly base: string | undefined
  readonly without: readonly string[]
  readonly pictures: Set<string>
  readonly embeds: Set<string>
  readonly lost: Set<string>
}

const same: Readonly<Record<string, string>> = {
  ...{ b: 'strong', strong: 'strong', i: 'em', em: 'em', cite: 'em', var: 'em' },
  ...{ s: 'del', strike: 'del', del: 'del', code: 'code', kbd: 'code', samp: 'code', tt: 'code' },
}

/** The words of a paragraph with the marks that Markdown has; white space is one space, and none at the edges. */
export function foreignInline(nodes: readonly Node[], finding: Finding): Node[] {
  return trimmed(spaced(nodes.flatMap((node) => inline(node, finding))))
}

function inline(node: Node, finding: Finding): Node[] {
  if (!isElement(node)) return [node.replace(/[ \t\r\n\f]+/g, ' ')]
  const { tag, children } = node
  if (finding.without.some((name) => hasClass(node, name))) return []
  const inner = () => children.flatMap((child) => inline(child, finding))
  if (tag === 'br') return [{ tag, attributes: {}, children: [] }]
  if (tag === 'img') return picture(node, finding)
  if (tag === 'svg' || tag === 'math') {
    finding.lost.add('a drawing or formula')
    return []
  }
  if (tag === 'a') return link(node, inner(), finding)
  const mark = same[tag]
  if (mark === 'code') return code(children)
  if (mark !== undefined) return set(mark, inner())
  if (tag === 'sub' || tag === 'sup') finding.lost.add('raised or lowered letters (the letters are there)')
  if (tag === 'mark' || tag === 'u' || tag === 'ins')
    finding.lost.add('highlighting and underlines (the words are there)')
  return inner()
}

const code = (children: readonly Node[]): Node[] => {
  const text = textOf(children).replace(/\s+/g, ' ')
  return text.trim() === '' ? [text] : [{ tag: 'code', attributes: {}, children: [text] }]
}

/** Spaces at the edges of a mark stand outside it: Markdown would not read it as one. */
function set(tag: string, children: Node[]): Node[] {
  const [first, last] = [children[0], children.at(-1)]
  const before = typeof first === 'string' && first.startsWith(' ') ? [' '] : []
  const after = typeof last === 'string' && last.endsWith(' ') ? [' '] : []
  const inner = trimmed(children)
  return inner.length > 0 ? [...before, { tag, attributes: {}, children: inner }, ...after] : children
}

function picture({ attributes: { src = '', alt = '', title } }: Element, finding: Finding): Node[] {
  const address = src === '' ? null : URL.parse(src.replace(/^\/\//, 'https://'), finding.base)
  if (!address || !/^https?:$/.test(address.protocol)) {
    finding.lost.add(src === '' ? 'a picture without an address' : `a picture (${src.slice(0, 100)})`)
    return alt === '' ? [] : [alt]
  }
  finding.pictures.add(address.href)
  const attributes = { src: address.href, alt, ...(title ? { title } : {}) }
  return [{ tag: 'img', attributes, children: [] }]
}

function link(node: Element, children: Node[], finding: Finding): Node[] {
  const { href, title } = node.attributes
  if (hasClass(node, 'footnote-anchor')) {
    return [{ tag: 'sup', attributes: { class: 'footnote-ref' }, children: [textOf(node.children).trim()] }]
  }
  if (href === undefined || href === '' || children.length === 0) return children
  const address = href.startsWith('#') ? href : (URL.parse(href, finding.base)?.href ?? href)
  if (!/^(?:#|[a-z]+:)/i.test(address)) finding.lost.add(`where a link led (${href.slice(0, 100)})`)
  return [{ tag: 'a', attributes: { href: address, ...(title ? { title } : {}) }, children: trimmed(children) }]
}

/** A space after a space says nothing. */
function spaced(nodes: readonly Node[]): Node[] {
  const found: Node[] = []
  for (const node of nodes) {
    const last = found.at(-1)
    if (typeof node === 'string' && typeof last === 'string')
      found[found.length - 1] = (last + node).replace(/ {2,}/g, ' ')
    else found.push(node)
  }
  return found.filter((node) => node !== '')
}

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
