import type { MarkdownIt, StateCore, Token } from 'markdown-it'
import { inlineText } from './plain-text.ts'

/**
 * Makes headings linkable. Ids begin with `s-`, so that none collides with a name used by the page or a script, and
 * keep the characters of every script, so that a link shows where it leads.
 */
export function anchors(markdown: MarkdownIt): void {
  markdown.core.ruler.push('anchors', nameHeadings)
}

const prefix = 's-'
const longest = 60

export type Anchors = (heading: string) => string

/** Assigns ids to the headings of one text: equal words get a number from the second on. */
export function newAnchors(): Anchors {
  const counts = new Map<string, number>()
  return (heading) => {
    const base = anchorOf(heading)
    let count = counts.get(base) ?? 0
    let anchor: string
    do {
      count += 1
      anchor = count === 1 ? base : `${base}-${count}`
    } while (count > 1 && counts.has(anchor))
    counts.set(base, count)
    if (count > 1) counts.set(anchor, 1)
    return anchor
  }
}

/** "Tea, twice a day" -> "s-tea-twice-a-day". */
function anchorOf(heading: string): string {
  const words = heading.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? ['section']
  const joined = [...words.join('-')].slice(0, longest).join('')
  return prefix + joined.replace(/-$/, '')
}

function nameHeadings({ tokens }: StateCore): void {
  const anchorFor = newAnchors()
  const ids = new Set<string>()
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.type !== 'heading_open') continue
    const id = anchorFor(inlineText(tokens[index + 1]?.children ?? [], { marks: false }))
    token.attrSet('id', id)
    ids.add(id)
  }
  for (const { children } of tokens) for (const token of children ?? []) pointToHeading(token, ids)
}

/** `[below](#tea)` finds the heading "Tea"; no fragment leads to an element of the page itself. */
function pointToHeading(token: Token, ids: ReadonlySet<string>): void {
  if (token.type !== 'link_open') return
  const address = String(token.attrGet('href'))
  if (!address.startsWith('#')) return
  const fragment = decoded(address.slice(1))
  token.attrSet('href', `#${ids.has(fragment) ? fragment : anchorOf(fragment)}`)
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
