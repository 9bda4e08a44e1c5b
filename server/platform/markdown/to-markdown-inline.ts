import { type Element, hasClass, isElement, type Node, textOf } from './html-tree.ts'

/**
 * Words and marks of one paragraph as Markdown that our own parser reads as the same words and marks.
 *
 * Whether `*` opens, closes or is text depends on the characters beside it (CommonMark 6.2). A letter that stands in
 * the way is written as a reference (`&#97;`), which counts as punctuation; between two marks that would run
 * together stands `&#8203;`, which nobody sees and our parser leaves out.
 */

type Token =
  | { readonly kind: 'text'; readonly value: string }
  /** Markdown that stands as it is; it begins and ends with punctuation. */
  | { readonly kind: 'raw' | 'note' | 'open' | 'close'; readonly value: string }

interface Place {
  /** The ids of the headings of this text: a link to one of them is written by its words. */
  readonly ids: ReadonlySet<string>
  /** The marks around: one of each sort at a time. */
  readonly around: readonly string[]
}

const apart = '&#8203;'
const hardBreak = '\\\n'

/** `oneLine` for headings and cells, which end with their line. */
export function inlineMarkdown(nodes: readonly Node[], ids: ReadonlySet<string>, oneLine = false): string {
  const tokens: Token[] = []
  flatten(nodes, { ids, around: [] }, tokens)
  const written = tokens.map((_, at) => write(tokens, at)).join('')
  return withoutBlocks(oneLine ? written.replace(/\n/g, '&#10;') : written)
}

/** Begins with a letter, one space between words, nothing that Markdown reads: most of what people write on one line. */
const plain = /^\p{L}[^\\`*_~[\]<=>&\s]*(?: [^\\`*_~[\]<=>&\s]+)*$/u

/** Plain words as Markdown that shows just them, on one line. */
export const wordsAsMarkdown = (words: string): string =>
  plain.test(words) ? words : withoutBlocks(escaped(words.replace(/\s+/g, ' ').trim()))

function add(tokens: Token[], kind: Token['kind'], value: string): void {
  const last = tokens.at(-1)
  if (kind === 'text' && last?.kind === 'text') tokens[tokens.length - 1] = { kind, value: last.value + value }
  else if (value !== '') tokens.push({ kind, value })
}

function flatten(nodes: readonly Node[], place: Place, tokens: Token[]): void {
  for (const node of nodes) {
    if (!isElement(node)) add(tokens, 'text', tokens.at(-1)?.value === hardBreak ? node.replace(/^\n/, '') : node)
    else if (['em', 'strong', 'del'].includes(node.tag)) flattenMark(node, place, tokens)
    else if (node.tag === 'code') add(tokens, 'raw', codeSpan(textOf(node.children)))
    else if (node.tag === 'br') add(tokens, 'raw', hardBreak)
    else if (node.tag === 'img') add(tokens, 'raw', picture(node))
    else if (node.tag === 'input') add(tokens, 'raw', node.attributes['checked'] === undefined ? '[ ]' : '[x]')
    else if (hasClass(node, 'footnote-ref')) add(tokens, 'note', `[^${textOf(node.children)}]`)
    else if (node.attributes['href'] !== undefined) flattenLink(node, place, tokens)
    else flatten(node.children, place, tokens)
  }
}

/** `*`, inside it `_`, and `~~`: what is marked a third time stays as it is. */
function flattenMark({ tag, children }: Element, place: Place, tokens: Token[]): void {
  const free = (tag === 'del' ? ['~'] : ['*', '_']).filter((sort) => !place.around.includes(sort))
  const last = tokens.at(-1)
  const sort = free.find((one) => last?.kind !== 'close' || !last.value.startsWith(one)) ?? free[0]
  if (sort === undefined) {
    flatten(children, place, tokens)
    return
  }
  const mark = tag === 'em' ? sort : sort.repeat(2)
  add(tokens, 'open', mark)
  const before = tokens.length
  flatten(children, { ...place, around: [...place.around, sort] }, tokens)
  if (tokens.length === before) add(tokens, 'raw', apart)
  add(tokens, 'close', mark)
}

function flattenLink({ attributes, children }: Element, place: Place, tokens: Token[]): void {
  const { href = '', title } = attributes
  const words = textOf(children)
  if (title === undefined && isAddress(words) && (words === href || encodeURI(words) === href)) {
    add(tokens, 'raw', `<${words}>`)
  } else if (place.around.includes('[')) {
    // No link stands in a link, but for an address as it is.
    flatten(children, place, tokens)
  } else {
    add(tokens, 'raw', '[')
    flatten(children, { ...place, around: [...place.around, '['] }, tokens)
    add(tokens, 'raw', `](${destination(fragment(href, place.ids))}${quoted(title)})`)
  }
}

