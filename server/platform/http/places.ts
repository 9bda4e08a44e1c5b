import type { ServerResponse } from 'node:http'

/** Room for so many at once of what is dear, and for so many of one person's. */
export interface Places {
  /** Whether there was room; then the place is theirs until the response has ended, however it ends. */
  take(who: string, response: ServerResponse): boolean
}

export function places(most: number, mostEach: number): Places {
  const held = new Map<string, number>()
  let taken = 0
  return {
    take(who, response) {
      const own = held.get(who) ?? 0
      if (taken >= most || own >= mostEach) return false
      // Nobody would hear that it has ended: it had before it came here.
      if (response.destroyed) return true
      taken += 1
      held.set(who, own + 1)
      let isHeld = true
      const leave = () => {
        if (!isHeld) return
        isHeld = false
        taken -= 1
        const left = held.get(who)! - 1
        if (left > 0) held.set(who, left)
        else held.delete(who)
      }
      response.once('finish', leave).once('close', leave)
      return true
    },
  }
}
