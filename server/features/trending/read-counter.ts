import { isUuid } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { type Kind, markOf, networkMark, type ReadingDay, rankMark, today } from './salt.ts'
import type { Reader } from './visitor-hash.ts'

/**
 * Counts in memory and writes in batches: whoever reads never waits for the database, and a process that is killed loses
 * what came in since its last batch, a quarter of a second at most.
 */
export interface ReadCounter {
  /** Somebody has the page of this piece before them. */
  read(piece: string, reader: Reader): void
  /** Somebody came to it from there. */
  visit(piece: string, reader: Reader, source: string): void
  /** Writes what there is; what cannot be written stays for the next time. */
  flush(): Promise<void>
  /** Writes the rest, and lets go of the connection. */
  close(): Promise<void>
}

export interface CounterReports {
  /** One read was not counted: there was no room for it. */
  onDropped(): void
  /** So many were not counted: their network had its share of this minute. */
  onLimited(count: number): void
  /** The database could not be asked; said once, until it could be again. */
  onTrouble(error: unknown): void
}

/** Small and often: with 4,000 hits at once every two seconds the p99 of reads beside them was three times this one's. */
const flushEvery = 250
/** Some 20 MB: half a minute of two thousand reads a second while the database is away. */
export const mostPending = 60_000
const mostAtOnce = 500

/** Of one network, reads and visits each, in all processes together. */
export const mostPerMinute = 60
/** Of one network, where pieces are ranked by their reads; its other reads are in what their writer sees. */
const mostRankedPerDay = 5

interface Hit {
  readonly piece: string
  readonly source: string | null
  readonly network: string
}

interface Batch {
  readonly day: string
  readonly marks: readonly string[]
  readonly pieces: readonly string[]
  readonly sources: readonly (string | null)[]
  readonly networks: readonly string[]
  readonly ranks: readonly string[]
}

/** Pieces that are `waiting` are just being deleted, perhaps. */
const addReads = statement.raw<Batch, { readonly limited: number; readonly waiting: readonly string[] }>(
  'add_reads',
  `select limited, waiting from pub.add_reads($1::date, $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[],
     ${mostPerMinute}, ${mostRankedPerDay})`,
  ['day', 'marks', 'pieces', 'sources', 'networks', 'ranks'],
)

const kindOf = (source: string | null): Kind => (source === null ? 'read' : 'visit')
const keyOf = ({ source, network }: Hit): string => `${kindOf(source)} ${network}`

/** Without a database that can be written to, nothing is counted. */
export function countReads(db: Database | undefined, { onDropped, onLimited, onTrouble }: CounterReports): ReadCounter {
  if (!db) return { read: () => {}, visit: () => {}, flush: async () => {}, close: async () => {} }
  /** Of each day by its marks: whoever reloads a page is there already. */
  const days = new Map<ReadingDay, Map<string, Hit>>()
  /** Before the day's salt is known. */
  const unmarked: (Hit & { readonly reader: Reader })[] = []
  /** Of both, together. */
  let pending = 0
  /** The same by kind and network: what is beyond the limit of a minute can never count, and waits for nothing. */
  const pendingOf = new Map<string, number>()
  let day: ReadingDay | undefined
  let flushing: Promise<void> | undefined
  let isTroubled = false

  function count(piece: string, reader: Reader, source: string | null): void {
    if (!isUuid(piece)) return
    const hit = { piece, reader, source, network: reader.network }
    if (day && !day.isOver()) mark(day, hit)
    else if (enter(hit)) unmarked.push(hit)
  }

  function mark(on: ReadingDay, { reader, ...hit }: (typeof unmarked)[number]): void {
    const hits = days.get(on)!
    const marked = markOf(on.salt, kindOf(hit.source), hit.piece, reader)
    // The first of a day counts, and tells where from.
    if (!hits.has(marked) && enter(hit)) hits.set(marked, hit)
  }

  function enter(hit: Hit): boolean {
    const key = keyOf(hit)
    const others = pendingOf.get(key) ?? 0
    if (others >= mostPerMinute) onLimited(1)
    else if (pending >= mostPending) onDropped()
    else {
      pendingOf.set(key, others + 1)
      pending += 1
      return true
    }
    return false
  }

  function leave(hit: Hit): void {
    const key = keyOf(hit)
    const others = pendingOf.get(key)! - 1
    if (others > 0) pendingOf.set(key, others)
    else pendingOf.delete(key)
    pending -= 1
  }

  async function beginDay(): Promise<ReadingDay> {
    const begun = await today(db!)
    days.set(begun, new Map())
    day = begun
    return begun
  }

  async function write(): Promise<void> {
    const now = !day || day.isOver() ? await beginDay() : day
    for (const hit of unmarked.splice(0)) {
      leave(hit)
      mark(now, hit)
    }
    for (const [of, hits] of days) {
      // What comes in meanwhile is for the next time.
      for (let left = hits.size; left > 0; left -= mostAtOnce) {
        const batch = [...hits.entries().take(Math.min(left, mostAtOnce))]
        const [added] = await db!.query(addReads, {
          day: of.date,
          marks: batch.map(([mark]) => mark),
          pieces: batch.map(([, { piece }]) => piece),
          sources: batch.map(([, { source }]) => source),
          networks: batch.map(([, { source, network }]) => networkMark(of.salt, kindOf(source), network)),
          ranks: batch.map(([, { piece, network }]) => rankMark(of.salt, piece, network)),
        })
        const waiting = new Set(added!.waiting)
        if (added!.limited > 0) onLimited(added!.limited)
        for (const [mark, hit] of batch) {
          hits.delete(mark)
          // Behind the others, so that they hold up nobody.
          if (waiting.has(hit.piece)) hits.set(mark, hit)
          else leave(hit)
        }
      }
      if (of !== now && hits.size === 0) days.delete(of)
    }
  }

  async function flush(): Promise<void> {
    if (flushing) return flushing
    if (pending === 0) return
    flushing = write().then(
      () => {
        isTroubled = false
      },
      (error) => {
        if (!isTroubled) onTrouble(error)
        isTroubled = true
      },
    )
    await flushing
    flushing = undefined
  }

  const timer = setInterval(flush, flushEvery)
  timer.unref()
  return {
    read: (piece, reader) => count(piece, reader, null),
    visit: count,
    flush,
    async close() {
      clearInterval(timer)
      await flushing
      await flush()
      await db.close()
    },
  }
}
