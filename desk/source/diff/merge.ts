import { diffLists, splitWords } from './diff.ts'
import { joinSplit, type SplitText, splitLines, splitSentences } from './split.ts'

/**
 * Merges two changes of one text: by lines, and inside a line that both changed by sentences. Only a sentence that both
 * changed, or two different insertions in the same place, is a conflict. White space never is.
 */

/** What a conflict becomes. */
export type Resolution = 'ours' | 'theirs' | 'both'

export interface MergedText {
  readonly text: string
  readonly conflicts: number
}

export function mergeTexts(base: string, ours: string, theirs: string, resolution: Resolution): MergedText {
  if (ours === theirs || theirs === base) return { text: ours, conflicts: 0 }
  if (ours === base) return { text: theirs, conflicts: 0 }
  const { split, conflicts } = mergeSplits(lines, [base, ours, theirs].map(splitLines), resolution)
  const text = joinSplit(split)
  if (isComplete(text, base, ours, theirs, conflicts > 0 ? resolution : 'both')) return { text, conflicts }
  const whole = { ours, theirs, both: `${ours}${lines.gap}${theirs}` }
  return { text: whole[resolution], conflicts: 1 }
}

/**
 * Whether every sentence is there that both texts have, or that was added by a side that was not given up. Lines that
 * were paired wrongly could hide one.
 */
function isComplete(text: string, base: string, ours: string, theirs: string, resolution: Resolution): boolean {
  const [merged, before, mine, other] = [text, base, ours, theirs].map(countSentences) as [
    Counts,
    Counts,
    Counts,
    Counts,
  ]
  const added = (counts: Counts, sentence: string): number => {
    const count = counts.get(sentence) ?? 0
    return count > (before.get(sentence) ?? 0) ? count : 0
  }
  return [...mine.keys(), ...other.keys()].every((sentence) => {
    const shared = Math.min(mine.get(sentence) ?? 0, other.get(sentence) ?? 0)
    const ofOurs = resolution === 'theirs' ? 0 : added(mine, sentence)
    const ofTheirs = resolution === 'ours' ? 0 : added(other, sentence)
    return (merged.get(sentence) ?? 0) >= Math.max(shared, ofOurs, ofTheirs)
  })
}

type Counts = ReadonlyMap<string, number>

function countSentences(text: string): Counts {
  const counts = new Map<string, number>()
  for (const sentence of splitLines(text).units.flatMap((line) => splitSentences(line).units)) {
    counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  }
  return counts
}

/** The lines that two texts have in common: the base of two texts that have none. */
export function commonText(one: string, other: string): string {
  const split = splitLines(one)
  const kept = diffLists(split.units, splitLines(other).units).filter(({ kind }) => kind !== 'added')
  return kept.map(({ kind, item }, place) => (kind === 'same' ? item + (split.gaps[place + 1] || '\n') : '')).join('')
}

interface Level {
  /** Between two units that are neighbours nowhere, if no other gap is known. */
  readonly gap: string
  /** Merges one unit that both changed; undefined if it is a conflict as a whole. */
  readonly mergeUnit?: (base: string, ours: string, theirs: string, resolution: Resolution) => MergedText | undefined
}

const sentences: Level = { gap: ' ' }
const lines: Level = { gap: '\n\n', mergeUnit: mergeLine }

function mergeLine(base: string, ours: string, theirs: string, resolution: Resolution): MergedText | undefined {
  const splits = [base, ours, theirs].map(splitSentences)
  const { split, conflicts } = mergeSplits(sentences, splits, resolution)
  // Two versions of a heading, a list item or a table row are two lines, not one.
  const isWhole = conflicts > 0 && resolution === 'both' && splits.some(({ units }) => units.length < 2)
  return isWhole ? undefined : { text: joinSplit(split), conflicts }
}

