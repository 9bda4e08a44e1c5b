import { EditorSelection, type EditorState, type Transaction, type TransactionSpec } from '@codemirror/state'
import {
  type Change,
  isEmphasis,
  placeAt,
  runAt,
  type SignRun,
  type Span,
  stepFrom,
  type Wrapped,
  wrappedIn,
} from './hidden-signs.ts'
import { setPending } from './next-marks.ts'

/** Deleting where signs are hidden. */

/** A sign in a text that is put together again, or the text between two of them. */
interface Part {
  readonly text: string
  readonly opens?: Wrapped
  readonly closes?: Wrapped
  readonly isCursor?: boolean
}

/** The text of a region without what is deleted: signs stay with the words that they have left. */
function partsOf(state: EditorState, region: Span, wrapped: readonly Wrapped[], change: Change): Part[] {
  const isGone = ({ from, inner }: Wrapped): boolean =>
    change.from <= inner.from && change.to >= inner.to && (change.text === '' || change.from < from)
  const signs = wrapped
    .flatMap((one) => [
      { from: one.from, to: one.inner.from, opens: one },
      { from: one.inner.to, to: one.to, closes: one },
    ])
    .toSorted((one, other) => one.from - other.from || one.to - other.to)
  const parts: Part[] = []
  let isInserted = false
  const addText = (from: number, to: number) => {
    const [cutFrom, cutTo] = [Math.max(from, change.from), Math.min(to, change.to)]
    const isCut = cutFrom < cutTo
    if (!isCut) return void parts.push({ text: state.sliceDoc(from, to) })
    parts.push({ text: state.sliceDoc(from, cutFrom) })
    insert()
    parts.push({ text: state.sliceDoc(cutTo, to) })
  }
  const insert = () => {
    if (isInserted) return
    isInserted = true
    parts.push({ text: change.text }, { text: '', isCursor: true })
  }
  let at = region.from
  for (const sign of signs) {
    addText(at, sign.from)
    const owner = ('opens' in sign ? sign.opens : undefined) ?? sign.closes
    if (!isGone(owner!)) parts.push({ ...sign, text: state.sliceDoc(sign.from, sign.to) })
    else if (sign.to > change.from) insert()
    at = sign.to
  }
  addText(at, region.to)
  return parts.filter((part) => part.text !== '' || part.isCursor)
}

/** Spaces go to the outside of signs, and two neighbours of a kind become one. */
function tidied(given: readonly Part[]): Part[] {
  const parts = [...given]
  const textAt = (at: number): string | undefined => {
    const part = parts[at]
    return part && !part.opens && !part.closes ? part.text : undefined
  }
  for (let isChanged = true; isChanged; ) {
    isChanged = false
    for (let at = 0; at < parts.length && !isChanged; at += 1) {
      const part = parts[at]!
      const [next, before] = [parts[at + 1], parts[at - 1]]
      if (part.closes && next?.opens && part.closes.name === next.opens.name && isEmphasis(part.closes)) {
        // The end of the second closes the first.
        parts.splice(at, 2)
        isChanged = true
      } else if (part.opens && next?.closes === part.opens) {
        parts.splice(at, 2)
        isChanged = true
      } else if (part.opens && isEmphasis(part.opens) && next) {
        const spaces = /^\s*/.exec(textAt(at + 1) ?? '')![0]
        if (next.isCursor && /^\s/.test(textAt(at + 2) ?? '')) {
          parts.splice(at, 2, next, part)
          isChanged = true
        } else if (spaces) {
          parts.splice(at, 2, { text: spaces }, part, { text: next.text.slice(spaces.length) })
          isChanged = true
        }
      } else if (part.closes && isEmphasis(part.closes) && before) {
        const spaces = /\s*$/.exec(textAt(at - 1) ?? '')![0]
        if (before.isCursor && /\s$/.test(textAt(at - 2) ?? '')) {
          parts.splice(at - 1, 2, part, before)
          isChanged = true
        } else if (spaces) {
          parts.splice(at - 1, 2, { text: before.text.slice(0, -spaces.length) }, part, { text: spaces })
          isChanged = true
        }
      }
      if (isChanged) {
        for (let one = parts.length - 1; one >= 0; one -= 1) {
          const { text, isCursor } = parts[one]!
          if (text === '' && !isCursor) parts.splice(one, 1)
        }
      }
    }
  }
  return parts
}

