import type { Env, MarkdownIt, RendererRule, StateBlock, StateCore, StateInline, Token } from 'markdown-it'

/**
 * Notes as GitHub reads them: `[^name]` in the text, `[^name]: …` anywhere, numbered in the order they are first
 * mentioned. A note nobody mentions is not shown, and of two with one name the first counts.
 *
 * Not markdown-it-footnote (4.0.0): it takes time with the square of the number of notes, 3 s for 8,000, and loses
 * the words around a note inside a note.
 */
export function footnotes(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'footnote', definition, { alt: ['paragraph', 'reference'] })
  markdown.inline.ruler.after('image', 'footnote_mark', mark)
  markdown.core.ruler.push('footnotes', gather)
  Object.assign(markdown.renderer.rules, rules)
}

/** A mention, `nth` of its note; not yet numbered while parsing, and never inside a picture's description. */
type Mention = { readonly label: string; readonly inLink: boolean; number?: number; nth?: number }
export const mentionOf = (token: Token): Mention => token.meta as Mention

type Note = { readonly number: number; mentions: number }
export const noteOf = (token: Token): Note => token.meta as Note

const labels = (env: Env): Set<string> => {
  env['footnoteLabels'] ??= new Set()
  return env['footnoteLabels'] as Set<string>
}

const definitionStart = /\[\^([^\s[\]]{1,100})\]:/y
const mention = /\[\^([^\s[\]]{1,100})\]/y

function definition(state: StateBlock, line: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[line]! - state.blkIndent >= 4) return false
  definitionStart.lastIndex = state.bMarks[line]! + state.tShift[line]!
  const found = definitionStart.exec(state.src)
  if (!found) return false
  if (silent) return true

  const label = found[1]!.toLowerCase()
  labels(state.env).add(label)
  const open = state.push('footnote_open', 'li', 1)
  open.meta = { label }
  open.map = [line, line]
  readBlocks(state, line, endLine, found[0].length)
  open.map = [line, state.line]
  state.push('footnote_close', 'li', -1)
  return true
}

/** The rest of the line and what is indented by four below it, read as blocks of their own. */
function readBlocks(state: StateBlock, line: number, endLine: number, offset: number): void {
  const { blkIndent, parentType } = state
  const [mark, shift, indent] = [state.bMarks[line]!, state.tShift[line]!, state.sCount[line]!]
  const start = mark + shift + offset
  const rest = /^[ \t]*/.exec(state.src.slice(start, state.eMarks[line]))![0].length
  state.bMarks[line] = start
  state.tShift[line] = rest
  state.blkIndent += 4
  state.sCount[line] = state.blkIndent
  state.parentType = 'footnote' as typeof parentType
  state.md.block.tokenize(state, line, endLine)
  state.bMarks[line] = mark
  state.tShift[line] = shift
  state.sCount[line] = indent
  Object.assign(state, { blkIndent, parentType })
}

function mark(state: StateInline, silent: boolean): boolean {
  // Looking ahead, it is a pair of brackets like any other: a link may have it among its words.
  if (silent || state.src.charCodeAt(state.pos) !== 0x5b) return false
  mention.lastIndex = state.pos
  const [whole, label] = mention.exec(state.src) ?? []
  if (!whole || !label || state.pos + whole.length > state.posMax) return false
  if (!labels(state.env).has(label.toLowerCase())) return false
  state.push('footnote_mark', '', 0).meta = { label, inLink: state.linkLevel > 0 } satisfies Mention
  state.pos += whole.length
  return true
}

/** Moves the notes that are mentioned to the end, in the order of their first mention. */
function gather(state: StateCore): void {
  if (labels(state.env).size === 0) return
  const { text, definitions } = apart(state.tokens)
  const notes = new Map<string, Note>()
  const number = (tokens: readonly Token[]) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type !== 'footnote_mark') continue
      const mention = mentionOf(token)
      const label = mention.label.toLowerCase()
      const note = notes.get(label) ?? { number: notes.size + 1, mentions: 0 }
      notes.set(label, note)
      note.mentions += 1
      Object.assign(mention, { number: note.number, nth: note.mentions })
    }
  }
  number(text)
  // A map is walked in the order of its keys, those added on the way too: notes mentioned in notes follow.
  for (const label of notes.keys()) number(definitions.get(label)!)
  state.tokens = text
  if (notes.size === 0) return

  state.tokens.push(new state.Token('footnotes_open', 'section', 1))
  for (const [label, note] of notes) {
    const [open, ...content] = definitions.get(label)!
    open!.meta = note
    for (const token of [open!, ...withReturn(content, note, state)]) state.tokens.push(token)
  }
  state.tokens.push(new state.Token('footnotes_close', 'section', -1))
}

/** The text without its notes, and the notes, each with its opening and closing token; notes inside notes stand alone. */
function apart(tokens: readonly Token[]): { text: Token[]; definitions: Map<string, Token[]> } {
  const text: Token[] = []
  const definitions = new Map<string, Token[]>()
  const open = [text]
  for (const token of tokens) {
    if (token.type === 'footnote_open') {
      const label = mentionOf(token).label
      const content: Token[] = []
      if (!definitions.has(label)) definitions.set(label, content)
      open.push(content)
    }
    open.at(-1)!.push(token)
    if (token.type === 'footnote_close') open.pop()
  }
  return { text, definitions }
}

/** The way back to the text stands at the end of the note's last paragraph, or after whatever it ends with. */
function withReturn(content: readonly Token[], note: Note, state: StateCore): Token[] {
  const back = new state.Token('footnote_return', '', 0)
  back.meta = note
  const place = content.at(-2)?.type === 'paragraph_close' ? -2 : -1
  return [...content.slice(0, place), back, ...content.slice(place)]
}

/** Enough to find every mention of any real note. */
const mostReturns = 20

const markId = (number: number, nth: number) => `fnref-${number}${nth > 1 ? `-${nth}` : ''}`

const rules: Record<string, RendererRule> = {
  footnote_mark: (tokens, index) => {
    const { number, nth, inLink } = mentionOf(tokens[index]!) as Required<Mention>
    const id = markId(number, nth)
    // A link cannot stand in a link.
    if (inLink) return `<sup class="footnote-ref" id="${id}">${number}</sup>`
    return `<sup class="footnote-ref"><a href="#fn-${number}" id="${id}" role="doc-noteref">${number}</a></sup>`
  },
  footnotes_open: () => '<section class="footnotes" role="doc-endnotes">\n<ol>\n',
  footnotes_close: () => '</ol>\n</section>\n',
  footnote_open: (tokens, index) => `<li id="fn-${noteOf(tokens[index]!).number}">\n`,
  footnote_close: () => '</li>\n',
  footnote_return: (tokens, index) => {
    const { number, mentions } = noteOf(tokens[index]!)
    const returns = Array.from({ length: Math.min(mentions, mostReturns) }, (_, i) => {
      const which = i > 0 ? `<sup>${i + 1}</sup>` : ''
      return ` <a href="#${markId(number, i + 1)}" class="footnote-backref" role="doc-backlink">↩\uFE0E${which}</a>`
    })
    return returns.join('')
  },
}
