import { baseOf, type Journal, type JournalEntry, openJournalWriter, type Restored } from './journal.ts'
import { changedMembers, hasVisibleText, isEquivalent, type Manuscript, sendablePart } from './manuscript.ts'
import { conflictWith, keepBoth, mergeManuscripts } from './merge.ts'
import type { PieceStore, SavedPiece, SaveOutcome, SaveStatus } from './save-status.ts'

/** Saves after a pause of this many milliseconds, … */
const pauseBeforeSaving = 800
/** … and at the latest this long after the first unsaved change. */
const longestUnsaved = 5000
const firstRetry = 1000
const lastRetry = 30_000

/** Saves one text: to the device at once, to the server soon. It never drops what was written. */
export interface Saver {
  manuscript(): Manuscript
  status(): SaveStatus
  /** The piece's id, once the server has it. */
  id(): string | null
  /** Whether the last write to the device succeeded. */
  isOnDevice(): boolean
  /** Whether every character is on the server or the device; waits for pending writes to the device. */
  isSafe(): Promise<boolean>
  change(changes: Partial<Manuscript>): void
  /** Saves now; resolves with the resulting status. */
  flush(): Promise<SaveStatus>
  /** Call when the network is back or the writer has signed in again. */
  tryAgain(): void
  /** Takes what another device has saved, if nothing here is unsaved. */
  check(): Promise<void>
  keepMine(): Promise<SaveStatus>
  takeTheirs(): Promise<SaveStatus>
  takeBoth(): Promise<SaveStatus>
  /**
   * Called after changes of the text, the status, the piece's id or the journal, and when the text was replaced by one
   * the writer did not type: by their choice (`replaced`), or by merging what another device saved (`merged`).
   */
  listen(listener: (event: SaverEvent) => void): () => void
  /** Stops saving: another tab may write now. */
  close(): void
}

type SaverEvent = 'status' | 'created' | 'replaced' | 'merged' | 'journal' | 'changed'

interface SaverOptions {
  /** The piece's id, also the key of the journal. A new piece has it before the server knows it. */
  readonly key: string
  readonly writer: string
  readonly found: Restored
  readonly journal: Pick<Journal, 'put' | 'remove'>
  readonly pieces: PieceStore
  readonly clock: Clock
  /** Another tab writes: nothing is saved from here. */
  readonly isReadOnly?: boolean
}

