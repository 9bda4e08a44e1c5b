/** Time as the saver knows it, so that a test can turn it by hand. */
export interface Clock {
  now(): number
  /** Does it later, unless what is returned is called first. */
  after(milliseconds: number, act: () => void): () => void
}

export const wallClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds)
    return () => clearTimeout(timer)
  },
}
