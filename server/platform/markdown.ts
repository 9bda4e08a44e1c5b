import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { normalise } from './text/normalise.ts'

export interface Rendered {
  readonly html: string
  readonly text: string
}

/** CommonMark without raw HTML: what a writer types is text or Markdown, never tags. */
const markdown = new MarkdownIt('commonmark', { html: false, linkify: false, typographer: false, maxNesting: 50 })
markdown.validateLink = (address) => /^(https?:\/\/|mailto:|#)/i.test(address.trim())

const renderer = markdown.renderer
renderer.rules['link_open'] = (tokens, index, options) => {
  tokens[index]?.attrSet('rel', 'ugc nofollow noopener noreferrer')
  return renderer.renderToken(tokens, index, options)
}
type Token = ReturnType<typeof markdown.parse>[number]

/** The second, independent wall: only these tags and attributes leave the house. */
const allowed: sanitizeHtml.IOptions = {
  allowedTags: [
    'p',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'blockquote',
    'pre',
    'code',
    'em',
    'strong',
    'a',
    'img',
    'br',
    'hr',
  ],
  allowedAttributes: { a: ['href', 'title', 'rel'], img: ['src', 'alt', 'title'], ol: ['start'], code: ['class'] },
  allowedClasses: { code: [/^language-[\w+#.-]{1,40}$/] },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['https'] },
  allowProtocolRelative: false,
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !attribs['src'],
  // Written as markdown-it writes them, so that a clean text passes unchanged.
  selfClosing: ['img', 'br', 'hr'],
  parser: { decodeEntities: true },
}

/** Markdown to sanitised HTML and to the same words without markup. Called when text goes public, never when it is read. */
export function renderMarkdown(source: string): Rendered {
  const tokens = markdown.parse(normalise(source), {})
  for (const token of tokens) normaliseToken(token)
  const html = markdown.renderer.render(tokens, markdown.options, {})
  return { html: sanitizeHtml(html, allowed), text: normalise(plainText(tokens)) }
}

/** Once more after parsing, since `&#x200B;` is only then a character. Never over finished HTML: `>` composes with U+0338. */
function normaliseToken(token: Token): void {
  token.content = normalise(token.content)
  const title = token.attrGet('title')
  if (title !== null) token.attrSet('title', normalise(String(title)))
  for (const child of token.children ?? []) normaliseToken(child)
}

/** Blocks set apart by an empty line, items of a list by a line break. */
function plainText(tokens: readonly Token[]): string {
  let text = ''
  let listDepth = 0
  let separator = '\n\n'
  for (const token of tokens) {
    if (/_list_(open|close)$/.test(token.type)) {
      listDepth += token.nesting
      if (listDepth === (token.nesting === 1 ? 1 : 0)) separator = '\n\n'
      continue
    }
    const block = blockText(token)
    if (!block) continue
    text += text ? separator + block : block
    separator = listDepth > 0 ? '\n' : '\n\n'
  }
  return text
}

function blockText(token: Token): string {
  if (token.type === 'inline') return inlineText(token.children ?? [])
  return token.type === 'fence' || token.type === 'code_block' ? token.content.replace(/\n$/, '') : ''
}

function inlineText(tokens: readonly Token[]): string {
  let text = ''
  for (const token of tokens) {
    if (token.type === 'text' || token.type === 'code_inline' || token.type === 'text_special') text += token.content
    else if (token.type === 'softbreak' || token.type === 'hardbreak') text += '\n'
    else if (token.type === 'image') text += token.content
  }
  return text
}
