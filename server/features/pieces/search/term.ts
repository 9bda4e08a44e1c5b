import { containing } from '#platform/db/containing.ts'
import { fold } from '#platform/text/fold.ts'
import type { MatchSite } from '../schema.ts'
import { keysOfTerm } from './keys.ts'
import type { Sample } from './sample.ts'
import { trigramsOf } from './trigrams.ts'

/** What is searched for, and by what an index can name its candidates. */
export interface Term {
  readonly folded: string
  readonly characters: readonly string[]
  readonly keys: readonly number[]
}

export function termOf(q: string): Term {
  const folded = fold(q)
  return { folded, characters: [...folded], keys: keysOfTerm(folded) }
}

/** A condition an index can answer. It holds wherever the term does, and in other places too. */
export interface Narrowing {
  readonly by: 'trigrams' | 'keys'
  readonly value: string | readonly number[]
  /** The share of pieces for which it holds. */
  readonly share: number
}

/** Each trigram is a list the index must read: what a list costs, in shares of all texts to be looked at. */
const listCost = 0.0005

/** Parts of a long term to weigh: short ones read fewer lists, long ones leave fewer candidates. */
const partLengths = [12, 30]

export function narrowingsOf(term: Term, site: MatchSite, sample: Sample): Narrowing[] {
  const byTrigrams = mostTelling(term, site, sample)
  const byKeys: Narrowing[] =
    term.keys.length > 0 ? [{ by: 'keys', value: term.keys, share: sample.share(site, term.keys) }] : []
  return byTrigrams ? [...byKeys, byTrigrams] : byKeys
}

function mostTelling({ characters }: Term, site: MatchSite, sample: Sample): Narrowing | undefined {
  let best: Narrowing | undefined
  let leastCost = Number.POSITIVE_INFINITY
  for (const part of partsOf(characters)) {
    const trigrams = trigramsOf(part)
    if (trigrams.length === 0) continue
    const share = sample.share(site, trigrams)
    const cost = share + trigrams.length * listCost
    if (cost < leastCost) {
      leastCost = cost
      best = { by: 'trigrams', value: containing(part), share }
    }
  }
  return best
}

function* partsOf(characters: readonly string[]): Generator<string> {
  for (const length of partLengths) {
    const starts = Math.max(characters.length - length, 0)
    for (let start = 0; start <= starts; start += 3) yield characters.slice(start, start + length).join('')
    if (characters.length <= length) return
  }
}
