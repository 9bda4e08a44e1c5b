import type { DeskPiece } from '../../../server/features/pieces/desk-schema.ts'
import { newId } from '../api/new-id.ts'
import { rename } from '../components/router.ts'
import { wallClock } from './saving/clock.ts'
import { type Entry, type Journal, openJournal } from './saving/journal.ts'
import type { Manuscript } from './saving/manuscript.ts'
import { openPieces } from './saving/pieces.ts'
import { meet } from './saving/restore.ts'
import { openSaver, type Saver } from './saving/saver.ts'
import type { Outcome, Saved } from './saving/status.ts'
import { openTurn } from './saving/tabs.ts'

/** A piece that is open in this tab, to write or, while another tab writes, to read. */
export interface Session {
  readonly saver: Saver
  readonly writer: string
  /** False from the moment another tab has taken over. */
  readonly isWriting: boolean
  /** When what was put back from the journal was written. */
  readonly putBack: number | null
  /** As the server last told of it; null while it has none. */
  piece(): DeskPiece | null
  /** After everything but a change of the text here, which is drawn where it is made. */
  listen(listener: () => void): () => void
  close(): void
}

export type Opened =
  | { readonly kind: 'open'; readonly session: Session }
  /** To a new piece of this id: it was deleted elsewhere and this device has text of it, or that text is another writer's. */
  | { readonly kind: 'moved'; readonly key: string; readonly wasDeleted: boolean }
  | Extract<Outcome, { kind: 'gone' | 'unreachable' | 'signed_out' }>

interface Given {
  /** The piece's id. */
  readonly key: string
  /** Begun on this device; the server may not have it. */
  readonly isNew: boolean
  readonly writer: string
  /** Takes the turn from another tab. */
  readonly insists: boolean
  /** Another tab writes now, or has written something new. */
  readonly onTurn: () => void
}

let opened: Journal | undefined
export function journal(): Journal {
  opened ??= openJournal(indexedDB)
  return opened
}

export async function openSession({ key, isNew, writer, insists, onTurn }: Given): Promise<Opened> {
  let piece: DeskPiece | null = null
  let saver: Saver | undefined
  let isWriting = false
  const listeners = new Set<() => void>()
  const tellAll = () => {
    for (const listener of listeners) listener()
  }
  const pieces = openPieces(writer, (next) => {
    piece = next
    tellAll()
  })
  /** Nothing is kept or sent from here any more, and the page says so. */
  const stop = () => {
    isWriting = false
    saver?.close()
    tellAll()
  }
  const turn = openTurn({
    key,
    onAsked: async () => {
      await saver?.flush()
      if (saver && !(await saver.isSafe())) return false
      stop()
      onTurn()
      return true
    },
    onNews: onTurn,
    onLost: () => {
      stop()
      // Text that is nowhere else stays on the page.
      void saver?.isSafe().then((isSafe) => isSafe && onTurn())
    },
  })
  isWriting = insists ? await turn.insist() : await turn.take()

  const kept = await entryOf(key)
  const entry = kept?.writer === writer ? kept : undefined
  if (isNew && kept && !entry) {
    turn.close()
    return { kind: 'moved', key: newId(), wasDeleted: false }
  }
  // Another tab may have begun it meanwhile, and then nothing of it is kept here.
  const isKnown = !isNew || (!entry && (insists || !isWriting))
  const read: Outcome | null = isKnown ? await pieces.read(key) : null
  if (read?.kind === 'gone' && !isNew && entry && isWriting) {
    const moved = await moveToNew(entry).catch(() => undefined)
    turn.close()
    return moved ? { kind: 'moved', key: moved, wasDeleted: true } : read
  }
  const saved = isNew && read?.kind === 'gone' ? null : savedOf(read, entry)
  if (saved === undefined) {
    turn.close()
    return read?.kind === 'gone' || read?.kind === 'signed_out' ? read : { kind: 'unreachable' }
  }
  const found = meet(entry, saved)
  const open = openSaver({ key, writer, found, journal: journal(), pieces, clock: wallClock, isReadOnly: !isWriting })
  saver = open
  const stopListening = open.listen((event) => {
    // From now on the address names the piece.
    if (event === 'begun') rename(`/desk/edit/pieces/${key}`)
    if (open.standing().kind === 'saved') turn.announce()
  })
  return {
    kind: 'open',
    session: {
      saver: open,
      writer,
      get isWriting() {
        return isWriting
      },
      putBack: found.putBack,
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
        void open
          .flush()
          .then(open.isSafe)
          .finally(() => {
            open.close()
            turn.close()
          })
      },
    },
  }
}

/** The new one is on the device before the old one leaves it. */
async function moveToNew(entry: Entry): Promise<string> {
  const key = newId()
  await journal().keep({ ...entry, key, base: null, sent: null })
  await journal().forget(entry.key)
  return key
}

/** A journal that cannot be read is no reason not to write. */
const entryOf = (key: string): Promise<Entry | undefined> =>
  journal()
    .find(key)
    .catch(() => undefined)

/** Null for a piece the server has not; undefined where nothing can be shown. Without the server the journal will do. */
function savedOf(read: Outcome | null, entry: Entry | undefined): Saved | null | undefined {
  if (read === null) return null
  if (read.kind === 'saved') return read.at
  return read.kind === 'unreachable' ? (entry?.base ?? undefined) : undefined
}

/** A piece that was begun on this device and never sent, if no other tab has it open. */
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
