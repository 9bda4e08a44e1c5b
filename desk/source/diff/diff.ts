/** Compares two texts by paragraph, and by word inside paragraphs that are similar. */

export interface Part {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

export interface Paragraph {
  readonly kind: 'same' | 'removed' | 'added' | 'changed'
  readonly parts: readonly Part[]
}

/** Below this share of common characters two paragraphs count as removed and added, not as changed. */
const minSimilarity = 0.4

/** Blank lines separate paragraphs, except inside fenced code. */
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

export function diffParagraphs(before: string, after: string): Paragraph[] {
  const found: Paragraph[] = []
  let run: Step<string>[] = []
  for (const step of diffLists(paragraphsOf(before), paragraphsOf(after))) {
    if (step.kind !== 'same') {
      run.push(step)
      continue
    }
    found.push(...pairChanges(run), { kind: 'same', parts: [{ kind: 'same', text: step.item }] })
    run = []
  }
  return [...found, ...pairChanges(run)]
}

export const isUnchanged = (paragraphs: readonly Paragraph[]): boolean =>
  paragraphs.every(({ kind }) => kind === 'same')

/** Pairs each removed paragraph with the first similar added one, in order. */
function pairChanges(run: readonly Step<string>[]): Paragraph[] {
  const removed = run.filter(({ kind }) => kind === 'removed').map(({ item }) => item)
  const added = run.filter(({ kind }) => kind === 'added').map(({ item }) => item)
  const found: Paragraph[] = []
  let next = 0
  for (const old of removed) {
    const match = added.findIndex((one, place) => place >= next && isSimilar(old, one))
    if (match === -1) {
      found.push({ kind: 'removed', parts: [{ kind: 'removed', text: old }] })
      continue
    }
    found.push(...added.slice(next, match).map(addedParagraph))
    found.push({ kind: 'changed', parts: diffWords(old, added[match]!) })
    next = match + 1
  }
  return [...found, ...added.slice(next).map(addedParagraph)]
}

const addedParagraph = (text: string): Paragraph => ({ kind: 'added', parts: [{ kind: 'added', text }] })

function isSimilar(one: string, other: string): boolean {
  const [words, others] = [splitWords(one), new Set(splitWords(other))]
  const shared = words.filter((word) => others.has(word) && /\w|[^\x00-\x7f]/.test(word)).join('').length
  return shared >= minSimilarity * Math.min(one.length, other.length)
}

/** Splits into words, runs of spaces, and single other characters. Scripts without spaces are split by character. */
export const splitWords = (text: string): string[] =>
  text.match(/\s+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{M}\p{N}'’]+|./gsu) ??
  []

export function diffWords(before: string, after: string): Part[] {
  return joinParts(
    absorbSpaces(
      joinParts(diffLists(splitWords(before), splitWords(after)).map(({ kind, item }) => ({ kind, text: item }))),
    ),
  )
}

/** A single space between two changes becomes part of them, so that they read as one phrase. */
function absorbSpaces(parts: readonly Part[]): Part[] {
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

/** Joins neighbours of the same kind; in each run of changes, removed text comes before added text. */
function joinParts(parts: readonly Part[]): Part[] {
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

/** Comparisons that need more steps treat the texts as entirely different. */
const maxSteps = 1500

export interface Step<T> {
  readonly kind: 'same' | 'removed' | 'added'
  readonly item: T
}

/** The shortest edit script (E. W. Myers, 1986), after trimming the common start and end. */
export function diffLists<T>(before: readonly T[], after: readonly T[]): Step<T>[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1
  }
  const same = (item: T): Step<T> => ({ kind: 'same', item })
  return [
    ...before.slice(0, start).map(same),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

function diffMiddle<T>(before: readonly T[], after: readonly T[]): Step<T>[] {
  const trail = before.length && after.length ? findTrail(before, after) : undefined
  if (!trail) {
    return [
      ...before.map((item): Step<T> => ({ kind: 'removed', item })),
      ...after.map((item): Step<T> => ({ kind: 'added', item })),
    ]
  }
  const found: Step<T>[] = []
  let x = before.length
  let y = after.length
  for (let depth = trail.length - 1; depth >= 0; depth -= 1) {
    const furthest = trail[depth]!
    const diagonal = x - y
    const isDown = isDownStep(furthest, diagonal, depth)
    const from = isDown ? diagonal + 1 : diagonal - 1
    const fromX = depth === 0 ? 0 : furthest.get(from)!
    const fromY = depth === 0 ? 0 : fromX - from
    while (x > fromX && y > fromY && (depth === 0 || x > fromX + (isDown ? 0 : 1) || y > fromY + (isDown ? 1 : 0))) {
      x -= 1
      y -= 1
      found.push({ kind: 'same', item: before[x]! })
    }
    if (depth === 0) break
    if (isDown) found.push({ kind: 'added', item: after[fromY]! })
    else found.push({ kind: 'removed', item: before[fromX]! })
    x = fromX
    y = fromY
  }
  return found.reverse()
}

const isDownStep = (furthest: ReadonlyMap<number, number>, diagonal: number, depth: number): boolean =>
  diagonal === -depth || (diagonal !== depth && (furthest.get(diagonal - 1) ?? -1) < (furthest.get(diagonal + 1) ?? -1))

/** The furthest x of each diagonal before each step; undefined beyond maxSteps. */
function findTrail<T>(before: readonly T[], after: readonly T[]): Map<number, number>[] | undefined {
  const trail: Map<number, number>[] = []
  let furthest = new Map<number, number>([[1, 0]])
  for (let depth = 0; depth <= Math.min(before.length + after.length, maxSteps); depth += 1) {
    trail.push(furthest)
    const next = new Map<number, number>()
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = isDownStep(furthest, diagonal, depth) ? furthest.get(diagonal + 1)! : furthest.get(diagonal - 1)! + 1
      let y = x - diagonal
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x += 1
        y += 1
      }
      next.set(diagonal, x)
      if (x >= before.length && y >= after.length) return trail
    }
    furthest = next
  }
  return undefined
}