/** A heading becomes a paragraph, a quote ends. */
const withoutLead = ({ lastLead, leadEnd, place }: SignRun): TransactionSpec => ({
  changes: { from: lastLead, to: leadEnd },
  selection: EditorSelection.cursor(place - leadEnd + lastLead),
})

/** Deletes what is seen: signs go with the last of their words, and stay as long as there are some. */
export function deleteAmongSigns(
  state: EditorState,
  given: Change,
  transaction: Transaction,
): TransactionSpec | undefined {
  let { from, to } = given
  const [line, last] = [state.doc.lineAt(from), state.doc.lineAt(to)]
  if (line.number !== last.number) {
    // The next line becomes part of this one, which has signs of its own.
    const lead = to === last.from && from > line.from ? runAt(state, to)?.leadEnd : undefined
    to = lead ?? to
  } else {
    const run = runAt(state, from)
    if (run && from >= run.from && from < run.leadEnd && to <= run.leadEnd) {
      return withoutLead(run)
    }
    const isOnlySigns = run !== undefined && from >= run.leadEnd && to <= run.to && from < to
    if (isOnlySigns) {
      const isForward = transaction.isUserEvent('delete.forward')
      if (!isForward && !transaction.isUserEvent('delete.backward')) return undefined
      if (!isForward && run.leadEnd > run.from && run.from === line.from) return withoutLead(run)
      from = isForward ? run.to : stepFrom(state, run.from, false)
      to = isForward ? stepFrom(state, run.to, true) : run.from
    }
  }
  const change = { from, to, text: given.text }
  const wrapped = wrappedIn(state, change).filter(
    (one) =>
      one.from < to &&
      one.to > from &&
      !(one.inner.from < from && one.inner.to > to && !touchesEdge(state, one, change)),
  )
  if (wrapped.length === 0) {
    if (from === given.from && to === given.to) {
      const place = given.text === '' ? placeAt(state, from) : from
      const isBehind = place < from && runAt(state, from)?.to === from
      return isBehind ? { changes: { from, to }, selection: EditorSelection.cursor(place) } : undefined
    }
    const at = transaction.isUserEvent('delete.forward') ? given.from : from
    return { changes: { from, to, insert: given.text }, selection: EditorSelection.cursor(at + given.text.length) }
  }
  const region = {
    from: Math.min(from, ...wrapped.map((one) => one.from)),
    to: Math.max(to, ...wrapped.map((one) => one.to)),
  }
  const parts = tidied(partsOf(state, region, wrapped, change))
  const insert = parts.map(({ text }) => text).join('')
  const cursor = parts.findIndex(({ isCursor }) => isCursor)
  const before = parts.slice(0, cursor)
  const isForward = transaction.isUserEvent('delete.forward')
  while (isForward && region.from < from && before.at(-1)?.opens && given.from < from) before.pop()
  const at = region.from + before.reduce((sum, { text }) => sum + text.length, 0)
  // Behind spaces that were put outside: what is typed next belongs to the words again.
  const spaces = before.at(-1)
  const closing = before.at(-2)
  const isAfterSpaces = spaces && !spaces.closes && /^\s+$/.test(spaces.text) && closing?.closes !== undefined
  return {
    changes: smallest(state, region, insert),
    selection: EditorSelection.cursor(at),
    ...(isAfterSpaces && given.text === '' ? { effects: setPending.of({ at, signs: closing.text, marks: [] }) } : {}),
  }
}

/** Whether a deletion leaves a space at an end of the words. */
function touchesEdge(state: EditorState, { inner }: Wrapped, { from, to, text }: Change): boolean {
  const left = state.sliceDoc(inner.from, from) + text + state.sliceDoc(to, inner.to)
  return left !== left.trim()
}

/** The change without what is the same at its ends, so that everything else stays where it is. */
function smallest(state: EditorState, { from, to }: Span, insert: string) {
  const old = state.sliceDoc(from, to)
  let start = 0
  while (start < old.length && start < insert.length && old[start] === insert[start]) start += 1
  let end = 0
  while (end < old.length - start && end < insert.length - start && old.at(-1 - end) === insert.at(-1 - end)) end += 1
  return { from: from + start, to: to - end, insert: insert.slice(start, insert.length - end) }
}
