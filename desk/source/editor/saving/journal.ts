import { changedMembers, emptyManuscript, isEquivalent, type Manuscript } from './manuscript.ts'
import { conflictWith, mergeManuscripts } from './merge.ts'
import type { SavedPiece, SaveStatus } from './save-status.ts'

/** The unsaved state of a text on this device. */
export interface JournalEntry {
  /** The piece's id, chosen by the page, so it exists before the server knows the piece. */
  readonly key: string
  /** A device may have several writers. */
  readonly writer: string
  readonly manuscript: Manuscript
  /** The version it was changed from; null for a piece the server does not have. */
  readonly base: SavedPiece | null
  /** A save in flight, which may have arrived. */
  readonly sent: Manuscript | null
  readonly at: number
}

export interface Journal {
  put(entry: JournalEntry): Promise<void>
  remove(key: string): Promise<void>
  find(key: string): Promise<JournalEntry | undefined>
  /** Pieces of this writer that never reached the server, newest first. */
  unsent(writer: string): Promise<JournalEntry[]>
}

const database = 'standfirst-desk'
const store = 'journal'

/** The journal in IndexedDB. It outlives the tab, the browser and the session. */
export function openJournal(factory: IDBFactory): Journal {
  const opened = new Promise<IDBDatabase>((resolve, reject) => {
    const request = factory.open(database, 1)
    request.onupgradeneeded = () => request.result.createObjectStore(store, { keyPath: 'key' })
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  // Each caller sees the rejection; this only prevents an unhandled one before the first call.
  opened.catch(() => undefined)

  async function run<T>(mode: IDBTransactionMode, act: (entries: IDBObjectStore) => IDBRequest<T>): Promise<T> {
    const transaction = (await opened).transaction(store, mode)
    const request = act(transaction.objectStore(store))
    // Commit now, without waiting for the result: a tab that closes in between would lose the last keystroke.
    transaction.commit()
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result)
      transaction.onerror = () => reject(transaction.error)
      transaction.onabort = () => reject(transaction.error)
    })
  }

  return {
    async put(entry) {
      await run('readwrite', (entries) => entries.put(entry))
    },
    async remove(key) {
      await run('readwrite', (entries) => entries.delete(key))
    },
    async find(key) {
      const entry = await run('readonly', (entries) => entries.get(key) as IDBRequest<JournalEntry | undefined>)
      return entry && completeEntry(entry)
    },
    async unsent(writer) {
      const all = await run('readonly', (entries) => entries.getAll() as IDBRequest<JournalEntry[]>)
      return all
        .filter((entry) => entry.writer === writer && entry.base === null)
        .sort((one, other) => other.at - one.at)
        .map(completeEntry)
    },
  }
}

/** An entry may be older than a field of the manuscript. */
export function completeEntry(entry: JournalEntry): JournalEntry {
  const { manuscript, base, sent } = entry
  return {
    ...entry,
    manuscript: { ...emptyManuscript, ...manuscript },
    base: base && { ...base, manuscript: { ...emptyManuscript, ...base.manuscript } },
    sent: sent && { ...emptyManuscript, ...sent },
  }
}

/** Writes the newest state at once, and knows whether the last write succeeded. */
interface JournalWriter {
  write(): void
  hasSaved(): boolean
  /** Resolves when no write is in flight. */
  done(): Promise<void>
}

/** A write starts before the previous one has ended: a tab that crashes in between would lose the last keystroke. */
const maxConcurrent = 4

/** `save` starts at once; writes finish in the order in which they started. */
export function openJournalWriter(save: () => Promise<void>, onChange: () => void): JournalWriter {
  const inFlight = new Set<Promise<void>>()
  let isStale = false
  let hasSaved = true

  async function writeNow(): Promise<void> {
    const worked = await save().then(
      () => true,
      () => false,
    )
    if (worked !== hasSaved) {
      hasSaved = worked
      onChange()
    }
  }

  function write(): void {
    isStale = inFlight.size >= maxConcurrent
    if (isStale) return
    const writing = writeNow().finally(() => {
      inFlight.delete(writing)
      if (isStale) write()
    })
    inFlight.add(writing)
  }

  return {
    write,
    hasSaved: () => hasSaved,
    async done() {
      while (inFlight.size > 0) await Promise.all(inFlight)
    },
  }
}

/** The state of a piece when it is opened, from the server and from the journal of this device. */
export interface Restored {
  readonly base: SavedPiece | null
  readonly manuscript: Manuscript
  /** When the restored text was written; null if nothing was restored. */
  readonly restoredAt: number | null
  readonly contested: Extract<SaveStatus, { kind: 'contested' }> | null
}

export function restoreText(entry: JournalEntry | undefined, saved: SavedPiece | null): Restored {
  if (!entry)
    return { base: saved, manuscript: saved?.manuscript ?? emptyManuscript, restoredAt: null, contested: null }
  const { manuscript: mine, at: restoredAt } = entry
  if (!saved) return { base: null, manuscript: mine, restoredAt, contested: null }
  const base = baseOf(entry, saved)
  if (!base) {
    const contested = conflictWith(null, saved.manuscript, saved)
    return { base: saved, manuscript: mine, restoredAt, contested }
  }
  if (changedMembers(base.manuscript, mine).length === 0) {
    return { base: saved, manuscript: saved.manuscript, restoredAt: null, contested: null }
  }
  const { ours, theirs, conflicts } = mergeManuscripts(base.manuscript, mine, saved.manuscript)
  if (conflicts.length > 0) {
    return { base, manuscript: ours, restoredAt, contested: conflictWith(base.manuscript, theirs, saved) }
  }
  if (isEquivalent(saved.manuscript, ours)) return restoreText(undefined, saved)
  return { base: saved, manuscript: ours, restoredAt, contested: null }
}

/** The save in flight when the tab closed may have arrived: then that is the base of the text. */
export function baseOf({ base, sent }: Pick<JournalEntry, 'base' | 'sent'>, saved: SavedPiece): SavedPiece | null {
  return sent && isEquivalent(sent, saved.manuscript) ? { ...saved, manuscript: sent } : base
}
