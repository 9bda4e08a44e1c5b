import type { Clock } from './clock.ts'
import type { Entry, Journal } from './journal.ts'
import { openKeeper } from './journal-writer.ts'
import { heldBack } from './limits.ts'
import { changed, hasText, type Manuscript, merged, saysTheSame } from './manuscript.ts'
import { baseOf, contestedBy, type Found } from './restore.ts'
import type { Outcome, PieceStore, Saved, Standing } from './status.ts'

/** Saves when the writer pauses this long, … */
const pauseBeforeSaving = 800
/** … and at the latest this long after the first change that is not saved. */
const longestUnsaved = 5000
const firstRetry = 1000
const lastRetry = 30_000

/** One text, kept on the device at once and at the server soon. It never drops what was written. */
export interface Saver {
  manuscript(): Manuscript
  standing(): Standing
  /** The piece at the server, once there is one. */
  id(): string | null
  /** Whether the device keeps what is written. */
  isKept(): boolean
  /** Whether every character is at the server or on the device, once what is under way to the device is there. */
  isSafe(): Promise<boolean>
  change(changes: Partial<Manuscript>): void
  /** Saves now, and ends when that has come to something. */
  flush(): Promise<Standing>
  /** The network may be back, or the writer signed in again. */
  tryAgain(): void
  keepMine(): Promise<Standing>
  takeTheirs(): Promise<Standing>
  takeBoth(together: Manuscript): Promise<Standing>
  /** After each change of the text, of its standing, of the piece's id, or of a text the writer did not type (`taken`). */
  listen(listener: (event: SaverEvent) => void): () => void
  /** From here on nothing is kept or sent: another tab may do both. */
  close(): void
}

type SaverEvent = 'standing' | 'begun' | 'taken' | 'kept' | 'changed'

interface Given {
  /** The piece's id, by which the journal knows it too. A new piece has it before the server knows of it. */
  readonly key: string
  readonly writer: string
  readonly found: Found
  readonly journal: Pick<Journal, 'keep' | 'forget'>
  readonly pieces: PieceStore
  readonly clock: Clock
  /** Another tab writes: nothing is kept or sent from here. */
  readonly isReadOnly?: boolean
}

