/** A fenced block of a Markdown text. */
export interface Fence {
  readonly language: string
  /** What follows the language: `run`, `serve`, or nothing. */
  readonly marker: string
  readonly code: string
  /** Where it begins, from 1. */
  readonly line: number
}

export function fencesIn(markdown: string): Fence[] {
  return [...markdown.matchAll(/^( *)```(\w*)(?: (\w+))?\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 2: language = '', 3: marker = '', 4: code = '' }) => ({
      language,
      marker,
      code,
      line: markdown.slice(0, index).split('\n').length,
    }),
  )
}
