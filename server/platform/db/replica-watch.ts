import { type Position, readPosition } from './lsn.ts'
import { type Asker, keepAsking } from './polling-connection.ts'

/** How often it is asked: while somebody waits, and to notice that it has come or is gone. */
const pauses = { hurried: 5, usual: 250 }
const hurry = 100
const pauseWhileGone = 1000
/** After this long without an answer it may be frozen. */
const doubtful = 250

interface Told {
  /** It has moved on, or came back. */
  onMoved(): void
  /** It cannot be reached. */
  onGone(error: Error): void
}

/** How far a replica has replayed the primary's log. */
export class ReplicaWatch {
  /** As far as is known; nothing where the server is no replica. */
  replayed: Position = 0n
  /**
   * Which history that is of, as far as is certain: a primary that was cut off may have gone further than its successor,
   * in a history that is over. A replica that follows a new primary has it written down with its next pages, after five
   * minutes (`checkpoint_timeout`) at the latest.
   */
  timeline = 0
  /** Whether it answers. */
  isThere = false
  readonly #asker: Asker
  #wanted: Position = 0n
  #hurriedUntil = 0
  #askedAt = 0

  constructor(url: string, { onMoved, onGone }: Told) {
    this.#asker = keepAsking<{ replayed: string | null; timeline: number }>({
      url,
      name: 'following',
      // What was a replica and is a primary now follows nobody.
      question: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end as replayed,
                        greatest(timeline_id, min_recovery_end_timeline) as timeline
                   from pg_control_checkpoint(), pg_control_recovery()`,
      onAsk: () => {
        this.#askedAt = performance.now()
      },
      onAnswer: ({ replayed, timeline }) => {
        this.#askedAt = 0
        this.isThere = true
        this.timeline = timeline
        this.replayed = replayed === null ? 0n : readPosition(replayed)!
        onMoved()
        const isAwaited = this.replayed < this.#wanted && performance.now() < this.#hurriedUntil
        return isAwaited ? pauses.hurried : pauses.usual
      },
      onLost: ({ error }) => {
        this.#askedAt = 0
        if (this.isThere) {
          this.isThere = false
          onGone(error)
        }
        return pauseWhileGone
      },
    })
  }

  /** Somebody needs it to have come as far as this, soon. */
  hasten(position: Position): void {
    if (position > this.#wanted) this.#wanted = position
    this.#hurriedUntil = performance.now() + hurry
    if (this.isThere) this.#asker.now()
  }

  /** Something went wrong there: asks at once whether it still answers. */
  doubt(): void {
    if (this.isThere) this.#asker.now()
  }

  get isDoubtful(): boolean {
    return this.#askedAt > 0 && performance.now() - this.#askedAt > doubtful
  }

  stop(): Promise<void> {
    return this.#asker.stop()
  }
}
