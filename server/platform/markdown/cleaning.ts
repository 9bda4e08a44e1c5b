import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { normalise } from '../text/normalise.ts'
import { closing } from './bidi.ts'
import { inlineText } from './plain-text.ts'

/**
 * Once more after parsing, since `&#x200B;` and the `%E2%80%8B` of a shown address are only then characters; and
 * what a block turns around is turned back at its end. Never over finished HTML: `>` composes with U+0338.
 */
export function cleaning(markdown: MarkdownIt): void {
  markdown.core.ruler.push('cleaning', ({ tokens, Token, src }: StateCore) => {
    const hides = /[&%]/.test(src)
    for (const token of tokens) {
      if (hides) normaliseToken(token)
      if (token.type === 'inline') closeInline(token.children ?? [], Token)
      // A line of code is a paragraph to the direction of text: each ends its own turns.
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
