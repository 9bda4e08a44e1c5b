import { type Element, hasClass, isElement, type Node, textOf } from './html-tree.ts'

/**
 * Serialises the inline content of one paragraph to Markdown that our own parser reads back identically.
 *
 * Whether `*` opens, closes or is text depends on the characters next to it (CommonMark 6.2). A character in the way is
 * written as a reference (`&#97;`), which counts as punctuation; two marks that would run together are separated by
 * `&#8203;`, which is invisible and removed by our parser.
 */

type Token =
  | { readonly kind: 'text'; readonly value: string }
  /** Literal Markdown that begins and ends with punctuation. */
  | { readonly kind: 'raw' | 'note' | 'open' | 'close'; readonly value: string }

export interface MarkdownStyle {
  /** Heading ids in this text: links to them are written by their words. */
  readonly ids: ReadonlySet<string>
  /** For people to edit: escapes only what would be a mark, and has no references. */
  readonly readable: boolean
}

interface InlineContext extends MarkdownStyle {
  /** Enclosing marks: one of each kind at a time. */
  readonly around: readonly string[]
}

const apart = '&#8203;'
const hardBreak = '\\\n'

/** `oneLine` for headings and cells, which end with their line. */
export function inlineMarkdown(nodes: readonly Node[], { ids, readable }: MarkdownStyle, oneLine = false): string {
  const tokens: Token[] = []
  flatten(nodes, { ids, readable, around: [] }, tokens)
  const written = tokens.map((token, at) => (readable ? writeReadable(token) : write(tokens, at))).join('')
  return withoutBlocks(oneLine ? written.replace(/\n/g, '&#10;') : written)
}

/** Begins with a word character, single spaces, no special characters: most single-line text. */
const plain = /^\p{L}[^\\`*_~[\]<=>&\s]*(?: [^\\`*_~[\]<=>&\s]+)*$/u

/** Plain text as Markdown that displays exactly that, on one line. */
export const wordsAsMarkdown = (words: string): string =>
  plain.test(words) ? words : withoutBlocks(escaped(words.replace(/\s+/g, ' ').trim()))

function add(tokens: Token[], kind: Token['kind'], value: string): void {
  const last = tokens.at(-1)
  if (kind === 'text' && last?.kind === 'text') tokens[tokens.length - 1] = { kind, value: last.value + value }
  else if (value !== '') tokens.push({ kind, value })
}

function flatten(nodes: readonly Node[], context: InlineContext, tokens: Token[]): void {
  for (const node of nodes) {
    if (!isElement(node)) add(tokens, 'text', tokens.at(-1)?.value === hardBreak ? node.replace(/^\n/, '') : node)
    else if (['em', 'strong', 'del'].includes(node.tag)) flattenMark(node, context, tokens)
    else if (node.tag === 'code') add(tokens, 'raw', codeSpan(textOf(node.children)))
    else if (node.tag === 'br') add(tokens, 'raw', hardBreak)
    else if (node.tag === 'img') add(tokens, 'raw', picture(node, context))
    else if (node.tag === 'input') add(tokens, 'raw', node.attributes['checked'] === undefined ? '[ ]' : '[x]')
    else if (hasClass(node, 'footnote-ref')) add(tokens, 'note', `[^${textOf(node.children)}]`)
    else if (node.attributes['href'] !== undefined) flattenLink(node, context, tokens)
    else flatten(node.children, context, tokens)
  }
}

/** `*`, inside it `_`, and `~~`: a third level is dropped. Readable text has `*` and `**` in each other. */
function flattenMark({ tag, children }: Element, context: InlineContext, tokens: Token[]): void {
  const sorts = tag === 'del' ? ['~'] : context.readable ? ['*'] : ['*', '_']
  const free = sorts.filter((sort) => context.readable || !context.around.includes(sort))
  const last = tokens.at(-1)
  const sort = free.find((one) => last?.kind !== 'close' || !last.value.startsWith(one)) ?? free[0]
  if (sort === undefined) {
    flatten(children, context, tokens)
    return
  }
  const mark = tag === 'em' ? sort : sort.repeat(2)
  add(tokens, 'open', mark)
  const before = tokens.length
  flatten(children, { ...context, around: [...context.around, sort] }, tokens)
  if (tokens.length === before) add(tokens, 'raw', apart)
  add(tokens, 'close', mark)
}

