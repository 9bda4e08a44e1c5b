import { below, styles } from '#features/emails/frame.ts'
import { html } from '#platform/html.ts'
import { type Element, hasClass, isElement, type Node, textOf } from '#platform/markdown/html-tree.ts'
import { directionOf } from '#platform/text/language.ts'
import { normalise, webAddress } from '#platform/text/normalise.ts'
import { box, type Part, pictureInWords, type TextFrame } from './email-html.ts'

/** A block of a piece's text in words alone, as one would read it out: paragraphs, and addresses after the words of links. */
export const blockAsText = (block: Element, frame: TextFrame): string => blocks([block], frame).join('\n\n')

const blockTags = /^(?:p|h[1-6]|ul|ol|blockquote|pre|hr|table|section|figure|figcaption)$/

/** Blocks, and the words between them, as in the items of a list. */
function blocks(nodes: readonly Node[], frame: TextFrame): string[] {
  const written: string[] = []
  let words: Node[] = []
  const endWords = () => {
    written.push(inline(words, frame))
    words = []
  }
  for (const node of nodes) {
    if (!isElement(node) || !blockTags.test(node.tag)) words.push(node)
    else {
      endWords()
      written.push(block(node, frame))
    }
  }
  endWords()
  return written.filter(Boolean)
}

function block(one: Element, frame: TextFrame): string {
  const { tag, children } = one
  if (tag === 'hr') return '* * *'
  if (tag === 'pre') return indented(textOf(children).trimEnd(), '    ')
  if (tag === 'ul' || tag === 'ol') return list(one, frame)
  if (tag === 'table') return table(one, frame)
  if (tag === 'blockquote') return indented(blocks(children, frame).join('\n\n'), '> ')
  if (tag === 'section') return notes(one, frame)
  if (tag === 'figure') return blocks(children, frame).join('\n')
  return inline(children, frame)
}

const indented = (text: string, lead: string): string =>
  text
    .split('\n')
    .map((line) => (lead + line).trimEnd())
    .join('\n')

function list({ tag, attributes, children }: Element, frame: TextFrame): string {
  const first = Number(attributes['start'] ?? 1)
  const items = children.filter(isElement).map((item, at) => {
    const isTask = hasClass(item, 'task-list-item')
    const marker = isTask ? '' : tag === 'ol' ? `${first + at}. ` : '• '
    const content = blocks(item.children, frame).join('\n')
    return marker + indented(content, ' '.repeat(marker.length)).trimStart()
  })
  return items.join('\n')
}

/** Each row as a line, in which every cell is named by the head of its column. */
function table({ children }: Element, frame: TextFrame): string {
  const rows = children
    .filter(isElement)
    .flatMap((part) => part.children.filter(isElement))
    .map((row) => row.children.filter(isElement).map((cell) => inline(cell.children, frame).replace(/\s+/g, ' ')))
  const [head = [], ...others] = rows
  if (others.length === 0) return head.filter(Boolean).join('; ')
  const named = (cell: string, at: number) => (cell && head[at] ? `${head[at]}: ${cell}` : cell)
  return others.map((row) => row.map(named).filter(Boolean).join('; ')).join('\n')
}

function notes({ children }: Element, frame: TextFrame): string {
  const [items] = children.filter(isElement)
  return (items?.children.filter(isElement) ?? [])
    .map((note, at) => `[${at + 1}] ${blocks(note.children, frame).join('\n\n')}`)
    .join('\n\n')
}

const inline = (nodes: readonly Node[], frame: TextFrame): string => words(nodes, frame).trim()

const words = (nodes: readonly Node[], frame: TextFrame): string =>
  nodes.map((node) => (isElement(node) ? spoken(node, frame) : node.replace(/[ \t]*\n[ \t]*/g, ' '))).join('')

function spoken(one: Element, frame: TextFrame): string {
  const { tag, attributes, children } = one
  if (tag === 'br') return '\n'
  if (tag === 'input') return box(one)
  if (tag === 'code') return textOf(children)
  if (tag === 'img') return picture(attributes, frame)
  if (hasClass(one, 'footnote-backref')) return ''
  if (hasClass(one, 'footnote-ref')) return `[${textOf(children)}]`
  const inner = words(children, frame)
  return tag === 'a' ? withAddress(inner, attributes['href']) : inner
}

function picture({ src = '', alt = '' }: Element['attributes'], frame: TextFrame): string {
  if (!src.startsWith(frame.media)) return withAddress(pictureInWords(src, alt, frame), src)
  return alt && pictureInWords(src, alt, frame)
}

/** Words that are the address themselves, maybe decoded, are not followed by it. */
function withAddress(inner: string, address: string | undefined): string {
  if (address === undefined) return inner
  const isSame = [inner, `mailto:${inner}`, `http://${inner}`].some((one) => URL.parse(one)?.href === address)
  return inner === address || isSame ? inner : `${inner} (${address})`
}

const address = /(\bhttps?:\/\/[^\s<>"“”]*[^\s<>"“”.,:;!?'’»)\]}*_~])/gi

/** Plain text that a person wrote: paragraphs by empty lines, and addresses as links. */
export function linkedParagraphs(written: string): Part {
  const text = normalise(written).trim()
  const line = (one: string) =>
    one.split(address).map((part, at) => {
      const url = at % 2 === 1 ? webAddress(part) : undefined
      return url === undefined ? part : html`<a href="${url}" style="${styles.link}">${part}</a>`
    })
  const paragraphs = text.split(/\n\s*\n/)
  const drawn = paragraphs.map(
    (one) => html`
    <p style="${styles.prose(below)}">${one.split('\n').map((words, at) => html`${at > 0 && html`<br>`}${line(words)}`)}</p>`,
  )
  return { html: html`<div dir="${directionOf('und', text)}">${drawn}</div>`, text: paragraphs.join('\n\n') }
}
