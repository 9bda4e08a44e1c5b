import type { Env, MarkdownIt, RendererRule, StateBlock, StateCore, StateInline, Token } from 'markdown-it'

/**
 * Footnotes as on GitHub: `[^name]` in the text, `[^name]: …` anywhere, numbered in the order of their first mention.
 * Notes without a mention are dropped, and the first of two with one name counts.
 *
 * Not markdown-it-footnote (4.0.0): it takes quadratic time, 3 s for 8,000 notes, and loses the words around a note
 * inside a note.
 */
export function footnotes(markdown: MarkdownIt): void {
  markdown.block.ruler.before('reference', 'footnote', definition, { alt: ['paragraph', 'reference'] })
  markdown.inline.ruler.after('image', 'footnote_mark', mark)
  markdown.core.ruler.push('footnotes', gather)
  Object.assign(markdown.renderer.rules, rules)
}

/** A mention, `nth` of its note; not numbered while parsing, and never inside an image description. */
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

/** Parses the rest of the line and what is indented by four below it as blocks. */
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
  // In lookahead it is a pair of brackets like any other: a link may contain it.
  if (silent || state.src.charCodeAt(state.pos) !== 0x5b) return false
  mention.lastIndex = state.pos
  const [whole, label] = mention.exec(state.src) ?? []
  if (!whole || !label || state.pos + whole.length > state.posMax) return false
  if (!labels(state.env).has(label.toLowerCase())) return false
  state.push('footnote_mark', '', 0).meta = { label, inLink: state.linkLevel > 0 } satisfies Mention
  state.pos += whole.length
  return true
}

/** Moves mentioned notes to the end, in the order of their first mention. */
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
  // Iteration includes keys added meanwhile: notes mentioned in notes follow.
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

/** Separates the text from its notes, each with its opening and closing token; nested notes are separated too. */
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

/** The backlink is placed at the end of the note's last paragraph, or after its last block. */
function withReturn(content: readonly Token[], note: Note, state: StateCore): Token[] {
  const back = new state.Token('footnote_return', '', 0)
  back.meta = note
  const place = content.at(-2)?.type === 'paragraph_close' ? -2 : -1
  return [...content.slice(0, place), back, ...content.slice(place)]
}

/** Enough for the mentions of any real note. */
const mostReturns = 20

const markId = (number: number, nth: number) => `fnref-${number}${nth > 1 ? `-${nth}` : ''}`

const rules: Record<string, RendererRule> = {
  footnote_mark: (tokens, index) => {
    const { number, nth, inLink } = mentionOf(tokens[index]!) as Required<Mention>
    const id = markId(number, nth)
    // A link cannot contain a link.
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

/**
 * Task lists: items that begin with `[ ]` or `[x]`. The checkbox is disabled; its label gives it an accessible name in
 * the text's language.
 */
export function tasks(markdown: MarkdownIt): void {
  markdown.core.ruler.push('tasks', markTasks)
  markdown.renderer.rules['task_open'] = (tokens, index) =>
    `<label><input type="checkbox" disabled=""${isDone(tokens[index]!) ? ' checked=""' : ''} /> `
  markdown.renderer.rules['task_close'] = () => '</label>'
}

export const isDone = (task: Token): boolean => (task.meta as { done: boolean }).done

function markTasks({ tokens, Token }: StateCore): void {
  const lists: Token[] = []
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.type.endsWith('_list_open')) lists.push(token)
    else if (token.type.endsWith('_list_close')) lists.pop()
    else if (token.type === 'list_item_open' && tokens[index + 1]?.type === 'paragraph_open') {
      if (!markTask(tokens[index + 2]?.children ?? [], Token)) continue
      token.attrSet('class', 'task-list-item')
      lists.at(-1)?.attrSet('class', 'contains-task-list')
    }
  }
}

function markTask(children: Token[], Token: StateCore['Token']): boolean {
  const [first] = children
  const mark = first?.type === 'text' && /^\[([ xX])\]\s+/.exec(first.content)
  if (!first || !mark) return false
  first.content = first.content.slice(mark[0].length)
  const open = new Token('task_open', 'label', 1)
  open.meta = { done: mark[1] !== ' ' }
  children.unshift(open)
  children.push(new Token('task_close', 'label', -1))
  return true
}
