import { type Step, steps } from './steps.ts'

/** What changed between two texts, paragraph by paragraph, and word by word inside those that stayed recognisable. */

export interface Part {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

export interface Paragraph {
  readonly kind: 'same' | 'removed' | 'added' | 'changed'
  readonly parts: readonly Part[]
}

/** Below this share of common letters two paragraphs are two, not one that was changed. */
const kinship = 0.4

/** Blank lines part paragraphs, but not inside fenced code. */
export function paragraphsOf(text: string): string[] {
  const found: string[] = []
  let open: string[] = []
  let fence: string | undefined
  const close = () => {
    if (open.length > 0) found.push(open.join('\n'))
    open = []
  }
  for (const line of text.split(/\r\n?|\n/)) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && line.trim() === '') close()
    else open.push(line)
    if (mark && fence === undefined) fence = mark
    else if (mark && fence !== undefined && mark.startsWith(fence)) fence = undefined
  }
  close()
  return found
}

export function difference(before: string, after: string): Paragraph[] {
  const found: Paragraph[] = []
  let run: Step<string>[] = []
  for (const step of steps(paragraphsOf(before), paragraphsOf(after))) {
    if (step.kind !== 'same') {
      run.push(step)
      continue
    }
    found.push(...rewritten(run), { kind: 'same', parts: [{ kind: 'same', text: step.one }] })
    run = []
  }
  return [...found, ...rewritten(run)]
}

export const isSame = (paragraphs: readonly Paragraph[]): boolean => paragraphs.every(({ kind }) => kind === 'same')

/** Removed and added paragraphs side by side: each one removed is looked for, in order, among those added. */
function rewritten(run: readonly Step<string>[]): Paragraph[] {
  const removed = run.filter(({ kind }) => kind === 'removed').map(({ one }) => one)
  const added = run.filter(({ kind }) => kind === 'added').map(({ one }) => one)
  const found: Paragraph[] = []
  let next = 0
  for (const old of removed) {
    const match = added.findIndex((one, place) => place >= next && isKin(old, one))
    if (match === -1) {
      found.push({ kind: 'removed', parts: [{ kind: 'removed', text: old }] })
      continue
    }
    found.push(...added.slice(next, match).map(whole))
    found.push({ kind: 'changed', parts: wordsBetween(old, added[match]!) })
    next = match + 1
  }
  return [...found, ...added.slice(next).map(whole)]
}

const whole = (text: string): Paragraph => ({ kind: 'added', parts: [{ kind: 'added', text }] })

function isKin(one: string, other: string): boolean {
  const [words, others] = [wordsOf(one), new Set(wordsOf(other))]
  const shared = words.filter((word) => others.has(word) && /\w|[^\x00-\x7f]/.test(word)).join('').length
  return shared >= kinship * Math.min(one.length, other.length)
}

/** Words, the spaces between them, and each other sign by itself. Scripts without spaces go letter by letter. */
const wordsOf = (text: string): string[] =>
  text.match(/\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}'’]+|./gsu) ??
  []

export function wordsBetween(before: string, after: string): Part[] {
  return joined(bridged(joined(steps(wordsOf(before), wordsOf(after)).map(({ kind, one }) => ({ kind, text: one })))))
}

/** A lone space between two changes belongs to them: it reads as a phrase, not as a row of words. */
function bridged(parts: readonly Part[]): Part[] {
  return parts.flatMap((part, place): Part[] => {
    const isBetween = place > 0 && place < parts.length - 1 && part.kind === 'same' && /^\s+$/.test(part.text)
    return isBetween
      ? [
          { kind: 'removed', text: part.text },
          { kind: 'added', text: part.text },
        ]
      : [part]
  })
}

/** Neighbours of a kind in one, and in each run of changes what was removed before what was added. */
function joined(parts: readonly Part[]): Part[] {
  const found: Part[] = []
  let removed = ''
  let added = ''
  const close = () => {
    if (removed) found.push({ kind: 'removed', text: removed })
    if (added) found.push({ kind: 'added', text: added })
    removed = ''
    added = ''
  }
  for (const { kind, text } of parts) {
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    else {
      close()
      const last = found.at(-1)
      if (last?.kind === 'same') found[found.length - 1] = { kind, text: last.text + text }
      else found.push({ kind, text })
    }
  }
  close()
  return found
}
