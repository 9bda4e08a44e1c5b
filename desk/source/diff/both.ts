import { difference, type Part } from './diff.ts'

const sideOf = (parts: readonly Part[], side: 'removed' | 'added'): string =>
  parts
    .filter(({ kind }) => kind === 'same' || kind === side)
    .map(({ text }) => text)
    .join('')

/** Two texts in one: what they share once, and where they differ one after the other, mine first. */
export const both = (mine: string, theirs: string): string =>
  difference(theirs, mine)
    .flatMap(({ kind, parts }) =>
      kind === 'changed'
        ? [sideOf(parts, 'added'), sideOf(parts, 'removed')]
        : [parts.map(({ text }) => text).join('')],
    )
    .join('\n\n')
