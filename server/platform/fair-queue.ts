/**
 * Limits expensive work fairly: a maximum in total and per client. The rest waits, and the client served longest ago is
 * next. A client is an account, or an IP address where there is none.
 */
export interface QueueLimits {
  readonly atOnce: number
  readonly atOnceEach: number
  readonly waiting: number
  readonly waitingEach: number
  /** The error for requests that may not even wait: the client used its share, or the queue is full. */
  readonly refuse: (why: 'own share' | 'full') => Error
}

export interface FairQueue {
  /** Resolves when it is the client's turn. Call the result to release the slot. */
  enter(by: string, signal?: AbortSignal): Promise<() => void>
}

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: Error) => void
}

interface Client {
  running: number
  readonly waiting: Waiting[]
  /** The number of its last turn; 0 before the first. */
  lastTurn: number
}

export function createFairQueue({ atOnce, atOnceEach, waiting, waitingEach, refuse }: QueueLimits): FairQueue {
  /** Only clients with something running or waiting. */
  const clients = new Map<string, Client>()
  let running = 0
  let waitingNow = 0
  let turns = 0

  function forget(by: string, client: Client): void {
    if (client.running === 0 && client.waiting.length === 0) clients.delete(by)
  }

  function take(by: string, client: Client): () => void {
    running += 1
    client.running += 1
    turns += 1
    client.lastTurn = turns
    let isActive = true
    return () => {
      if (!isActive) return
      isActive = false
      running -= 1
      client.running -= 1
      forget(by, client)
      beginNext()
    }
  }

  function beginNext(): void {
    while (running < atOnce) {
      let next: Client | undefined
      for (const client of clients.values()) {
        if (client.waiting.length === 0 || client.running >= atOnceEach) continue
        if (!next || client.lastTurn < next.lastTurn) next = client
      }
      if (!next) return
      waitingNow -= 1
      next.waiting.shift()!.begin()
    }
  }

  /** When the queue is full, the client with the most waiting jobs loses one to a client with fewer. */
  function evictLongest(mine: number): boolean {
    let longest: Client | undefined
    for (const client of clients.values())
      if (client.waiting.length > (longest?.waiting.length ?? mine + 1)) longest = client
    if (!longest) return false
    waitingNow -= 1
    longest.waiting.pop()!.refuse(refuse('own share'))
    return true
  }

  return {
    enter: (by, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason)
        const client = clients.get(by) ?? { running: 0, waiting: [], lastTurn: 0 }
        if (running < atOnce && client.running < atOnceEach) {
          clients.set(by, client)
          return resolve(take(by, client))
        }
        const isShareUsed = client.running >= atOnceEach || client.waiting.length > 0
        if (client.waiting.length >= waitingEach) return reject(refuse(isShareUsed ? 'own share' : 'full'))
        if (waitingNow >= waiting && !evictLongest(client.waiting.length)) return reject(refuse('full'))
        clients.set(by, client)
        const leave = () => {
          client.waiting.splice(client.waiting.indexOf(one), 1)
          waitingNow -= 1
          forget(by, client)
          reject(signal?.reason)
        }
        const one: Waiting = {
          begin() {
            signal?.removeEventListener('abort', leave)
            resolve(take(by, client))
          },
          refuse(error) {
            signal?.removeEventListener('abort', leave)
            reject(error)
          },
        }
        client.waiting.push(one)
        waitingNow += 1
        signal?.addEventListener('abort', leave, { once: true })
      }),
  }
}
