import { blank, type Manuscript } from './manuscript.ts'

/** The server's limits, in code points. */
export const longest = { headline: 200, sub: 400, body_md: 100_000, tag: 32, tags: 8 } as const

/** How much longer it is than it may be; negative where there is room. Counting is dear, so only what is close is counted. */
export const excess = (text: string, limit: number): number =>
  text.length <= limit ? text.length - limit : [...text].length - limit

export interface Held {
  /** What can go to the server: members that it would refuse stay as they were. */
  readonly sendable: Manuscript
  /** Why the rest stays here; empty where nothing does. */
  readonly words: string
}

const names = { headline: 'The headline', sub: 'The standfirst', body_md: 'The text' } as const

/** A line that is too long holds only itself back: everything else is saved. */
export function heldBack(manuscript: Manuscript, before: Manuscript = blank): Held {
  let sendable = manuscript
  const words: string[] = []
  for (const member of ['headline', 'sub', 'body_md'] as const) {
    const over = excess(manuscript[member], longest[member])
    if (over <= 0) continue
    sendable = { ...sendable, [member]: before[member] }
    words.push(`${names[member]} is ${over.toLocaleString('en-GB')} too long for the server.`)
  }
  return { sendable, words: words.join(' ') }
}
