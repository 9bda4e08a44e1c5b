import { useEffect, useState } from 'react'
import type { DeskPiece } from '../../../server/features/pieces/desk-schema.ts'
import { newId } from '../api/client.ts'
import { invalidate } from '../api/queries.ts'
import { replaceUrl } from '../components/router.ts'
import { type Journal, type JournalEntry, openJournal, restoreText } from './saving/journal.ts'
import type { Manuscript } from './saving/manuscript.ts'
import { openPieceStore } from './saving/piece-store.ts'
import type { SavedPiece, SaveOutcome } from './saving/save-status.ts'
import { openSaver, type Saver, wallClock } from './saving/saver.ts'
import { openWriteLock } from './saving/tabs.ts'

/** A piece opened in this tab, for writing, or for reading while another tab writes. */
export interface Session {
  /** The id of the piece, also before the server knows it. */
  readonly key: string
  readonly saver: Saver
  readonly writer: string
  /** False once another tab has taken over. */
  readonly isWriting: boolean
  /** When the text restored from the journal was written. */
  readonly restoredAt: number | null
  /** As in the server's last answer; null while the server has none. */
  piece(): DeskPiece | null
  /** Called after every change except keystrokes here, which are rendered where they happen. */
  listen(listener: () => void): () => void
  close(): void
}

export type OpenResult =
  | { readonly kind: 'open'; readonly session: Session }
  /**
   * Continue as a new piece with this id: the piece was deleted elsewhere and this device has text of it, or the text
   * belongs to another writer.
   */
  | { readonly kind: 'moved'; readonly key: string; readonly wasDeleted: boolean }
  | Extract<SaveOutcome, { kind: 'gone' | 'unreachable' | 'signed_out' }>

interface OpenOptions {
  readonly key: string
  /** Started on this device; the server may not have it. */
  readonly isNew: boolean
  readonly writer: string
  /** Takes the lock from another tab. */
  readonly takesOver: boolean
  /** Another tab writes now, or has saved something new. */
  readonly onLockChange: () => void
}

let sharedJournal: Journal | undefined
export function journal(): Journal {
  sharedJournal ??= openJournal(indexedDB)
  return sharedJournal
}

export async function openSession({ key, isNew, writer, takesOver, onLockChange }: OpenOptions): Promise<OpenResult> {
  let piece: DeskPiece | null = null
  let saver: Saver | undefined
  let isWriting = false
  const listeners = new Set<() => void>()
  const notify = () => {
    for (const listener of listeners) listener()
  }
  const pieces = openPieceStore(writer, (next) => {
    piece = next
    notify()
  })
  /** Stops saving from this tab and re-renders. */
  const stop = () => {
    isWriting = false
    saver?.close()
    notify()
  }
  const lock = openWriteLock({
    key,
    onHandOver: async () => {
      await saver?.flush()
      if (saver && !(await saver.isSafe())) return false
      stop()
      onLockChange()
      return true
    },
    onSaved: onLockChange,
    onLost: () => {
      stop()
      // Text that is saved nowhere else stays on the page.
      void saver?.isSafe().then((isSafe) => isSafe && onLockChange())
    },
  })
  isWriting = takesOver ? await lock.takeOver() : await lock.acquire()
  const waiting = new AbortController()
  if (!isWriting) void lock.whenFree(waiting.signal).then(onLockChange, () => undefined)

  const stored = await entryOf(key)
  const entry = stored?.writer === writer ? stored : undefined
  if (isNew && stored && !entry) {
    lock.close()
    return { kind: 'moved', key: newId(), wasDeleted: false }
  }
  // Another tab may have created it meanwhile; then the journal has nothing.
  const isKnown = !isNew || (!entry && (takesOver || !isWriting))
  const answer: SaveOutcome | null = isKnown ? await pieces.read(key) : null
  // The journal has the version that its text was changed from.
  const read = answer?.kind === 'unreachable' && !entry ? await pieces.readKept(key) : answer
  if (read?.kind === 'gone' && !isNew && entry && isWriting) {
    const moved = await moveToNew(entry).catch(() => undefined)
    lock.close()
    return moved ? { kind: 'moved', key: moved, wasDeleted: true } : read
  }
  const saved = isNew && read?.kind === 'gone' ? null : savedOf(read, entry)
  if (saved === undefined) {
    lock.close()
    return read?.kind === 'gone' || read?.kind === 'signed_out' ? read : { kind: 'unreachable' }
  }
  const found = restoreText(entry, saved)
  const open = openSaver({ key, writer, found, journal: journal(), pieces, clock: wallClock, isReadOnly: !isWriting })
  saver = open
  const stopListening = open.listen((event) => {
    // From now on the URL names the piece.
    if (event === 'created') replaceUrl(`/desk/edit/pieces/${key}`)
    if (open.status().kind === 'saved') lock.announceSave()
  })
  return {
    kind: 'open',
    session: {
      key,
      saver: open,
      writer,
      get isWriting() {
        return isWriting
      },
      restoredAt: found.restoredAt,
      piece: () => piece,
      listen(listener) {
        listeners.add(listener)
        const stopSaver = open.listen((event) => {
          if (event !== 'changed') listener()
        })
        return () => {
          listeners.delete(listener)
          stopSaver()
        }
      },
      close() {
        stopListening()
        waiting.abort()
        void open
          .flush()
          .then(open.isSafe)
          .finally(() => {
            open.close()
            lock.close()
            // Lists and counts were read before what was written here.
            void invalidate('pieces')
          })
      },
    },
  }
}

/** The new entry is written before the old one is removed. */
async function moveToNew(entry: JournalEntry): Promise<string> {
  const key = newId()
  await journal().put({ ...entry, key, base: null, sent: null })
  await journal().remove(entry.key)
  return key
}

/** A broken journal must not prevent writing. */
const entryOf = (key: string): Promise<JournalEntry | undefined> =>
  journal()
    .find(key)
    .catch(() => undefined)

/**
 * Null for a piece the server does not have; undefined if nothing can be shown. Falls back to the journal if the server
 * is unreachable.
 */
function savedOf(read: SaveOutcome | null, entry: JournalEntry | undefined): SavedPiece | null | undefined {
  if (read === null) return null
  if (read.kind === 'saved') return read.at
  return read.kind === 'unreachable' ? (entry?.base ?? undefined) : undefined
}

/** A piece started on this device and never sent, unless another tab has it open. */
export async function unsentPiece(
  writer: string,
  but: string,
): Promise<{ key: string; manuscript: Manuscript; at: number } | undefined> {
  const { held = [] } = (await navigator.locks?.query()) ?? {}
  const isOpen = (key: string) => held.some(({ name }) => name === `piece:${key}`)
  const entries = await journal()
    .unsent(writer)
    .catch(() => [])
  return entries.find(({ key }) => key !== but && !isOpen(key))
}

/** Re-renders when anything about the piece changes, except for keystrokes in the text. */
export function useSession(session: Session): void {
  const [, setCount] = useState(0)
  useEffect(() => session.listen(() => setCount((count) => count + 1)), [session])
}
