/**
 * One tab writes, the others read. The lock says which; the channel tells the others that something was saved, and asks
 * the one who writes to let go.
 */
export interface Turn {
  /** Ends when this tab may write; `false` where another does. */
  take(): Promise<boolean>
  /**
   * Asks the other tab, waits until it has saved and let go, and takes it by force if it has gone to sleep. `false`
   * where the other has text that is saved nowhere else.
   */
  insist(): Promise<boolean>
  release(): void
  /** Tells the other tabs that there is something new to read. */
  announce(): void
  close(): void
}

interface Given {
  readonly key: string
  /** Another tab wants to write: save, then let go. `false` keeps the turn. */
  readonly onAsked: () => Promise<boolean>
  /** Another tab has saved. */
  readonly onNews: () => void
  /** The lock was taken by force. */
  readonly onLost: () => void
}

/** A tab that is asleep does not answer; this long it is waited for. */
const patience = 3000

export function openTurn({ key, onAsked, onNews, onLost }: Given): Turn {
  const name = `piece:${key}`
  const channel = new BroadcastChannel(name)
  let letGo: (() => void) | undefined
  let isWaiting = false
  let isClosed = false
  let refused = new AbortController()
  channel.onmessage = ({ data }) => {
    // Whoever waits for the turn reads everything once it has come.
    if (data === 'news' && !letGo && !isWaiting) onNews()
    if (data === 'let go' && letGo) void answer()
    if (data === 'not yet') refused.abort()
  }
  async function answer() {
    if (await onAsked().catch(() => false)) release()
    else if (!isClosed) channel.postMessage('not yet')
  }

  function request(options: LockOptions): Promise<boolean> {
    // Only pages with https, or on this machine, have locks.
    if (!navigator.locks) return Promise.resolve(true)
    return new Promise((resolve, reject) => {
      navigator.locks
        .request(name, options, (lock) => {
          // A turn that comes after all is over goes back at once.
          if (!lock || isClosed) return resolve(false)
          return new Promise<void>((released) => {
            letGo = released
            resolve(true)
          })
        })
        .catch((error: unknown) => {
          // Taken by force, or given up waiting for it.
          if (letGo) {
            letGo = undefined
            onLost()
          } else reject(error)
        })
    })
  }

  function release() {
    letGo?.()
    letGo = undefined
  }

  return {
    take: () => request({ ifAvailable: true }),
    async insist() {
      isWaiting = true
      refused = new AbortController()
      channel.postMessage('let go')
      const signal = AbortSignal.any([AbortSignal.timeout(patience), refused.signal])
      const isGiven = await request({ signal }).catch(() => false)
      const isMine = isGiven || (!refused.signal.aborted && (await request({ steal: true })))
      isWaiting = false
      return isMine
    },
    release,
    announce: () => channel.postMessage('news'),
    close() {
      isClosed = true
      release()
      channel.close()
    },
  }
}
