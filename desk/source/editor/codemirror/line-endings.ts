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
 * How each line ends. The editor knows lines, not what parts them; a text may come with CRLF, CR, LF or all three, and
 * goes back with the same ones wherever nobody touched them. New lines end as most do.
 */

class Ending extends RangeValue {
  readonly sign: string
  override startSide = 1
  override endSide = 1
  /** Gone with the break itself, and pushed along by what is typed in front of it. */
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

const usual = Facet.define<Sign, Sign>({ combine: ([sign]) => sign ?? '\n' })

const restored = StateEffect.define<{ readonly at: number; readonly sign: Sign }>({
  map: ({ at, sign }, changes: ChangeDesc) => ({ at: changes.mapPos(at, 1), sign }),
})

/** The breaks that are not the usual ones. */
const unusual = StateField.define<RangeSet<Ending>>({
  create: () => RangeSet.empty,
  update(endings, transaction) {
    if (!transaction.docChanged) return endings
    const back = transaction.effects.flatMap((effect): Range<Ending>[] =>
      effect.is(restored) ? [kinds[effect.value.sign].range(effect.value.at)] : [],
    )
    const mapped = endings.map(transaction.changes)
    return back.length > 0 ? mapped.update({ add: back, sort: true }) : mapped
  },
})

/** What an undone deletion puts back. */
const remembered = invertedEffects.of((transaction) => {
  const endings = transaction.startState.field(unusual)
  const found: StateEffect<unknown>[] = []
  if (endings.size === 0) return found
  transaction.changes.iterChangedRanges((from, to) => {
    endings.between(from, to, (at, _to, { sign }) => {
      if (at < to) found.push(restored.of({ at, sign: sign as Sign }))
    })
  })
  return found
})

export interface Taken {
  /** With LF between its lines. */
  readonly doc: string
  readonly endings: Extension
}

/** A text as the editor takes it. */
export function taken(text: string): Taken {
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
    endings: [usual.of(most), unusual.init(() => RangeSet.of(ranges)), remembered],
  }
}

/** The whole text, every line ending as it came. */
export function textOf(state: EditorState): string {
  const sign = state.facet(usual)
  const endings = state.field(unusual)
  if (endings.size === 0) return state.doc.sliceString(0, undefined, sign)
  let text = ''
  let from = 0
  for (const cursor = endings.iter(); cursor.value; cursor.next()) {
    text += state.doc.sliceString(from, cursor.from, sign) + cursor.value.sign
    from = cursor.from + 1
  }
  return text + state.doc.sliceString(from, undefined, sign)
}
