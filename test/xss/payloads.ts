import { addressCarriers, textCarriers } from './carriers.ts'
import { addresses, breakouts, tags, type Vector } from './vectors.ts'

/**
 * What a hostile writer may send, always the same and in the same order: every way to run a script, in every place
 * that takes text, in every spelling. Whoever shows writers' text runs them all through test/browser/hostile-page.ts.
 */
export interface Payload {
  /** What `__pwned` is called with if it runs. */
  readonly id: number
  readonly name: string
  readonly text: string
}

const spellings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'as entities': (text) => text.replace(/[<>"'&:]/g, (character) => `&#${character.charCodeAt(0)};`),
  escaped: (text) => text.replace(/[<>"'`[\]!]/g, '\\$&'),
}

const call = (id: number): string => `__pwned(${id})`

function* numbered(makers: Iterable<readonly [name: string, make: Vector]>, first: number): Generator<Payload> {
  let id = first
  for (const [name, make] of makers) {
    yield { id, name, text: make(call(id)) }
    id += 1
  }
}

function* inCarriers(
  kind: string,
  vectors: readonly Vector[],
  carriers: Readonly<Record<string, (text: string) => string>>,
): Generator<readonly [string, Vector]> {
  for (const [place, carry] of Object.entries(carriers)) {
    for (const [spelling, spell] of Object.entries(spellings)) {
      for (const [index, vector] of vectors.entries()) {
        yield [`${kind} ${index} as ${place}, ${spelling}`, (run) => carry(spell(vector(run)))]
      }
    }
  }
}

/** Bodies in Markdown: more than ten thousand. */
export function* bodyPayloads(): Generator<Payload> {
  yield* numbered(
    [
      ...inCarriers('tag', tags, textCarriers),
      ...inCarriers('breakout', breakouts, textCarriers),
      ...inCarriers('address', addresses, addressCarriers),
    ],
    100_000,
  )
}

/** For names, headlines and other fields of one line: a few hundred. */
export function* linePayloads(): Generator<Payload> {
  const vectors = [...tags, ...breakouts]
  const spelled = Object.entries(spellings).flatMap(([spelling, spell]) =>
    vectors.map((vector, index): [string, Vector] => [`line ${index}, ${spelling}`, (run) => spell(vector(run))]),
  )
  yield* numbered(spelled, 200_000)
}

/** For fields that take an address. */
export function* addressPayloads(): Generator<Payload> {
  yield* numbered(
    addresses.map((vector, index): [string, Vector] => [`address ${index}`, vector]),
    300_000,
  )
}
