import type { Arrival } from './evidence.ts'

/** A delivery as it should be, for histories that never happened: the first of its message, to whom it was meant for. */
export const madeArrival = (number: number, at: number, given: Partial<Arrival> = {}): Arrival => ({
  message: `msg-${number}`,
  piece: `piece-${number}`,
  writer: 'ada',
  sequence: number,
  digest: `bytes-${number}`,
  doubt: null,
  skew: 0.2,
  at,
  status: 200,
  ...given,
})