const isAddress = (words: string): boolean => /^(?:https?|mailto):[^\s<>&\\`]+$/i.test(words) && words.isWellFormed()

/** What anchors.ts cuts the words of an id to. */
const longestAnchor = 60

/** `#s-tea` is what our parser makes of `#tea`, and others know only that. */
function fragment(href: string, ids: ReadonlySet<string>): string {
  if (!href.startsWith('#s-')) return href
  const words = href.slice(3)
  return [...words].length > longestAnchor || ids.has(words) ? href : `#${words}`
}

function picture({ attributes: { src = '', alt = '', title } }: Element): string {
  return `![${escaped(alt).replace(/\n/g, '&#10;')}](${destination(src)}${quoted(title)})`
}

function destination(address: string): string {
  const written = withoutReferences(address)
  return /[()]/.test(written) ? `<${written}>` : written
}

const quoted = (title: string | undefined): string =>
  title === undefined ? '' : ` "${withoutReferences(title.replace(/["\\]/g, '\\$&')).replace(/\n/g, '&#10;')}"`

/** A `&` that would be read together with what follows it. */
const ampersand = '&(?=(?:#x?[0-9a-f]{1,7}|[a-z][a-z0-9]{0,31});)'
const references = new RegExp(ampersand, 'gi')
const withoutReferences = (text: string): string => text.replace(references, '&amp;')

function codeSpan(code: string): string {
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0)
  const fence = '`'.repeat(longest + 1)
  const needsRoom = /^`|`$/.test(code) || /^ (?=.*[^ ]).* $/s.test(code)
  return needsRoom ? `${fence} ${code} ${fence}` : fence + code + fence
}

const special = new RegExp(`[\\\\\`*_~[\\]<]|${ampersand}`, 'gi')
const word = /^[\p{L}\p{N}]$/u

/** An underscore between two letters is one and needs no escape. `<`, `=` and `>` are composed with U+0338. */
const escaped = (text: string): string =>
  text
    .replace(special, (one: string, at: number) =>
      one === '_' && word.test(text[at - 1] ?? '') && word.test(text[at + 1] ?? '') ? one : `\\${one}`,
    )
    .replace(/(?<=[<=>])\u0338/g, '&#824;')

const reference = (character: string): string => `&#${character.codePointAt(0)};`
/** All that is neither punctuation nor white space to CommonMark, which does not count U+2028 and U+2029. */
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

/** How the first character is written where the token before it asks for care. */
function headOf(first: string, tokens: readonly Token[], at: number): string | undefined {
  const before = tokens[at - 1]
  // It would be composed with whatever mark stands before it.
  if (/\p{M}/u.test(first)) return reference(first)
  if (before?.kind === 'open' && /\s/.test(first)) return reference(first)
  if (before?.kind === 'note' && /[(:]/.test(first)) return `\\${first}`
  if (before?.kind === 'close' && isLetter(first) && needsRoom(before.value, tokens[at - 2], 'last')) {
    return reference(first)
  }
  return undefined
}

function tailOf(last: string, tokens: readonly Token[], at: number): string | undefined {
  const after = tokens[at + 1]
  if (after?.kind === 'close' && /\s/.test(last)) return reference(last)
  if (last === '!' && after?.value.startsWith('[')) return '\\!'
  if (after?.kind === 'open' && isLetter(last) && needsRoom(after.value, tokens[at + 2], 'first'))
    return reference(last)
  return undefined
}

/** Whether a mark can stand beside a letter: `_` never, the others if what they mark begins, or ends, with a letter. */
function needsRoom(mark: string, inside: Token | undefined, edge: 'first' | 'last'): boolean {
  if (mark.startsWith('_') || inside?.kind !== 'text') return true
  const two = [...(edge === 'first' ? inside.value.slice(0, 4) : inside.value.slice(-4))]
  const character = edge === 'first' ? two[0]! : two.at(-1)!
  // A character alone may itself be written as a reference, for the sake of its other side.
  return two.length === 1 || !isLetter(character) || /[\s\p{M}]/u.test(character)
}

/** What would begin another block at the start of a line. */
const beginnings = /^(?=#{1,6}(?:\s|$)|>|[-+](?:\s|$)|=+\s*$|-+\s*$|[|:\s-]+$)|(?<=^\d{1,9})(?=[.)](?:\s|$))/

/** Lines that hold together as one paragraph: none empty, none that begins or ends with white space or like a block. */
function withoutBlocks(inline: string): string {
  return inline
    .replace(/(?<=\n)\n|^\n|\n$/g, '&#10;')
    .split('\n')
    .map((line) => line.replace(/^\s/u, reference).replace(/\s$/u, reference).replace(beginnings, '\\'))
    .join('\n')
}
