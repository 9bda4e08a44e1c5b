import { after, mock } from 'node:test'

/**
 * Stops `Date` of this process until the file is over; timers go on. Rate limits count by the minute and the day:
 * nothing crosses the end of one unless a test moves the clock.
 */
export function freezeClock(): { advance(milliseconds: number): void } {
  mock.timers.enable({ apis: ['Date'], now: Date.now() })
  after(() => mock.timers.reset())
  return { advance: (milliseconds) => mock.timers.tick(milliseconds) }
}
