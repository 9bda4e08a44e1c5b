import { type Poller, startPolling } from './polling-connection.ts'
import { type Position, readPosition } from './wal-position.ts'

/** Polling intervals: while a read waits, and to notice that it came back or is gone. */
const pauses = { hurried: 5, usual: 250 }
const hurry = 100
const pauseWhileGone = 1000
/** After this long without an answer it may be frozen. */
const suspiciousAfter = 250

interface ReplicaCallbacks {
  /** It has replayed more, or came back. */
  onMoved(): void
  /** It cannot be reached. */
  onGone(error: Error): void
}

/** Tracks how far a replica has replayed the primary's log. */
export class ReplicaWatch {
  /** Last known position; 0 if the server is not a replica. */
  replayed: Position = 0n
  /**
   * The timeline of that position, as far as certain: a primary that was cut off may have gone further than its
   * successor, on an abandoned timeline. A replica records the timeline of a new primary with its next pages, after
   * five minutes (`checkpoint_timeout`) at the latest.
   */
  timeline = 0
  /** Whether it answers. */
  isReachable = false
  readonly #asker: Poller
  #wanted: Position = 0n
  #hurriedUntil = 0
  #askedAt = 0

  constructor(url: string, { onMoved, onGone }: ReplicaCallbacks) {
    this.#asker = startPolling<{ replayed: string | null; timeline: number }>({
      url,
      name: 'following',
      // A promoted replica follows nobody.
      query: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end as replayed,
                        greatest(timeline_id, min_recovery_end_timeline) as timeline
                   from pg_control_checkpoint(), pg_control_recovery()`,
      onQuery: () => {
        this.#askedAt = performance.now()
      },
      onAnswer: ({ replayed, timeline }) => {
        this.#askedAt = 0
        this.isReachable = true
        this.timeline = timeline
        this.replayed = replayed === null ? 0n : readPosition(replayed)!
        onMoved()
        const isPoolTimeout = this.replayed < this.#wanted && performance.now() < this.#hurriedUntil
        return isPoolTimeout ? pauses.hurried : pauses.usual
      },
      onLost: ({ error }) => {
        this.#askedAt = 0
        if (this.isReachable) {
          this.isReachable = false
          onGone(error)
        }
        return pauseWhileGone
      },
    })
  }

  /** Polls faster, because a read needs this position soon. */
  hasten(position: Position): void {
    if (position > this.#wanted) this.#wanted = position
    this.#hurriedUntil = performance.now() + hurry
    if (this.isReachable) this.#asker.now()
  }

  /** Checks immediately whether it still answers, after an error. */
  doubt(): void {
    if (this.isReachable) this.#asker.now()
  }

  get isDoubtful(): boolean {
    return this.#askedAt > 0 && performance.now() - this.#askedAt > suspiciousAfter
  }

  stop(): Promise<void> {
    return this.#asker.stop()
  }
}

const longestWait = 1000

export interface Replicas {
  readonly count: number
  /**
   * Whether all reachable replicas have replayed it, now or within a second. One that was late is not waited for again.
   */
  have(position: Position): Promise<boolean>
  stop(): Promise<void>
}

/** All replicas that readers may be answered from. */
export function watchReplicas(urls: readonly string[], onError: (error: Error) => void): Replicas {
  const waiting = new Set<() => void>()
  const look = () => {
    for (const one of waiting) one()
  }
  const onGone = (error: Error) => {
    onError(error)
    look()
  }
  const followers = urls.map((url) => new ReplicaWatch(url, { onMoved: look, onGone }))
  /** Replicas that were too late, and the position they missed. */
  const late = new Map<ReplicaWatch, Position>()
  const lacking = (position: Position) =>
    followers.filter(({ isReachable, replayed }) => isReachable && replayed < position)
  const isLate = (follower: ReplicaWatch) => follower.replayed < (late.get(follower) ?? 0n)

  return {
    count: followers.length,
    have: (position) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer)
          waiting.delete(check)
          resolve(lacking(position).length === 0)
        }
        const check = () => {
          if (lacking(position).every(isLate)) end()
        }
        const timer = setTimeout(() => {
          for (const follower of lacking(position)) if (!isLate(follower)) late.set(follower, position)
          end()
        }, longestWait)
        waiting.add(check)
        for (const follower of lacking(position)) follower.hasten(position)
        check()
      }),
    stop: async () => {
      await Promise.all(followers.map((follower) => follower.stop()))
    },
  }
}
