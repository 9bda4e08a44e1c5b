import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { normalise } from '../text/normalise.ts'
import { inlineText } from './plain-text.ts'

/**
 * Normalises again after parsing, since `&#x200B;` and `%E2%80%8B` in a displayed URL are characters only then; and
 * closes bidi controls at the end of each block. Never applied to finished HTML: `>` composes with U+0338.
 */
export function cleaning(markdown: MarkdownIt): void {
  markdown.core.ruler.push('cleaning', ({ tokens, Token, src }: StateCore) => {
    const hides = /[&%]/.test(src)
    for (const token of tokens) {
      if (hides) normaliseToken(token)
      if (token.type === 'inline') closeInline(token.children ?? [], Token)
      // Each line of code is a bidi paragraph, so each closes its own controls.
      else if (token.content) token.content = token.content.replace(/[^\n]+/g, (line) => line + closing(line))
    }
  })
}

function normaliseToken(token: Token): void {
  token.content = normalise(token.content)
  const title = token.attrGet('title')
  if (title !== null) token.attrSet('title', normalise(String(title)))
  for (const child of token.children ?? []) normaliseToken(child)
}

function closeInline(children: Token[], Token: StateCore['Token']): void {
  for (const child of children) {
    if (child.type === 'image') closeInline(child.children ?? [], Token)
    const title = child.attrGet('title')
    if (title !== null) child.attrSet('title', title + closing(String(title)))
  }
  const end = closing(inlineText(children))
  if (!end) return
  const text = new Token('text', '', 0)
  text.content = end
  children.push(text)
}

/** Bidi control characters must be closed: no block may change the direction of what follows it. */

const turning = /[\u202A-\u202E\u2066-\u2069]/u
const everyTurn = new RegExp(turning, 'gu')

const endOfEmbedding = '\u202C'
const endOfIsolate = '\u2069'

const closers: Readonly<Record<string, string>> = {
  '\u202A': endOfEmbedding,
  '\u202B': endOfEmbedding,
  '\u202C': endOfEmbedding,
  '\u202D': endOfEmbedding,
  '\u202E': endOfEmbedding,
  '\u2066': endOfIsolate,
  '\u2067': endOfIsolate,
  '\u2068': endOfIsolate,
  '\u2069': endOfIsolate,
}

/** The characters that close every embedding, override and isolate left open in `text` (Unicode UAX 9, X1 to X7). */
export function closing(text: string): string {
  if (!turning.test(text)) return ''
  const open: string[] = []
  let isolates = 0
  for (const [character] of text.matchAll(everyTurn)) {
    const closer = closers[character]!
    if (closer !== character) {
      open.push(closer)
      if (closer === endOfIsolate) isolates += 1
    } else if (character === endOfIsolate && isolates > 0) {
      while (open.pop() !== endOfIsolate);
      isolates -= 1
    } else if (open.at(-1) === character) open.pop()
  }
  return open.reverse().join('')
}