function flattenLink({ attributes, children }: Element, context: InlineContext, tokens: Token[]): void {
  const { href = '', title } = attributes
  const words = textOf(children)
  if (title === undefined && isAddress(words, context) && (words === href || encodeURI(words) === href)) {
    add(tokens, 'raw', `<${words}>`)
  } else if (context.around.includes('[')) {
    // A link cannot contain a link, except for a bare URL.
    flatten(children, context, tokens)
  } else {
    add(tokens, 'raw', '[')
    flatten(children, { ...context, around: [...context.around, '['] }, tokens)
    add(tokens, 'raw', `](${destination(fragment(href, context.ids), context)}${quoted(title)})`)
  }
}

const isAddress = (words: string, { readable }: InlineContext): boolean =>
  /^(?:https?|mailto):[^\s<>\\`]+$/i.test(words) && (readable || !words.includes('&')) && words.isWellFormed()

/** The length to which anchors.ts cuts ids. */
const longestAnchor = 60

/** Our parser turns `#tea` into `#s-tea`; other parsers only know the former. */
function fragment(href: string, ids: ReadonlySet<string>): string {
  if (!href.startsWith('#s-')) return href
  const words = href.slice(3)
  return [...words].length > longestAnchor || ids.has(words) ? href : `#${words}`
}

function picture({ attributes: { src = '', alt = '', title } }: Element, context: InlineContext): string {
  return `![${escaped(alt).replace(/\n/g, '&#10;')}](${destination(src, context)}${quoted(title)})`
}

/** Balanced parentheses need no brackets. */
function destination(address: string, { readable }: InlineContext): string {
  const written = withoutReferences(address)
  return /[()]/.test(written) && !readable ? `<${written}>` : written
}

const quoted = (title: string | undefined): string =>
  title === undefined ? '' : ` "${withoutReferences(title.replace(/["\\]/g, '\\$&')).replace(/\n/g, '&#10;')}"`

/** A `&` that would form a reference with what follows. */
const ampersand = '&(?=(?:#x?[0-9a-f]{1,7}|[a-z][a-z0-9]{0,31});)'
const references = new RegExp(ampersand, 'gi')
const withoutReferences = (text: string): string => text.replace(references, '&amp;')

function codeSpan(code: string): string {
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  const needsSpace = /^`|`$/.test(code) || /^ (?=.*[^ ]).* $/s.test(code)
  return needsSpace ? `${fence} ${code} ${fence}` : fence + code + fence
}

/** Of an address that is text and no link. */
const addressMark = String.raw`:(?<=\bhttps?:)(?=//)|\.(?<=\bwww\.)(?=\S)`
const special = new RegExp(`[\\\\\`*_~[\\]<]|${ampersand}|${addressMark}`, 'gi')
const word = /^[\p{L}\p{N}]$/u

/** An underscore between two letters needs no escape. `<`, `=` and `>` compose with U+0338. */
const escaped = (text: string): string =>
  text
    .replace(special, (one: string, at: number) =>
      one === '_' && word.test(text[at - 1] ?? '') && word.test(text[at + 1] ?? '') ? one : `\\${one}`,
    )
    .replace(/(?<=[<=>])\u0338/g, '&#824;')

const bareAddress = /(\b(?:https?:\/\/|www\.)[^\s<>]+)/i

/** Escapes only what would be read as a mark by itself; an address becomes a link as it is. */
const writeReadable = ({ kind, value }: Token): string =>
  kind === 'text'
    ? value
        .split(bareAddress)
        .map((part, at) => (at % 2 === 0 ? readableWords(part) : part))
        .join('')
    : value

const readableWords = (words: string): string =>
  words
    .replace(/\\(?=[!-/:-@[-`{-~])/g, '\\\\')
    .replace(/[*`]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/~~/g, '\\~~')
    .replace(/\[(?=\^|[^\]]*\][([:])/g, '\\[')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
    .replace(references, '\\&')

const reference = (character: string): string => `&#${character.codePointAt(0)};`
/** Neither punctuation nor white space in CommonMark, which does not count U+2028 and U+2029. */
const isLetter = (character: string): boolean => !/[\t\n\f\r\p{Zs}\p{P}\p{S}]/u.test(character)

function write(tokens: readonly Token[], at: number): string {
  const token = tokens[at]!
  if (token.kind === 'text') return writeText(token.value, tokens, at)
  const before = tokens[at - 1]
  if (token.value === hardBreak && at === tokens.length - 1) return hardBreak + apart
  if (token.kind === 'close' && before?.value === hardBreak) return apart + token.value
  const runsOn = before !== undefined && before.kind !== 'text' && before.value.at(-1) === token.value[0]
  return runsOn && /^[*_~`]/.test(token.value) ? apart + token.value : token.value
}

function writeText(text: string, tokens: readonly Token[], at: number): string {
  const first = String.fromCodePoint(text.codePointAt(0)!)
  const head = headOf(first, tokens, at)
  const rest = head === undefined ? text : text.slice(first.length)
  if (rest === '') return head ?? ''
  const last = /.$/su.exec(rest)![0]
  const tail = tailOf(last, tokens, at)
  return (head ?? '') + escaped(tail === undefined ? rest : rest.slice(0, -last.length)) + (tail ?? '')
}

/** How the first character is written if the previous token requires an escape. */
function headOf(first: string, tokens: readonly Token[], at: number): string | undefined {
  const before = tokens[at - 1]
  // It would compose with the character before it.
  if (/\p{M}/u.test(first)) return reference(first)
  if (before?.kind === 'open' && /\s/.test(first)) return reference(first)
  if (before?.kind === 'note' && /[(:]/.test(first)) return `\\${first}`
  if (before?.kind === 'close' && isLetter(first) && needsSpace(before.value, tokens[at - 2], 'last')) {
    return reference(first)
  }
  return undefined
}

function tailOf(last: string, tokens: readonly Token[], at: number): string | undefined {
  const after = tokens[at + 1]
  if (after?.kind === 'close' && /\s/.test(last)) return reference(last)
  if (last === '!' && after?.value.startsWith('[')) return '\\!'
  if (after?.kind === 'open' && isLetter(last) && needsSpace(after.value, tokens[at + 2], 'first'))
    return reference(last)
  return undefined
}

/**
 * Whether a mark must not touch a word character: `_` never may, the others may if what they mark begins, or ends, with a
 * word character.
 */
function needsSpace(mark: string, inside: Token | undefined, edge: 'first' | 'last'): boolean {
  if (mark.startsWith('_') || inside?.kind !== 'text') return true
  const two = [...(edge === 'first' ? inside.value.slice(0, 4) : inside.value.slice(-4))]
  const character = edge === 'first' ? two[0]! : two.at(-1)!
  // A single character may itself be written as a reference because of its other side.
  return two.length === 1 || !isLetter(character) || /[\s\p{M}]/u.test(character)
}

/** What would start another block at the beginning of a line. */
const beginnings = /^(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|=+\s*$|-+\s*$|[|:\s-]+$)|(?<=^\d{1,9})(?=[.)](?:\s|$))/

/**
 * Escapes lines so that they stay one paragraph: none empty, none that begins or ends with white space or starts a
 * block.
 */
function withoutBlocks(inline: string): string {
  return inline
    .replace(/(?<=\n)\n|^\n|\n$/g, '&#10;')
    .split('\n')
    .map((line) => line.replace(/^\s/u, reference).replace(/\s$/u, reference).replace(beginnings, '\\'))
    .join('\n')
}