/** Units `from` to `to` of the base became units `start` to `end`. */
interface Change {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

type Side = 'base' | 'ours' | 'theirs'
/** The index of a merged unit in each text. */
type Places = Partial<Record<Side, number>>
interface MergedUnit {
  readonly text: string
  readonly first: Places
  readonly last: Places
}

function mergeSplits(level: Level, splits: readonly SplitText[], resolution: Resolution) {
  const [base, ours, theirs] = splits as [SplitText, SplitText, SplitText]
  const merged: MergedUnit[] = [edge(-1, -1, -1)]
  let conflicts = 0
  const at = { base: 0, ours: 0, theirs: 0 }
  const keep = (until: number) => {
    while (at.base < until) {
      const places = { ...at }
      merged.push({ text: base.units[at.base]!, first: places, last: places })
      at.base += 1
      at.ours += 1
      at.theirs += 1
    }
  }
  const chunks = chunksOf(changesOf(base.units, ours.units), changesOf(base.units, theirs.units))
  for (const chunk of chunks) {
    keep(chunk.from)
    const ends = {
      base: chunk.to,
      ours: endOf(chunk.ours, at.ours, chunk.to - chunk.from),
      theirs: endOf(chunk.theirs, at.theirs, chunk.to - chunk.from),
    }
    const mine = ours.units.slice(at.ours, ends.ours)
    const other = theirs.units.slice(at.theirs, ends.theirs)
    const takeOurs = () => merged.push(...unitsOf(mine, 'ours', at, ends))
    const takeTheirs = () => merged.push(...unitsOf(other, 'theirs', at, ends))
    if (chunk.theirs.length === 0) takeOurs()
    else if (chunk.ours.length === 0) takeTheirs()
    else if (isSameList(mine, other)) merged.push(...unitsOf(mine, 'both', at, ends))
    else {
      const inside = chunk.to - chunk.from === 1 && mine.length === 1 && other.length === 1
      const unit = inside ? level.mergeUnit?.(base.units[at.base]!, mine[0]!, other[0]!, resolution) : undefined
      conflicts += unit?.conflicts ?? 1
      if (unit) merged.push(...unitsOf([unit.text], 'both', at, ends))
      else {
        if (resolution !== 'theirs') takeOurs()
        if (resolution !== 'ours') takeTheirs()
      }
    }
    Object.assign(at, ends)
  }
  keep(base.units.length)
  merged.push(edge(base.units.length, ours.units.length, theirs.units.length))
  const gaps = merged.slice(1).map((unit, place) => gapBetween(merged[place]!, unit, { base, ours, theirs }, level))
  return { split: { units: merged.slice(1, -1).map(({ text }) => text), gaps }, conflicts }
}

function edge(base: number, ours: number, theirs: number): MergedUnit {
  const places = { base, ours, theirs }
  return { text: '', first: places, last: places }
}

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((unit, place) => unit === other[place])

/** A side's changes in the chunk say how much longer or shorter it became there. */
const endOf = (changes: readonly Change[], start: number, length: number): number =>
  start + length + changes.reduce((sum, { from, to, start, end }) => sum + (end - start) - (to - from), 0)

/** The outermost units of a chunk have the neighbours that the units they replace had in the other texts. */
function unitsOf(units: readonly string[], from: Side | 'both', at: Record<Side, number>, ends: Record<Side, number>) {
  const isOf = (side: Side) => side === from || (from === 'both' && side !== 'base')
  const outer = (place: number, isOuter: boolean, edges: Record<Side, number>, offset: number): Places =>
    Object.fromEntries(
      (['base', 'ours', 'theirs'] as const)
        .filter((side) => isOf(side) || (isOuter && at[side] < ends[side]))
        .map((side) => [side, isOf(side) ? at[side] + place : edges[side] + offset]),
    )
  return units.map(
    (text, place): MergedUnit => ({
      text,
      first: outer(place, place === 0, at, 0),
      last: outer(place, place === units.length - 1, ends, -1),
    }),
  )
}

function gapBetween(one: MergedUnit, next: MergedUnit, texts: Record<Side, SplitText>, { gap }: Level): string {
  const found = (side: Side): string | undefined => {
    const place = one.last[side]
    return place !== undefined && next.first[side] === place + 1 ? texts[side].gaps[place + 1] : undefined
  }
  const [base, ours, theirs] = [found('base'), found('ours'), found('theirs')]
  if (ours !== undefined && theirs !== undefined) {
    return ours === base ? theirs : theirs === base ? ours : longest([ours, theirs])
  }
  return ours ?? theirs ?? nearbyGap(one, next, texts) ?? gap
}

/** For units that are neighbours nowhere: the longest gap that either of them has beside it. */
function nearbyGap(one: MergedUnit, next: MergedUnit, texts: Record<Side, SplitText>): string | undefined {
  const isStart = one.last.base === -1
  const isEnd = next.first.base === texts.base.units.length
  const found = (['base', 'ours', 'theirs'] as const).flatMap((side) => {
    const { gaps } = texts[side]
    const isInner = (place: number) => place > 0 && place < gaps.length - 1
    const [after, before] = [(one.last[side] ?? -2) + 1, next.first[side] ?? -1]
    if (isStart) return [gaps[0]!]
    if (isEnd) return [gaps.at(-1)!]
    return [after, before].filter(isInner).map((place) => gaps[place]!)
  })
  return found.length > 0 ? longest(found) : undefined
}

const longest = (gaps: readonly string[]): string =>
  gaps.reduce((one, other) => (other.length > one.length ? other : one))

/** The changes of one side. A unit that became a similar one is a change of its own. */
function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const found: Change[] = []
  let from = 0
  let start = 0
  let [to, end] = [0, 0]
  const close = () => {
    if (to > from || end > start) found.push(...pairSimilar(before, after, { from, to, start, end }))
    to += 1
    end += 1
    from = to
    start = end
  }
  for (const { kind } of diffLists(before, after)) {
    if (kind === 'same') close()
    else if (kind === 'removed') to += 1
    else end += 1
  }
  close()
  return found
}