export function openSaver({ key, writer, found, journal, pieces, clock, isReadOnly = false }: SaverOptions): Saver {
  let { base, manuscript } = found
  let sent: Manuscript | null = null
  let status: SaveStatus = found.contested ?? { kind: 'saved', at: null }
  let since: number | null = null
  let failures = 0
  let cancel: () => void = () => undefined
  let inFlight: Promise<void> | null = null
  let isClosed = isReadOnly
  const listeners = new Set<(event: SaverEvent) => void>()

  const emit = (event: SaverEvent) => {
    for (const listener of listeners) listener(event)
  }
  const isClean = () => (base ? changedMembers(base.manuscript, manuscript).length === 0 : isBlank(manuscript))
  function setStatus(next: SaveStatus) {
    const isNews = next.kind !== status.kind || (next.kind !== 'changed' && next.kind !== 'saving')
    status = next
    if (isNews) emit('status')
  }

  const entry = (): JournalEntry => ({ key, writer, manuscript, base, sent, at: clock.now() })
  const journalWriter = openJournalWriter(
    async () => {
      if (isClosed) throw new Error('another tab writes')
      await (isClean() && status.kind !== 'contested' ? journal.remove(key) : journal.put(entry()))
    },
    () => emit('journal'),
  )
  const writeJournal = () => {
    if (!isClosed) journalWriter.write()
  }

  function schedule(milliseconds: number) {
    cancel()
    if (!isClosed) cancel = clock.after(milliseconds, () => void send())
  }

  function change(changes: Partial<Manuscript>) {
    if (isClosed) return
    const next = { ...manuscript, ...changes }
    if (changedMembers(manuscript, next).length === 0) return
    manuscript = next
    emit('changed')
    writeJournal()
    if (status.kind === 'contested' || status.kind === 'gone') return
    since ??= clock.now()
    if (status.kind !== 'saving' && status.kind !== 'unreachable') setStatus({ kind: 'changed' })
    // While the server is unreachable, retries have their own schedule.
    if (status.kind !== 'unreachable') {
      schedule(Math.max(0, Math.min(pauseBeforeSaving, since + longestUnsaved - clock.now())))
    }
  }

  function send(): Promise<void> {
    cancel()
    inFlight ??= attempt().finally(() => {
      inFlight = null
    })
    return inFlight
  }

  async function attempt(): Promise<void> {
    if (isClosed || status.kind === 'contested' || status.kind === 'gone') return
    if (isClean() && !sent) {
      since = null
      if (status.kind !== 'saved') setStatus({ kind: 'saved', at: base ? clock.now() : null })
      writeJournal()
      return
    }
    const { sendable: sending, tooLong } = sendablePart(manuscript, base?.manuscript)
    if (tooLong.length > 0 && base && !sent && changedMembers(base.manuscript, sending).length === 0) {
      since = null
      return setStatus({ kind: 'too_long', fields: tooLong })
    }
    if (!hasVisibleText(sending))
      return setStatus(tooLong.length > 0 ? { kind: 'too_long', fields: tooLong } : { kind: 'textless' })
    // An unanswered attempt may have arrived: first read what the server has.
    if (base && sent) return reconcile()
    sent = sending
    since = null
    setStatus({ kind: 'saving' })
    writeJournal()
    const outcome = base
      ? await pieces.save(base.id, base.etag, base.manuscript, sending)
      : await pieces.begin(key, sending)
    await applyOutcome(outcome, sending)
  }

  async function applyOutcome(outcome: SaveOutcome, sending: Manuscript): Promise<void> {
    if (outcome.kind !== 'unreachable') failures = 0
    switch (outcome.kind) {
      case 'saved':
        return applySaved(base ? { ...outcome.at, manuscript: sending } : savedAs(outcome.at, sending))
      case 'stale':
        return reconcile()
      case 'unreachable':
        failures += 1
        schedule(Math.min(lastRetry, firstRetry * 2 ** (failures - 1)))
        return setStatus({ kind: 'unreachable' })
      case 'signed_out':
        // The request before may have arrived.
        return setStatus(outcome)
      default:
        sent = null
        writeJournal()
        return setStatus(outcome)
    }
  }

  function applySaved(at: SavedPiece) {
    const isNew = base === null
    base = at
    sent = null
    if (isClean()) {
      since = null
      setStatus({ kind: 'saved', at: clock.now() })
    } else {
      // Changed while the save was in flight: waits for its own pause.
      since ??= clock.now()
      setStatus({ kind: 'changed' })
      schedule(pauseBeforeSaving)
    }
    writeJournal()
    if (isNew) emit('created')
  }

  /** The piece was saved in between. Both changes are merged; the writer chooses where both changed the same. */
  async function reconcile(): Promise<void> {
    if (!base) return
    setStatus({ kind: 'saving' })
    const read = await pieces.read(base.id)
    if (read.kind !== 'saved') return applyOutcome(read.kind === 'stale' ? { kind: 'unreachable' } : read, manuscript)
    const saved = read.at
    const from = baseOf({ base, sent }, saved) ?? base
    sent = null
    const { ours, theirs, conflicts } = mergeManuscripts(from.manuscript, manuscript, saved.manuscript)
    if (conflicts.length > 0) {
      show(ours, 'merged')
      setStatus(conflictWith(from.manuscript, theirs, saved))
      writeJournal()
      return
    }
    base = saved
    show(ours, 'merged')
    setStatus({ kind: 'changed' })
    return attempt()
  }

  function show(next: Manuscript, event: 'replaced' | 'merged') {
    const isNews = changedMembers(manuscript, next).length > 0
    manuscript = next
    if (isNews) emit(event)
  }

  async function check(): Promise<void> {
    const isIdle = () => !isClosed && !inFlight && status.kind === 'saved' && isClean()
    if (!base || !isIdle()) return
    const read = await pieces.read(base.id)
    // Typing meanwhile is saved soon, and finds the other save itself.
    if (read.kind !== 'saved' || !isIdle() || !isNewer(read.at, base)) return
    const { ours } = mergeManuscripts(base.manuscript, manuscript, read.at.manuscript)
    base = { ...read.at, manuscript: ours }
    show(ours, 'merged')
    setStatus({ kind: 'saved', at: clock.now() })
  }

  /** Continues from their text as the base, with this one on the page. */
  function resolveConflict(next: Manuscript): void {
    if (status.kind !== 'contested') return
    base = status.saved
    status = { kind: 'changed' }
    show(next, 'replaced')
  }

  async function flush(): Promise<SaveStatus> {
    if (isClosed) return status
    // Text typed while a save was in flight needs its own save.
    if (inFlight) await inFlight
    if (isClosed) return status
    if (!isClean() || status.kind !== 'saved') await send()
    return status
  }

  // Restored or merged text is sent without a further change.
  if (status.kind === 'saved' && !isClean() && !isClosed) {
    status = { kind: 'changed' }
    schedule(0)
  }

  return {
    manuscript: () => manuscript,
    status: () => status,
    id: () => base?.id ?? null,
    isOnDevice: journalWriter.hasSaved,
    async isSafe() {
      await journalWriter.done()
      return isClean() || journalWriter.hasSaved()
    },
    change,
    flush,
    tryAgain() {
      failures = 0
      if (status.kind === 'unreachable' || status.kind === 'signed_out' || status.kind === 'refused') void send()
    },
    check,
    async keepMine() {
      resolveConflict(manuscript)
      return flush()
    },
    /** Takes theirs; mine is saved just before, so that the history has it. */
    async takeTheirs() {
      if (status.kind !== 'contested') return status
      const { theirs } = status
      resolveConflict(manuscript)
      let result = await flush()
      while (result.kind === 'changed' && !isClosed) result = await flush()
      if (result.kind !== 'saved' && result.kind !== 'textless') return result
      manuscript = theirs
      emit('replaced')
      setStatus({ kind: 'changed' })
      return flush()
    },
    async takeBoth() {
      if (status.kind === 'contested') resolveConflict(keepBoth(manuscript, status))
      return flush()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      isClosed = true
      cancel()
    },
  }
}

/** An earlier attempt may have arrived unanswered: then the piece is as that one made it, and the rest is sent next. */
const savedAs = (at: SavedPiece, sending: Manuscript): SavedPiece =>
  isEquivalent(at.manuscript, sending) ? { ...at, manuscript: sending } : at

/** A replica may answer with an older revision. The tag is the number of the revision. */
const isNewer = (one: SavedPiece, other: SavedPiece): boolean => revisionOf(one) > revisionOf(other)
const revisionOf = ({ etag }: SavedPiece): number => Number(/\d+/.exec(etag)?.[0] ?? 0)

const isBlank = ({ headline, sub, body_md }: Manuscript): boolean => headline === '' && sub === '' && body_md === ''

/** The saver's clock, so that tests can control it. */
export interface Clock {
  now(): number
  /** Runs `act` later; the result cancels it. */
  after(milliseconds: number, act: () => void): () => void
}

export const wallClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds)
    return () => clearTimeout(timer)
  },
}
