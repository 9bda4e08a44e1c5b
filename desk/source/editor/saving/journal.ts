import type { Manuscript } from './manuscript.ts'
import type { Saved } from './status.ts'

/** What this device keeps of a text that the server does not have yet. */
export interface Entry {
  /** The piece's id: its page chooses it, so it is the same before the server knows of it. */
  readonly key: string
  /** Whose it is: a device may have several writers. */
  readonly writer: string
  readonly manuscript: Manuscript
  /** What it was changed from; null for a piece the server does not have. */
  readonly base: Saved | null
  /** What is under way to the server, and may have arrived. */
  readonly sent: Manuscript | null
  readonly at: number
}

export interface Journal {
  keep(entry: Entry): Promise<void>
  forget(key: string): Promise<void>
  find(key: string): Promise<Entry | undefined>
  /** Pieces this writer began on this device that never reached the server, newest first. */
  unsent(writer: string): Promise<Entry[]>
}

const database = 'standfirst-desk'
const store = 'journal'

/** One in the browser's own database. It outlives the tab, the browser and the session. */
export function openJournal(factory: IDBFactory): Journal {
  const opened = new Promise<IDBDatabase>((resolve, reject) => {
    const request = factory.open(database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  // Whoever asks is told; until then nobody is waiting.
  opened.catch(() => undefined)

  async function run<T>(mode: IDBTransactionMode, act: (entries: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await opened).transaction(store, mode)
    const request = act(transaction.objectStore(store))
    // Now, not when its answer has been heard: a tab that ends in between would take the last keystroke with it.
    transaction.commit()
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  }

  return {
    async keep(entry) {
      await run('readwrite', (entries) => entries.put(entry))
    },
    async forget(key) {
      await run('readwrite', (entries) => entries.delete(key))
    },
    find: (key) => run('readonly', (entries) => entries.get(key) as IDBRequest<Entry | undefined>),
    async unsent(writer) {
      const all = await run('readonly', (entries) => entries.getAll() as IDBRequest<Entry[]>)
      return all
        .filter((entry) => entry.writer === writer && entry.base === null)
        .sort((one, other) => other.at - one.at)
    },
  }
}
