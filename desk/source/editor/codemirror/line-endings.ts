import { invertedEffects } from '@codemirror/commands'
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  Facet,
  MapMode,
  type Range,
  RangeSet,
  RangeValue,
  StateEffect,
  StateField,
} from '@codemirror/state'

/**
 * Preserves line endings. The editor knows only lines; a text may have CRLF, CR, LF or all three, and is saved with the
 * same ones wherever it was not edited. New lines get the most frequent ending.
 */

class Ending extends RangeValue {
  readonly sign: string
  override startSide = 1
  override endSide = 1
  /** Deleted with the line break, and moved by text typed before it. */
  override mapMode = MapMode.TrackAfter
  override point = true
  constructor(sign: string) {
    super()
    this.sign = sign
  }
  override eq(other: Ending): boolean {
    return other.sign === this.sign
  }
}

const kinds = { '\n': new Ending('\n'), '\r': new Ending('\r'), '\r\n': new Ending('\r\n') } as const
type Sign = keyof typeof kinds

const defaultEnding = Facet.define<Sign, Sign>({ combine: ([sign]) => sign ?? '\n' })

const restoreEnding = StateEffect.define<{ readonly at: number; readonly sign: Sign }>({
  map: ({ at, sign }, changes: ChangeDesc) => ({ at: changes.mapPos(at, 1), sign }),
})

/** The line breaks that differ from the default. */
const otherEndings = StateField.define<RangeSet<Ending>>({
  create: () => RangeSet.empty,
  update(endings, transaction) {
    if (!transaction.docChanged) return endings
    const back = transaction.effects.flatMap((effect): Range<Ending>[] =>
      effect.is(restoreEnding) ? [kinds[effect.value.sign].range(effect.value.at)] : [],
    )
    const mapped = endings.map(transaction.changes)
    return back.length > 0 ? mapped.update({ add: back, sort: true }) : mapped
  },
})

/** Restores the endings when a deletion is undone. */
const undoEndings = invertedEffects.of((transaction) => {
  const endings = transaction.startState.field(otherEndings)
  const found: StateEffect<unknown>[] = []
  if (endings.size === 0) return found
  transaction.changes.iterChangedRanges((from, to) => {
    endings.between(from, to, (at, _to, { sign }) => {
      if (at < to) found.push(restoreEnding.of({ at, sign: sign as Sign }))
    })
  })
  return found
})

interface ParsedText {
  /** With LF line breaks. */
  readonly doc: string
  readonly endings: Extension
}

/** Splits a text into an LF document and its line endings. */
export function parseLineEndings(text: string): ParsedText {
  const breaks = [...text.matchAll(/\r\n|\r|\n/g)]
  const count = (sign: string) => breaks.filter(([found]) => found === sign).length
  const most = (Object.keys(kinds) as Sign[]).reduce((one, other) => (count(other) > count(one) ? other : one))
  let shorter = 0
  const ranges: Range<Ending>[] = []
  for (const { 0: sign, index } of breaks) {
    if (sign !== most) ranges.push(kinds[sign as Sign].range(index - shorter))
    shorter += sign.length - 1
  }
  return {
    doc: text.replace(/\r\n?/g, '\n'),
    endings: [defaultEnding.of(most), otherEndings.init(() => RangeSet.of(ranges)), undoEndings],
  }
}

/** The whole text with its original line endings. */
export function serializeText(state: EditorState): string {
  const sign = state.facet(defaultEnding)
  const endings = state.field(otherEndings)
  if (endings.size === 0) return state.doc.sliceString(0, undefined, sign)
  let text = ''
  let from = 0
  for (const cursor = endings.iter(); cursor.value; cursor.next()) {
    text += state.doc.sliceString(from, cursor.from, sign) + cursor.value.sign
    from = cursor.from + 1
  }
  return text + state.doc.sliceString(from, undefined, sign)
}
