/** Choices that are always the same for the same seed. */
export interface Chance {
  /** At least `from`, below `to`. */
  between(from: number, to: number): number
  /** A whole number, `to` included. */
  whole(from: number, to: number): number
  oneOf<Choice>(choices: readonly Choice[]): Choice
  /** True this often, half of the time unless said otherwise. */
  maybe(share?: number): boolean
}

/** Twelve hexadecimal digits. Mixed well (MurmurHash3's finaliser), so that neighbours share nothing. */
export function chanceOf(seed: string): Chance {
  let state = mixed(Number.parseInt(seed.slice(0, 6), 16) ^ mixed(Number.parseInt(seed.slice(6), 16) + 0x9e3779b9))
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    between: (from, to) => from + next() * (to - from),
    whole,
    oneOf: (choices) => choices[whole(0, choices.length - 1)]!,
    maybe: (share = 0.5) => next() < share,
  }
}

function mixed(value: number): number {
  let hash = value | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}
