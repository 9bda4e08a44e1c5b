import pg from 'pg'
import { WrongConnection } from './access.ts'
import { isClosing } from './pg-errors.ts'
import { type Loss, type Poller, startPolling } from './polling-connection.ts'
import { type Position, readPosition } from './wal-position.ts'

/** Notified in the transaction that changes something public (jobs.add in ../jobs/queue.sql). */
const channel = 'public_changes'
const heartbeat = 500
const pauseWhileAway = 250
const nothing = -1
/** After this long without an answer the primary may be frozen. */
const suspiciousAfter = 250

/**
 * Milliseconds for which an answer of the primary may be used for routing. A request that changes something public is
 * answered no sooner than this after its commit (http/desk-api/read-your-writes.ts): so any read that begins after the
 * answer knows of the change, at every server, and no server waits for another.
 */
export const lease = 50
/** How often the lease is renewed while there are reads, and for how long after the last one. */
const renewal = 20
const reading = 1000
/** A server this far from the primary routes by notifications, and is late by the time they take. */
const distant = 20

interface PrimaryCallbacks {
  readonly url: string
  readonly role?: string
  onMoved(): void
  /** The primary cannot be reached. */
  onAway(error: Error): void
}

/**
 * Tracks the log position from which readers see everything that was made public. Changes arrive as notifications.
 * PostgreSQL delivers notifications of all earlier commits before it answers a query on the same connection, so each
 * answer proves that nothing was missed up to the moment of its query.
 */
export class PrimaryWatch {
  /** Position of the last change. Lower after a failover to a primary that had less. */
  needed: Position = 0n
  /** The primary's position at the last answer. */
  known: Position = 0n
  /** The timeline of its positions: each promoted primary begins a new one. */
  timeline = 0
  /** The primary cannot be queried, and as far as is known nothing changes there. */
  isAway = false
  readonly #asker: Poller
  #isHearing = false
  /** Number of notifications received, received before the last query, and covered by `needed`. */
  #heard = 0
  #asked = 0
  #covered = nothing
  /** When the last query was sent, and the last one that was answered. */
  #askedAt = 0
  #sureAt = 0
  #isAsking = false
  #readAt = 0
  #distance = 0

  constructor({ url, role, onMoved, onAway }: PrimaryCallbacks) {
    this.#asker = startPolling<{ position: string; file: string }>({
      url,
      ...(role ? { role } : {}),
      name: 'changes',
      channel,
      // The flush position, not the insert position: that may point past the header of a page that is still empty.
      query: 'select position, pg_walfile_name(position) as file from pg_current_wal_flush_lsn() as position',
      onNotification: () => {
        this.#heard += 1
        this.#asker.now()
      },
      onQuery: () => {
        this.#asked = this.#heard
        this.#askedAt = performance.now()
        this.#isAsking = true
      },
      onAnswer: ({ position, file }) => {
        this.known = readPosition(position)!
        this.timeline = Number.parseInt(file.slice(0, 8), 16)
        if (this.#asked > this.#covered) this.needed = this.known
        this.#covered = this.#asked
        this.#sureAt = this.#askedAt
        this.#isAsking = false
        this.#isHearing = true
        this.isAway = false
        this.#measure(performance.now() - this.#askedAt)
        onMoved()
        return performance.now() - this.#readAt < reading ? renewal : heartbeat
      },
      onLost: (loss) => {
        const wasHearing = this.#isHearing
        const wasAway = this.isAway
        this.#isHearing = false
        this.#isAsking = false
        // Notifications may have been missed: the next answer counts, even a lower one.
        this.#covered = nothing
        this.isAway = isUnreachable(loss)
        if (this.isAway && !wasAway) onAway(loss.error)
        onMoved()
        return wasHearing ? 0 : pauseWhileAway
      },
    })
  }

  /** Whether `needed` includes every change acknowledged before this moment. */
  isSureOf(moment: number): boolean {
    return this.#isHearing && this.#covered === this.#heard && moment - this.#sureAt <= this.#lease
  }

  /** Called for each read: renews the lease before a read would have to wait for it. */
  keepSure(moment: number): void {
    this.#readAt = moment
    if (moment - this.#askedAt > this.#lease / 2) this.#asker.now()
  }

  get isDoubtful(): boolean {
    return !this.#isHearing || (this.#isAsking && performance.now() - this.#askedAt > suspiciousAfter)
  }

  get #lease(): number {
    return this.#distance > distant ? 2 * this.#distance + lease : lease
  }

  /** The shortest recent round trip: a busy process is not a distant one. */
  #measure(took: number): void {
    this.#distance = took < this.#distance ? took : this.#distance + (took - this.#distance) / 64
  }

  stop(): Promise<void> {
    return this.#asker.stop()
  }
}

const isUnreachable = ({ error, atOpening, isSilent }: Loss): boolean =>
  isSilent ||
  (atOpening && !(error instanceof WrongConnection) && (!(error instanceof pg.DatabaseError) || isClosing(error)))
