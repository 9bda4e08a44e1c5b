import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { splitWidth } from './pictures.ts'

/**
 * An image alone in its paragraph is a figure if it has a title, which is its caption, or a width:
 * `![A kettle](kettle.jpg#wide "The *old* kettle. Photo: Ada Okafor")`. The caption is Markdown of one line.
 */
export function figures(markdown: MarkdownIt): void {
  markdown.core.ruler.after('inline', 'figures', drawFigures)
}

/** Characters of captions: as many as a text can contain. Definitions can repeat one without limit. */
const mostCaptions = 100_000

function drawFigures(state: StateCore): void {
  if (!state.src.includes('![')) return
  let left = mostCaptions
  state.tokens = state.tokens.flatMap((token, index, tokens) => {
    const image = left < 0 ? undefined : pictureAlone(tokens, index)
    if (!image) return [token]
    const { address, width } = splitWidth(String(image.attrGet('src')))
    const caption = captionOf(image)
    left -= caption.length
    if ((caption === '' && width === undefined) || left < 0) return [token]
    image.attrSet('src', address)
    image.attrs = image.attrs!.filter(([name]) => name !== 'title')
    retag(tokens[index - 1]!, 'figure_open')
    retag(tokens[index + 1]!, 'figure_close')
    if (width !== undefined) tokens[index - 1]!.attrSet('class', width)
    return caption === '' ? [token] : [token, ...captionTokens(caption, token, state)]
  })
}

function pictureAlone(tokens: readonly Token[], index: number): Token | undefined {
  const { type, children } = tokens[index]!
  if (type !== 'inline' || children?.length !== 1 || tokens[index - 1]?.type !== 'paragraph_open') return undefined
  const [image] = children
  return image!.type === 'image' ? image : undefined
}

const captionOf = (image: Token): string =>
  String(image.attrGet('title') ?? '')
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/^ | $/g, '')

/** Also in a tight list, where a paragraph is not shown as one. */
function retag(paragraph: Token, type: string): void {
  paragraph.type = type
  paragraph.tag = 'figure'
  paragraph.hidden = false
}

function captionTokens(caption: string, { map, level }: Token, { md, env, Token }: StateCore): Token[] {
  const open = new Token('figcaption_open', 'figcaption', 1)
  const inline = new Token('inline', '', 0)
  const close = new Token('figcaption_close', 'figcaption', -1)
  for (const token of [open, inline, close]) Object.assign(token, { map, level, block: true })
  inline.content = caption
  inline.children = []
  md.inline.parse(caption, md, env, inline.children)
  return [open, inline, close]
}
