/**
 * What a cache can have of readers who come at random (Poisson), to each piece at its own rate, where an answer is kept
 * for a fixed time from when it was asked for and nothing else throws it away. Misses of one piece are a renewal process:
 * an interval is that time and the wait for the next reader.
 */

export interface Readers {
  /** Requests a second, of all pieces. */
  readonly rate: number
  readonly pieces: number
  /** Of Zipf's law. */
  readonly exponent: number
}

/** Seconds that an answer is kept (`s-maxage`). */
export const keptFor = 30

/** How often the piece of each rank is asked for, a second. */
export function ratesOf({ rate, pieces, exponent }: Readers): Float64Array {
  const rates = Float64Array.from({ length: pieces }, (_, place) => (place + 1) ** -exponent)
  const sum = rates.reduce((total, one) => total + one, 0)
  return rates.map((one) => (one / sum) * rate)
}

/** In the long run. */
export const hitsInTheLongRun = (rates: Float64Array): number =>
  ratio(rates, (rate) => (rate * keptFor) / (1 + rate * keptFor))

/** Between these seconds after a start with nothing kept. */
export const hitsBetween = (rates: Float64Array, from: number, to: number): number =>
  ratio(rates, (rate) => 1 - (missesUntil(rate, to) - missesUntil(rate, from)) / (rate * (to - from)))

function ratio(rates: Float64Array, hitsOf: (rate: number) => number): number {
  let [hits, all] = [0, 0]
  for (const rate of rates) {
    hits += rate * hitsOf(rate)
    all += rate
  }
  return hits / all
}

/** The n-th miss comes after n waits and n - 1 times of keeping: the sum of the chances that it has come. */
function missesUntil(rate: number, seconds: number): number {
  let misses = 0
  for (let number = 1, left = seconds; left > 0; number += 1, left -= keptFor) misses += atLeast(number, rate * left)
  return misses
}

/** The probability of at least this many arrivals where `mean` are expected. */
function atLeast(number: number, mean: number): number {
  let [term, fewer] = [Math.exp(-mean), 0]
  for (let count = 0; count < number; count += 1) {
    fewer += term
    term *= mean / (count + 1)
  }
  return 1 - fewer
}