export function openSaver({ key, writer, found, journal, pieces, clock, isReadOnly = false }: Given): Saver {
  let { base, manuscript } = found
  let sent: Manuscript | null = null
  let standing: Standing = found.contested ?? { kind: 'saved', at: null }
  let since: number | null = null
  let failures = 0
  let cancel: () => void = () => undefined
  let underWay: Promise<void> | null = null
  let isClosed = isReadOnly
  const listeners = new Set<(event: SaverEvent) => void>()

  const tell = (event: SaverEvent) => {
    for (const listener of listeners) listener(event)
  }
  const isClean = () => (base ? changed(base.manuscript, manuscript).length === 0 : isBlank(manuscript))
  function stand(next: Standing) {
    const isNews = next.kind !== standing.kind || (next.kind !== 'changed' && next.kind !== 'saving')
    standing = next
    if (isNews) tell('standing')
  }

  const entry = (): Entry => ({ key, writer, manuscript, base, sent, at: clock.now() })
  const keeper = openKeeper(
    async () => {
      if (isClosed) throw new Error('another tab writes')
      await (isClean() && standing.kind !== 'contested' ? journal.forget(key) : journal.keep(entry()))
    },
    () => tell('kept'),
  )
  const keep = () => {
    if (!isClosed) keeper.keep()
  }

  function schedule(milliseconds: number) {
    cancel()
    if (!isClosed) cancel = clock.after(milliseconds, () => void send())
  }

  function change(changes: Partial<Manuscript>) {
    if (isClosed) return
    const next = { ...manuscript, ...changes }
    if (changed(manuscript, next).length === 0) return
    manuscript = next
    tell('changed')
    keep()
    if (standing.kind === 'contested' || standing.kind === 'gone') return
    since ??= clock.now()
    if (standing.kind !== 'saving' && standing.kind !== 'unreachable') stand({ kind: 'changed' })
    // While the server is away, retrying has its own pace.
    if (standing.kind !== 'unreachable') {
      schedule(Math.max(0, Math.min(pauseBeforeSaving, since + longestUnsaved - clock.now())))
    }
  }

  function send(): Promise<void> {
    cancel()
    underWay ??= attempt().finally(() => {
      underWay = null
    })
    return underWay
  }

  async function attempt(): Promise<void> {
    if (isClosed || standing.kind === 'contested' || standing.kind === 'gone') return
    if (isClean() && !sent) {
      since = null
      if (standing.kind !== 'saved') stand({ kind: 'saved', at: base ? clock.now() : null })
      keep()
      return
    }
    const { sendable: sending, words } = heldBack(manuscript, base?.manuscript)
    if (words && base && !sent && changed(base.manuscript, sending).length === 0) {
      since = null
      return stand({ kind: 'refused', detail: words, problems: [] })
    }
    if (!hasText(sending)) return stand(words ? { kind: 'refused', detail: words, problems: [] } : { kind: 'textless' })
    // An attempt that was never answered may have arrived: first see what the server has.
    if (base && sent) return reconcile()
    sent = sending
    since = null
    stand({ kind: 'saving' })
    keep()
    const outcome = base
      ? await pieces.save(base.id, base.etag, base.manuscript, sending)
      : await pieces.begin(key, sending)
    await settle(outcome, sending)
  }

  async function settle(outcome: Outcome, sending: Manuscript): Promise<void> {
    if (outcome.kind !== 'unreachable') failures = 0
    switch (outcome.kind) {
      case 'saved':
        return settled(base ? { ...outcome.at, manuscript: sending } : begunAs(outcome.at, sending))
      case 'stale':
        return reconcile()
      case 'unreachable':
        failures += 1
        schedule(Math.min(lastRetry, firstRetry * 2 ** (failures - 1)))
        return stand({ kind: 'unreachable' })
      case 'signed_out':
        // What went before may have arrived all the same.
        return stand(outcome)
      default:
        sent = null
        keep()
        return stand(outcome)
    }
  }

  function settled(at: Saved) {
    const isNew = base === null
    base = at
    sent = null
    if (isClean()) {
      since = null
      stand({ kind: 'saved', at: clock.now() })
    } else {
      // Typed on while it was under way: that text waits for its own pause.
      since ??= clock.now()
      stand({ kind: 'changed' })
      schedule(pauseBeforeSaving)
    }
    keep()
    if (isNew) tell('begun')
  }

  /** Somebody saved in between. What they changed elsewhere in the piece is taken; where both changed, the writer chooses. */
  async function reconcile(): Promise<void> {
    if (!base) return
    stand({ kind: 'saving' })
    const read = await pieces.read(base.id)
    if (read.kind !== 'saved') return settle(read.kind === 'stale' ? { kind: 'unreachable' } : read, manuscript)
    const theirs = read.at
    const from = baseOf({ base, sent }, theirs) ?? base
    sent = null
    const together = merged(from.manuscript, manuscript, theirs.manuscript)
    if (!together) {
      stand(contestedBy(theirs))
      keep()
      return
    }
    const isNews = changed(manuscript, together).length > 0
    base = theirs
    manuscript = together
    if (isNews) tell('taken')
    stand({ kind: 'changed' })
    return attempt()
  }

  /** Goes on from their text as the one at the server, with this one on the page. */
  function choose(next: Manuscript): void {
    if (standing.kind !== 'contested' || !base) return
    const isNews = changed(manuscript, next).length > 0
    base = { id: base.id, etag: standing.etag, manuscript: standing.theirs }
    manuscript = next
    standing = { kind: 'changed' }
    if (isNews) tell('taken')
  }

  async function flush(): Promise<Standing> {
    if (isClosed) return standing
    // What was typed while a save was under way needs one of its own.
    if (underWay) await underWay
    if (isClosed) return standing
    if (!isClean() || standing.kind !== 'saved') await send()
    return standing
  }

  // What was put back, or came together from two sides, goes to the server by itself.
  if (standing.kind === 'saved' && !isClean() && !isClosed) {
    standing = { kind: 'changed' }
    schedule(0)
  }

  return {
    manuscript: () => manuscript,
    standing: () => standing,
    id: () => base?.id ?? null,
    isKept: keeper.isKept,
    async isSafe() {
      await keeper.done()
      return isClean() || keeper.isKept()
    },
    change,
    flush,
    tryAgain() {
      failures = 0
      if (standing.kind === 'unreachable' || standing.kind === 'signed_out' || standing.kind === 'refused') void send()
    },
    async keepMine() {
      choose(manuscript)
      return flush()
    },
    /** Theirs is the text; mine is saved just before, so that the history has it. */
    async takeTheirs() {
      if (standing.kind !== 'contested') return standing
      const { theirs } = standing
      choose(manuscript)
      let came = await flush()
      while (came.kind === 'changed' && !isClosed) came = await flush()
      if (came.kind !== 'saved' && came.kind !== 'textless') return came
      manuscript = theirs
      tell('taken')
      stand({ kind: 'changed' })
      return flush()
    },
    async takeBoth(together) {
      choose(together)
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

/** An earlier attempt may have arrived without its answer: then the piece stands as that one had it, and the rest follows. */
const begunAs = (at: Saved, sending: Manuscript): Saved =>
  saysTheSame(at.manuscript, sending) ? { ...at, manuscript: sending } : at

const isBlank = ({ headline, sub, body_md }: Manuscript): boolean => headline === '' && sub === '' && body_md === ''
