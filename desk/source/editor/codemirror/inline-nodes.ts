import type { SyntaxNode } from '@lezer/common'
import { element } from './element.ts'
import { markdown } from './keymap.ts'

const elements: Readonly<Record<string, 'em' | 'strong' | 's' | 'code' | 'u'>> = {
  Emphasis: 'em',
  StrongEmphasis: 'strong',
  Strikethrough: 's',
  InlineCode: 'code',
  Link: 'u',
}
const marks = /Mark$|^(?:URL|LinkTitle|LinkLabel)$/

/** Where in its line of Markdown a text that is shown begins. */
const sources = new WeakMap<Node, number>()

/** The place in a line of Markdown that `shown` shows at a point; undefined behind it. */
export function sourceAt(shown: Element, { clientX, clientY }: MouseEvent): number | undefined {
  const found = document.caretPositionFromPoint?.(clientX, clientY)
  const from = found ? sources.get(found.offsetNode) : undefined
  if (!found || from === undefined) return undefined
  const rest = document.createRange()
  rest.selectNodeContents(shown)
  rest.setStart(found.offsetNode, found.offset)
  return rest.toString() === '' ? undefined : from + found.offset
}

/** A line of Markdown with its marks set. Its links lead nowhere while writing; a copy has them. */
export function inlineNodes(text: string, isCopy = false): Node[] {
  const words = (from: number, to = text.length): Node => {
    const node = document.createTextNode(text.slice(from, to))
    sources.set(node, from)
    return node
  }
  const inner = (node: SyntaxNode): Node[] => {
    const found: Node[] = []
    let at = node.from
    const addText = (to: number) => {
      if (to > at) found.push(words(at, to))
    }
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const name = elements[child.name]
      const isMark = marks.test(child.name) && node.name !== 'Paragraph'
      if (!name && !isMark && child.name !== 'Escape') continue
      addText(child.from)
      at = child.name === 'Escape' ? child.from + 1 : child.to
      if (!name) continue
      const url = isCopy && child.name === 'Link' ? child.getChild('URL') : null
      found.push(
        url
          ? element('a', { href: text.slice(url.from, url.to) }, ...inner(child))
          : element(name, {}, ...inner(child)),
      )
    }
    addText(node.to)
    return found
  }
  const paragraph = markdown.parser.parse(text).topNode.firstChild
  if (paragraph?.name === 'Paragraph') return inner(paragraph)
  return text ? [words(0)] : []
}
