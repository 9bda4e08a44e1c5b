/**
 * Dear work of one kind, shared fairly: so much of it goes on at once, and so much of one asker's. The rest waits, and
 * the asker served longest ago is next. An asker is an account, or an address where there is none.
 */
export interface QueueLimits {
  readonly atOnce: number
  readonly atOnceEach: number
  readonly waiting: number
  readonly waitingEach: number
  /** What is said to who may not even wait: because they have their own share already, or because everybody waits. */
  readonly refuse: (why: 'own share' | 'full') => Error
}

export interface FairQueue {
  /** Settles when it is their turn; their place is taken until they call what they are given. */
  enter(by: string, signal?: AbortSignal): Promise<() => void>
}

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: Error) => void
}

interface Asker {
  running: number
  readonly waiting: Waiting[]
  /** The number of their last turn; 0 for who had none. */
  lastTurn: number
}

export function createFairQueue({ atOnce, atOnceEach, waiting, waitingEach, refuse }: QueueLimits): FairQueue {
  /** Those who have something running or waiting, and nobody else. */
  const askers = new Map<string, Asker>()
  let running = 0
  let waitingNow = 0
  let turns = 0

  function forget(by: string, asker: Asker): void {
    if (asker.running === 0 && asker.waiting.length === 0) askers.delete(by)
  }

  function take(by: string, asker: Asker): () => void {
    running += 1
    asker.running += 1
    turns += 1
    asker.lastTurn = turns
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      running -= 1
      asker.running -= 1
      forget(by, asker)
      beginNext()
    }
  }

  function beginNext(): void {
    while (running < atOnce) {
      let next: Asker | undefined
      for (const asker of askers.values()) {
        if (asker.waiting.length === 0 || asker.running >= atOnceEach) continue
        if (!next || asker.lastTurn < next.lastTurn) next = asker
      }
      if (!next) return
      waitingNow -= 1
      next.waiting.shift()!.begin()
    }
  }

  /** Where all places to wait are taken, the asker with most of them gives one up to one with fewer. */
  function makeRoom(mine: number): boolean {
    let longest: Asker | undefined
    for (const asker of askers.values())
      if (asker.waiting.length > (longest?.waiting.length ?? mine + 1)) longest = asker
    if (!longest) return false
    waitingNow -= 1
    longest.waiting.pop()!.refuse(refuse('own share'))
    return true
  }

  return {
    enter: (by, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const asker = askers.get(by) ?? { running: 0, waiting: [], lastTurn: 0 }
        if (running < atOnce && asker.running < atOnceEach) {
          askers.set(by, asker)
          return resolve(take(by, asker))
        }
        const isShareUsed = asker.running >= atOnceEach || asker.waiting.length > 0
        if (asker.waiting.length >= waitingEach) return reject(refuse(isShareUsed ? 'own share' : 'full'))
        if (waitingNow >= waiting && !makeRoom(asker.waiting.length)) return reject(refuse('full'))
        askers.set(by, asker)
        const leave = () => {
          asker.waiting.splice(asker.waiting.indexOf(one), 1)
          waitingNow -= 1
          forget(by, asker)
          reject(signal?.reason)
        }
        const one: Waiting = {
          begin() {
            signal?.removeEventListener('abort', leave)
            resolve(take(by, asker))
          },
          refuse(error) {
            signal?.removeEventListener('abort', leave)
            reject(error)
          },
        }
        asker.waiting.push(one)
        waitingNow += 1
        signal?.addEventListener('abort', leave, { once: true })
      }),
  }
}
