import { diffLists, diffWords } from './diff.ts'

/** Replaces `from` to `to` of the old text. */
export interface TextChange {
  readonly from: number
  readonly to: number
  readonly insert: string
}

/** The changes from one text to another, word by word, so that a caret between them keeps its place. */
export function textChanges(before: string, after: string): TextChange[] {
  const found: TextChange[] = []
  let at = 0
  let removed = ''
  let added = ''
  const close = () => {
    for (const { kind, text } of diffWords(removed, added)) {
      const last = found.at(-1)
      if (kind === 'removed') found.push({ from: at, to: at + text.length, insert: '' })
      // Removed text comes before the text added in its place.
      else if (kind === 'added' && last?.to === at) found[found.length - 1] = { ...last, insert: last.insert + text }
      else if (kind === 'added') found.push({ from: at, to: at, insert: text })
      if (kind !== 'added') at += text.length
    }
    removed = ''
    added = ''
  }
  for (const { kind, item } of diffLists(linesOf(before), linesOf(after))) {
    if (kind === 'removed') removed += item
    else if (kind === 'added') added += item
    else {
      close()
      at += item.length
    }
  }
  close()
  return found
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
