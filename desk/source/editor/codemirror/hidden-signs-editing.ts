import {
  Annotation,
  EditorSelection,
  EditorState,
  type Extension,
  findClusterBreak,
  type SelectionRange,
  type StateCommand,
  StateEffect,
  StateField,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { hidesSigns, placeAt, runAt, type SignRun, type Span, type Wrapped, wrappedIn } from './hidden-signs.ts'
import { bold, hasMark, isWordCharacter, italic, type Mark } from './marks.ts'

/** Writing in text whose signs are hidden: no key leaves half a pair of them, or one that shows. */

/** What is typed next, at this place only. */
interface Pending {
  readonly at: number
  /** The signs before the spaces that were typed last: what follows belongs between them. */
  readonly signs: string
  readonly marks: readonly Mark[]
}

const setPending = StateEffect.define<Pending>()
/** The selection stays as it is given. */
const isPlaced = Annotation.define<boolean>()

const pending = StateField.define<Pending | undefined>({
  create: () => undefined,
  update(before, { effects, docChanged, selection }) {
    const next = effects.find((effect) => effect.is(setPending))
    if (next) return next.value as Pending
    return docChanged || selection ? undefined : before
  },
})

const isSpace = (text: string): boolean => /^[^\S\n]+$/.test(text)

/** The next character in a direction, over signs. */
function stepFrom({ doc }: EditorState, at: number, isForward: boolean): number {
  const line = doc.lineAt(at)
  if (isForward ? at === line.to : at === line.from) {
    return Math.max(0, Math.min(doc.length, at + (isForward ? 1 : -1)))
  }
  return line.from + findClusterBreak(line.text, at - line.from, isForward)
}

/** Moves the end of a selection to where it belongs; a key that would not move it for the eye moves it on. */
function placed(state: EditorState, before: number, next: number): number {
  const place = placeAt(state, next)
  if (next === before || place !== placeAt(state, before)) return place
  const run = runAt(state, next)
  if (!run) return place
  const isForward = next > before
  return placeAt(state, stepFrom(state, isForward ? run.to : run.from, isForward))
}

const keepPlaces = EditorState.transactionFilter.of((transaction) => {
  const { startState: state, selection } = transaction
  const isMove = selection && !transaction.docChanged && transaction.isUserEvent('select')
  if (!isMove || !state.facet(hidesSigns) || transaction.isUserEvent('select.search')) return transaction
  const move = (range: SelectionRange, at: number): SelectionRange => {
    const before = state.selection.ranges[at] ?? state.selection.main
    const isKey = !transaction.isUserEvent('select.pointer') && selection.ranges.length === 1
    const head = isKey ? placed(state, before.head, range.head) : placeAt(state, range.head)
    if (range.empty) return EditorSelection.cursor(head, range.assoc, range.bidiLevel ?? undefined, range.goalColumn)
    return head === range.head ? range : EditorSelection.range(range.anchor, head, range.goalColumn)
  }
  const ranges = selection.ranges.map(move)
  if (ranges.every((range, at) => range.eq(selection.ranges[at]!))) return transaction
  return [transaction, { selection: EditorSelection.create(ranges, selection.mainIndex), sequential: true }]
})

interface Change extends Span {
  readonly text: string
}

/** The only change of a transaction. */
function changeOf({ changes }: Transaction): Change | undefined {
  const found: Change[] = []
  changes.iterChanges((from, to, _, __, inserted) => found.push({ from, to, text: inserted.toString() }))
  return found.length === 1 ? found[0] : undefined
}

const isEmphasis = ({ name }: Wrapped): boolean => /^(?:Strong)?Emphasis$|^Strikethrough$/.test(name)

/** A space at the end of bold words is put behind their signs, which do not close words that end with a space. */
function typeSpace(state: EditorState, { from, to, text }: Change): TransactionSpec | undefined {
  const before = state.field(pending)?.at === from ? state.field(pending) : undefined
  if (from !== to || !isSpace(text)) return undefined
  const run = runAt(state, from)
  const closed = wrappedIn(state, { from, to }).filter(
    ({ inner, to }) => inner.to >= from && to > from && to <= (run?.to ?? from),
  )
  const isEnd = closed.every(isEmphasis) && closed.some(({ inner }) => inner.to === from)
  if (run && isEnd && Math.max(...closed.map(({ to }) => to)) === run.to) {
    const signs = state.sliceDoc(from, run.to)
    return withPending({ from: run.to, insert: text }, { at: run.to + text.length, signs, marks: before?.marks ?? [] })
  }
  return before && withPending({ from, insert: text }, { ...before, at: from + text.length })
}

const withPending = (changes: { from: number; insert: string }, next: Pending): TransactionSpec => ({
  changes,
  selection: EditorSelection.cursor(next.at),
  effects: setPending.of(next),
})

/** The first letter after such a space, or after bold was switched on. */
function typePending(state: EditorState, { from, to, text }: Change): TransactionSpec | undefined {
  const next = state.field(pending)
  if (next?.at !== from || from !== to || !(next.signs || next.marks.length > 0) || /^\s|\n/.test(text))
    return undefined
  const before = state.sliceDoc(state.doc.lineAt(from).from, from)
  const spaces = /\s*$/.exec(before)![0]
  const start = from - spaces.length - next.signs.length
  const isThere = next.signs !== '' && before.endsWith(next.signs + spaces)
  const isInWord = isWordCharacter(state.sliceDoc(from - 1, from)) || isWordCharacter(state.sliceDoc(from, from + 1))
  const signs = next.marks.map((mark) => (isInWord ? mark.signInWord : mark.sign))
  const opening = signs.join('')
  const closing = signs.toReversed().join('')
  const insert = `${isThere ? spaces : ''}${opening}${text}${closing}${isThere ? next.signs : ''}`
  const at = isThere ? start : from
  return {
    changes: { from: at, to: from, insert },
    selection: EditorSelection.cursor(at + (isThere ? spaces.length : 0) + opening.length + text.length),
  }
}

/** `_` is an ordinary character beside a letter, so the words get the other sign. */
function typeBeside(state: EditorState, { from, to, text }: Change): TransactionSpec | undefined {
  if (from !== to || !isWordCharacter(text.slice(0, 1)) || !isWordCharacter(text.slice(-1))) return undefined
  const beside = wrappedIn(state, { from, to }).filter(
    (one) =>
      isEmphasis(one) && (one.from === from || one.to === from) && state.sliceDoc(one.from, one.from + 1) === '_',
  )
  if (beside.length === 0) return undefined
  const signs = beside.flatMap((one) => [
    { from: one.from, to: one.inner.from, insert: '*'.repeat(one.inner.from - one.from) },
    { from: one.inner.to, to: one.to, insert: '*'.repeat(one.to - one.inner.to) },
  ])
  return {
    changes: [...signs, { from, insert: text }].toSorted((one, other) => one.from - other.from),
    selection: EditorSelection.cursor(from + text.length),
  }
}

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
function remove(state: EditorState, given: Change, transaction: Transaction): TransactionSpec | undefined {
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

const keepPairs = EditorState.transactionFilter.of((transaction) => {
  const { startState: state } = transaction
  const isTyped = transaction.isUserEvent('input.type')
  const isDeleted = transaction.isUserEvent('delete')
  if (!transaction.docChanged || !(isTyped || isDeleted) || !state.facet(hidesSigns)) return transaction
  const change = changeOf(transaction)
  if (!change || transaction.annotation(isPlaced)) return transaction
  const isInserted = change.from === change.to
  const spec = isInserted
    ? (typeSpace(state, change) ?? typePending(state, change) ?? typeBeside(state, change))
    : remove(state, change, transaction)
  if (!spec) return transaction
  const userEvent = isTyped ? 'input.type' : 'delete'
  return { ...spec, userEvent, scrollIntoView: true, annotations: isPlaced.of(true) }
})

/** What Enter does where signs are hidden, before the commands that break the line: all of it is one step for undo. */
export const enterAmongSigns =
  (commands: readonly StateCommand[]): StateCommand =>
  ({ state, dispatch }) => {
    const { main, ranges } = state.selection
    if (!state.facet(hidesSigns) || !main.empty || ranges.length > 1) return false
    const spec = leaveHeading(state)
    if (spec) {
      dispatch(state.update(spec, { userEvent: 'input', scrollIntoView: true }))
      return true
    }
    const split = splitWords(state)
    if (!split) return false
    const first = state.update(split)
    return commands.some((command) =>
      command({
        state: first.state,
        dispatch: (second) =>
          dispatch(
            state.update({
              changes: first.changes.compose(second.changes),
              selection: EditorSelection.cursor(placeAt(second.state, second.state.selection.main.head)),
              userEvent: 'input',
              scrollIntoView: true,
            }),
          ),
      }),
    )
  }

/** An empty heading becomes a paragraph; before a heading there is room for one. */
function leaveHeading(state: EditorState): TransactionSpec | undefined {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  const run = runAt(state, head)
  if (run?.from !== line.from || run.place !== head || !/^#{1,6}(?:\s|$)/.test(line.text)) return undefined
  const isEmpty = line.to === run.leadEnd
  return { changes: isEmpty ? { from: line.from, to: line.to } : { from: line.from, insert: '\n\n' } }
}

/** Within marked words, each of the two paragraphs gets signs of its own; at their end, the cursor leaves them. */
function splitWords(state: EditorState): TransactionSpec | undefined {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  const around = wrappedIn(state, { from: head, to: head }).filter(
    ({ name, from, to }) => from < head && to > head && name !== 'Escape',
  )
  if (around.length === 0) return undefined
  const run = runAt(state, head)
  if (run && run.from <= head && around.every(({ to }) => to <= run.to)) return { selection: { anchor: run.to } }
  if (run && run.to >= head && around.every(({ from }) => from >= run.from))
    return { selection: { anchor: run.leadEnd } }
  const left = /[^\S\n]*$/.exec(state.sliceDoc(line.from, head))![0]
  const right = /^[^\S\n]*/.exec(state.sliceDoc(head, line.to))![0]
  const closing = around.toReversed().map(({ inner, to }) => state.sliceDoc(inner.to, to))
  const opening = around.map(({ from, inner }) => state.sliceDoc(from, inner.from))
  const from = head - left.length
  const before = closing.join('') + left
  return {
    changes: { from, to: head + right.length, insert: before + right + opening.join('') },
    selection: { anchor: from + before.length },
  }
}

/** Without words to mark, what is typed next is marked, or no longer. */
export function togglePending(view: EditorView, mark: Mark): boolean {
  const { state } = view
  const { main, ranges } = state.selection
  if (!state.facet(hidesSigns) || !main.empty || ranges.length > 1) return false
  const before = state.field(pending)
  const isHere = before?.at === main.head
  const word = state.wordAt(main.head)
  const isInWord = word !== null && word.from < main.head && main.head < word.to
  if (!isHere && hasMark(state, mark)) return leaveMark(view, mark)
  if (!isHere && isInWord) return false
  const signs = isHere && signsHave(before.signs, mark) ? '' : isHere ? before.signs : ''
  const isOff = isHere && (signsHave(before.signs, mark) || before.marks.includes(mark))
  const others = (isHere ? before.marks : []).filter((one) => one !== mark)
  const marks = isOff ? others : [...others, mark]
  view.dispatch({ effects: setPending.of({ at: main.head, signs, marks }) })
  return true
}

/** At the end of marked words: what is typed next has the other marks that end there, but not this one. */
function leaveMark(view: EditorView, mark: Mark): boolean {
  const { state } = view
  const { head } = state.selection.main
  const run = runAt(state, head)
  const closed = wrappedIn(state, { from: head, to: head }).filter(({ to }) => to > head && to <= (run?.to ?? head))
  const own = closed.find(({ name }) => name === mark.node)
  if (!own || !closed.some(({ inner }) => inner.to === head)) return false
  const others = [bold, italic].filter(
    (one) => one !== mark && closed.some(({ name, to }) => name === one.node && to < own.to),
  )
  view.dispatch({
    selection: { anchor: own.to },
    effects: setPending.of({ at: own.to, signs: '', marks: others }),
    annotations: isPlaced.of(true),
  })
  return true
}

const signsHave = (signs: string, mark: Mark): boolean =>
  mark === bold
    ? /\*\*|__/.test(signs)
    : mark === italic && /(?:^|[^*])\*(?:[^*]|$)|(?:^|[^_])_(?:[^_]|$)|\*{3}|_{3}/.test(signs)

/** Whether the selection has this mark, or what is typed next. */
export function isMarkOn(state: EditorState, mark: Mark): boolean {
  const next = state.field(pending, false)
  const isNext = next?.at === state.selection.main.head && state.selection.main.empty
  return isNext ? next.marks.includes(mark) || signsHave(next.signs, mark) : hasMark(state, mark)
}

export const hiddenSignsEditing: Extension = [pending, keepPlaces, keepPairs]
