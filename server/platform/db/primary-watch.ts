import pg from 'pg'
import { isClosing } from './failures.ts'
import { type Position, readPosition } from './lsn.ts'
import { type Asker, keepAsking, type Loss } from './polling-connection.ts'
import { WrongConnection } from './verify.ts'

/** Said in the transaction that changes something public (jobs.add in ../jobs/queue.sql). */
const channel = 'public_changes'
const heartbeat = 500
const pauseWhileAway = 250
const nothing = -1
/** After this long without an answer the primary may be frozen. */
const doubtful = 250

/**
 * Milliseconds for which what the primary said is good enough to read by. Whoever changes something public is answered no
 * sooner than that after it was committed (http/desk-api/read-your-writes.ts): so a read that begins when the answer is there knows of
 * the change, at whichever server, although no server waits for another.
 */
export const lease = 50
/** How often it is renewed while somebody reads, and for how long after. */
const renewal = 20
const reading = 1000
/** A server so far from the primary reads by what it hears, and is late by the time that takes. */
const far = 20

interface Told {
  readonly url: string
  readonly role?: string
  onMoved(): void
  /** The primary cannot be reached. */
  onAway(error: Error): void
}

/**
 * From which position of the primary's log on readers see everything that was made public. Changes are heard as they
 * happen. PostgreSQL tells of every commit before it answers a question that was asked after it, over the same connection;
 * so each answer makes sure that nothing was missed up to the moment of its question.
 */
export class Changes {
  /** Of the last change. Lower after a primary took over that had less. */
  needed: Position = 0n
  /** The primary's, at the last answer. */
  known: Position = 0n
  /** Which history its positions are of: another begins with each primary that takes over. */
  timeline = 0
  /** Nothing can be asked of the primary, and nothing changes there as far as anybody here can tell. */
  isAway = false
  readonly #asker: Asker
  #isHearing = false
  /** How many changes were heard of, how many of them when it was last asked, and how many `needed` covers. */
  #heard = 0
  #asked = 0
  #covered = nothing
  /** When the last question was sent, and the last that was answered. */
  #askedAt = 0
  #sureAt = 0
  #isAsking = false
  #readAt = 0
  #distance = 0

  constructor({ url, role, onMoved, onAway }: Told) {
    this.#asker = keepAsking<{ position: string; file: string }>({
      url,
      ...(role ? { role } : {}),
      name: 'changes',
      channel,
      // What was flushed, not what was inserted: that may point behind the head of a page nobody has begun to fill.
      question: 'select position, pg_walfile_name(position) as file from pg_current_wal_flush_lsn() as position',
      onHeard: () => {
        this.#heard += 1
        this.#asker.now()
      },
      onAsk: () => {
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
        // Whatever was said meanwhile: the next answer is needed, also a lower one.
        this.#covered = nothing
        this.isAway = isUnreachable(loss)
        if (this.isAway && !wasAway) onAway(loss.error)
        onMoved()
        return wasHearing ? 0 : pauseWhileAway
      },
    })
  }

  /** Whether every change that was acknowledged before this moment is in `needed`. */
  isSureOf(moment: number): boolean {
    return this.#isHearing && this.#covered === this.#heard && moment - this.#sureAt <= this.#lease
  }

  /** Somebody reads: it is asked again before it must be waited for. */
  keepSure(moment: number): void {
    this.#readAt = moment
    if (moment - this.#askedAt > this.#lease / 2) this.#asker.now()
  }

  get isDoubtful(): boolean {
    return !this.#isHearing || (this.#isAsking && performance.now() - this.#askedAt > doubtful)
  }

  get #lease(): number {
    return this.#distance > far ? 2 * this.#distance + lease : lease
  }

  /** The shortest way of late: a process that was busy is not far away. */
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