/** Longer runs are not paired: comparing every unit with every other takes too long. */
const maxComparisons = 2500

/** Pairs units with those they became, in order, so that the pairs share as much as possible. */
function pairSimilar(before: readonly string[], after: readonly string[], run: Change): Change[] {
  const [old, now] = [before.slice(run.from, run.to), after.slice(run.start, run.end)]
  if (old.length * now.length > maxComparisons) return [run]
  const words = now.map(wordsOf)
  const shared = old.map(wordsOf).map((one) => words.map((other) => sharedLength(one, other)))
  /** The most that units from `x` and `y` on can share. */
  const best = Array.from({ length: old.length + 1 }, () => new Array<number>(now.length + 1).fill(0))
  for (let x = old.length - 1; x >= 0; x -= 1) {
    for (let y = now.length - 1; y >= 0; y -= 1) {
      best[x]![y] = Math.max(
        best[x + 1]![y]!,
        best[x]![y + 1]!,
        shared[x]![y]! && shared[x]![y]! + best[x + 1]![y + 1]!,
      )
    }
  }
  const found: Change[] = []
  let { from, start } = run
  const add = (change: Change) => {
    if (change.to > change.from || change.end > change.start) found.push(change)
  }
  for (let x = 0, y = 0; x < old.length && y < now.length; ) {
    if (shared[x]![y]! > 0 && best[x]![y] === shared[x]![y]! + best[x + 1]![y + 1]!) {
      add({ from, to: run.from + x, start, end: run.start + y })
      from = run.from + x + 1
      start = run.start + y + 1
      add({ from: from - 1, to: from, start: start - 1, end: start })
      x += 1
      y += 1
    } else if (best[x]![y] === best[x + 1]![y]) x += 1
    else y += 1
  }
  add({ from, to: run.to, start, end: run.end })
  return found
}

/** Below this share of common characters one unit did not become the other. */
const minShared = 0.5

interface Words {
  readonly list: readonly string[]
  readonly length: number
}
const wordsOf = (text: string): Words => ({
  list: splitWords(text).filter((word) => /[\p{L}\p{N}]/u.test(word)),
  length: text.length,
})

/** The length of the words that both have; 0 if they are not similar. */
function sharedLength(one: Words, other: Words): number {
  const left = [...other.list]
  let length = 0
  for (const word of one.list) {
    const place = left.indexOf(word)
    if (place === -1) continue
    left.splice(place, 1)
    length += word.length
  }
  return length >= minShared * Math.min(one.length, other.length) ? length : 0
}

/** Changes of both sides that overlap, together with those they overlap with. */
interface Chunk {
  readonly from: number
  readonly to: number
  readonly ours: readonly Change[]
  readonly theirs: readonly Change[]
}

/** Ranges that only touch do not overlap, unless both add something there: which comes first is unknown. */
const overlaps = (one: Chunk, other: Chunk): boolean =>
  (one.from < other.to && other.from < one.to) ||
  (one.from === other.from && one.to === other.to) ||
  (one.to === other.from && isLonger(one) && isLonger(other) && one.ours.length > 0 !== other.ours.length > 0)

const isLonger = ({ ours, theirs }: Chunk): boolean =>
  [...ours, ...theirs].some(({ from, to, start, end }) => end - start > to - from)

function chunksOf(ours: readonly Change[], theirs: readonly Change[]): Chunk[] {
  const waiting = [
    ...ours.map((change): Chunk => ({ from: change.from, to: change.to, ours: [change], theirs: [] })),
    ...theirs.map((change): Chunk => ({ from: change.from, to: change.to, ours: [], theirs: [change] })),
  ].sort((one, other) => one.from - other.from || one.to - other.to)
  const found: Chunk[] = []
  for (const next of waiting) {
    const last = found.at(-1)
    if (!last || !overlaps(last, next)) {
      found.push(next)
      continue
    }
    found[found.length - 1] = {
      from: last.from,
      to: Math.max(last.to, next.to),
      ours: [...last.ours, ...next.ours],
      theirs: [...last.theirs, ...next.theirs],
    }
  }
  return found
}
