import type { Random } from '../../../server/seed/random.ts'

/** Numbers with their odds, drawn in constant time by Walker's alias method. */
export interface Urn {
  readonly items: Uint32Array
  readonly odds: Float64Array
  /** What is drawn where the odds fail. */
  readonly others: Uint32Array
}

export function urnOf(items: ArrayLike<number>, weights: ArrayLike<number>): Urn {
  const size = items.length
  const odds = new Float64Array(size)
  const aliases = new Uint32Array(size)
  let total = 0
  for (let at = 0; at < size; at += 1) total += weights[at]!
  const poor: number[] = []
  const rich: number[] = []
  for (let at = 0; at < size; at += 1) {
    odds[at] = (weights[at]! * size) / total
    if (odds[at]! < 1) poor.push(at)
    else rich.push(at)
  }
  while (poor.length > 0 && rich.length > 0) {
    const low = poor.pop()!
    const high = rich.at(-1)!
    aliases[low] = high
    odds[high]! -= 1 - odds[low]!
    if (odds[high]! < 1) poor.push(rich.pop()!)
  }
  for (const at of [...poor, ...rich]) odds[at] = 1
  return { items: Uint32Array.from(items), odds, others: aliases.map((at) => items[at]!) }
}

export function draw({ items, odds, others }: Urn, random: Random): number {
  const place = random.float() * items.length
  const at = Math.floor(place)
  return place - at < odds[at]! ? items[at]! : others[at]!
}

/** Many urns end to end, each drawn from as if by itself: far fewer misses of the cache than thousands of arrays. */
export interface Urns extends Urn {
  readonly starts: Uint32Array
  readonly sizes: Uint32Array
}

/** The urn of every number; the same one may stand for many. */
export function urnsOf(urns: readonly Urn[]): Urns {
  const different = [...new Set(urns)]
  const total = different.reduce((sum, { items }) => sum + items.length, 0)
  const [items, odds, others] = [new Uint32Array(total), new Float64Array(total), new Uint32Array(total)]
  const startOf = new Map<Urn, number>()
  let start = 0
  for (const urn of different) {
    startOf.set(urn, start)
    items.set(urn.items, start)
    odds.set(urn.odds, start)
    others.set(urn.others, start)
    start += urn.items.length
  }
  return {
    items,
    odds,
    others,
    starts: Uint32Array.from(urns, (urn) => startOf.get(urn)!),
    sizes: Uint32Array.from(urns, (urn) => urn.items.length),
  }
}

export function drawFrom({ items, odds, others, starts, sizes }: Urns, urn: number, random: Random): number {
  const place = random.float() * sizes[urn]!
  const at = Math.floor(place)
  const slot = starts[urn]! + at
  return place - at < odds[slot]! ? items[slot]! : others[slot]!
}
