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

/** A line of Markdown with its marks set. Its links lead nowhere while writing. */
export function inlineNodes(text: string): Node[] {
  const nodes: Node[] = []
  const inner = (node: SyntaxNode): Node[] => {
    const found: Node[] = []
    let at = node.from
    const addText = (to: number) => {
      if (to > at) found.push(document.createTextNode(text.slice(at, to)))
    }
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const name = elements[child.name]
      const isMark = marks.test(child.name) && node.name !== 'Paragraph'
      if (!name && !isMark && child.name !== 'Escape') continue
      addText(child.from)
      at = child.name === 'Escape' ? child.from + 1 : child.to
      if (name) found.push(element(name, {}, ...inner(child)))
    }
    addText(node.to)
    return found
  }
  const paragraph = markdown.parser.parse(text).topNode.firstChild
  if (paragraph?.name === 'Paragraph') nodes.push(...inner(paragraph))
  else if (text) nodes.push(document.createTextNode(text))
  return nodes
}
