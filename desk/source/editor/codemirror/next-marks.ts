import {
  Annotation,
  EditorSelection,
  type EditorState,
  StateEffect,
  StateField,
  type TransactionSpec,
} from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import { type Change, hidesSigns, isEmphasis, runAt, wrappedIn } from './hidden-signs.ts'
import { bold, hasMark, isWordCharacter, italic, type Mark } from './marks.ts'

/** Bold and italic for what is typed next, where signs are hidden and there are no words to mark yet. */

/** What is typed next, at this place only. */
export interface Pending {
  readonly at: number
  /** The signs before the spaces that were typed last: what follows belongs between them. */
  readonly signs: string
  readonly marks: readonly Mark[]
}

export const setPending = StateEffect.define<Pending>()
/** The selection stays as it is given. */
export const isPlaced = Annotation.define<boolean>()

export const pending = StateField.define<Pending | undefined>({
  create: () => undefined,
  update(before, { effects, docChanged, selection }) {
    const next = effects.find((effect) => effect.is(setPending))
    if (next) return next.value as Pending
    return docChanged || selection ? undefined : before
  },
})

const isSpace = (text: string): boolean => /^[^\S\n]+$/.test(text)

/** A space at the end of bold words is put behind their signs, which do not close words that end with a space. */
export function typeSpace(state: EditorState, { from, to, text }: Change): TransactionSpec | undefined {
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

/** The first character after such a space, or after bold was switched on. */
export function typePending(state: EditorState, { from, to, text }: Change): TransactionSpec | undefined {
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

/** `_` is an ordinary character within a word, so the words get the other sign. */
export function typeBeside(state: EditorState, { from, to, text }: Change): TransactionSpec | undefined {
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
