/**
 * One tab writes, the others read. A Web Lock decides which; a BroadcastChannel announces saves and asks the writing
 * tab to release the lock.
 */
interface WriteLock {
  /** Resolves with whether this tab may write. */
  acquire(): Promise<boolean>
  /**
   * Asks the other tab to save and release the lock, and steals it if that tab is asleep. `false` if the other tab has
   * text that is saved nowhere.
   */
  takeOver(): Promise<boolean>
  release(): void
  /** Resolves when the tab that writes has closed or let go. Rejects when aborted. */
  whenFree(signal: AbortSignal): Promise<void>
  /** Tells the other tabs that there is something new to read. */
  announceSave(): void
  close(): void
}

interface WriteLockOptions {
  readonly key: string
  /** Another tab wants to write: save, then return `true` to release the lock, or `false` to keep it. */
  readonly onHandOver: () => Promise<boolean>
  /** Another tab has saved. */
  readonly onSaved: () => void
  /** The lock was stolen. */
  readonly onLost: () => void
}

/** How long to wait for a tab that may be asleep, in milliseconds. */
const handOverTimeout = 3000

export function openWriteLock({ key, onHandOver, onSaved, onLost }: WriteLockOptions): WriteLock {
  const name = `piece:${key}`
  const channel = new BroadcastChannel(name)
  let releaseLock: (() => void) | undefined
  let isWaiting = false
  let isClosed = false
  let refused = new AbortController()
  channel.onmessage = ({ data }) => {
    // A tab that waits for the lock reads everything once it has it.
    if (data === 'news' && !releaseLock && !isWaiting) onSaved()
    if (data === 'let go' && releaseLock) void answer()
    if (data === 'not yet') refused.abort()
  }
  async function answer() {
    if (await onHandOver().catch(() => false)) release()
    else if (!isClosed) channel.postMessage('not yet')
  }

  function request(options: LockOptions): Promise<boolean> {
    // Web Locks need https or localhost.
    if (!navigator.locks) return Promise.resolve(true)
    return new Promise((resolve, reject) => {
      navigator.locks
        .request(name, options, (lock) => {
          // A lock that arrives after closing is released at once.
          if (!lock || isClosed) return resolve(false)
          return new Promise<void>((released) => {
            releaseLock = released
            resolve(true)
          })
        })
        .catch((error: unknown) => {
          // Stolen, or the wait was aborted.
          if (releaseLock) {
            releaseLock = undefined
            onLost()
          } else reject(error)
        })
    })
  }

  function release() {
    releaseLock?.()
    releaseLock = undefined
  }

  return {
    acquire: () => request({ ifAvailable: true }),
    async takeOver() {
      isWaiting = true
      refused = new AbortController()
      channel.postMessage('let go')
      const signal = AbortSignal.any([AbortSignal.timeout(handOverTimeout), refused.signal])
      const isGiven = await request({ signal }).catch(() => false)
      const isMine = isGiven || (!refused.signal.aborted && (await request({ steal: true })))
      isWaiting = false
      return isMine
    },
    release,
    async whenFree(signal) {
      await navigator.locks?.request(name, { signal }, () => undefined)
    },
    announceSave: () => channel.postMessage('news'),
    close() {
      isClosed = true
      release()
      channel.close()
    },
  }
}
