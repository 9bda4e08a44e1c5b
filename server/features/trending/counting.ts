import { isUuid } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import type { Reader } from './reader.ts'
import { markOf, type ReadingDay, today } from './salt.ts'

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
  /** The database could not be asked; said once, until it could be again. */
  onTrouble(error: unknown): void
}

/** Small and often: with 4,000 hits at once every two seconds the p99 of reads beside them was three times this one's. */
const flushEvery = 250
/** Some 20 MB: half a minute of two thousand reads a second while the database is away. */
export const mostPending = 60_000
const mostAtOnce = 500

interface Hit {
  readonly piece: string
  readonly source: string | null
}

interface Batch {
  readonly day: string
  readonly marks: readonly string[]
  readonly pieces: readonly string[]
  readonly sources: readonly (string | null)[]
}

/** Pieces that are `waiting` are just being deleted, perhaps. */
const addReads = statement.raw<Batch, { readonly waiting: readonly string[] }>(
  'add_reads',
  'select waiting from pub.add_reads($1::date, $2::uuid[], $3::uuid[], $4::text[])',
  ['day', 'marks', 'pieces', 'sources'],
)

/** Without a database that can be written to, nothing is counted. */
export function countReads(db: Database | undefined, { onDropped, onTrouble }: CounterReports): ReadCounter {
  if (!db) return { read: () => {}, visit: () => {}, flush: async () => {}, close: async () => {} }
  /** Of each day by its marks: whoever reloads a page is there already. */
  const days = new Map<ReadingDay, Map<string, Hit>>()
  /** Before the day's salt is known. */
  let unmarked: (Hit & { readonly reader: Reader })[] = []
  /** Of both, together. */
  let pending = 0
  let day: ReadingDay | undefined
  let flushing: Promise<void> | undefined
  let isTroubled = false

  function count(piece: string, reader: Reader, source: string | null): void {
    if (!isUuid(piece)) return
    if (pending >= mostPending) onDropped()
    else if (day && !day.isOver()) mark(day, { piece, reader, source })
    else {
      unmarked.push({ piece, reader, source })
      pending += 1
    }
  }

  function mark(on: ReadingDay, { piece, reader, source }: (typeof unmarked)[number]): void {
    const hits = days.get(on)!
    const marked = markOf(on.salt, source === null ? 'read' : 'visit', piece, reader)
    // The first of a day counts, and tells where from.
    if (hits.has(marked)) return
    hits.set(marked, { piece, source })
    pending += 1
  }

  async function beginDay(): Promise<ReadingDay> {
    const begun = await today(db!)
    days.set(begun, new Map())
    day = begun
    return begun
  }

  async function write(): Promise<void> {
    const now = !day || day.isOver() ? await beginDay() : day
    pending -= unmarked.length
    for (const hit of unmarked) mark(now, hit)
    unmarked = []
    for (const [of, hits] of days) {
      // What comes in meanwhile is for the next time.
      for (let left = hits.size; left > 0; left -= mostAtOnce) {
        const batch = [...hits.entries().take(Math.min(left, mostAtOnce))]
        const [added] = await db!.query(addReads, {
          day: of.date,
          marks: batch.map(([mark]) => mark),
          pieces: batch.map(([, { piece }]) => piece),
          sources: batch.map(([, { source }]) => source),
        })
        const waiting = new Set(added!.waiting)
        for (const [mark, hit] of batch) {
          hits.delete(mark)
          // Behind the others, so that they hold up nobody.
          if (waiting.has(hit.piece)) hits.set(mark, hit)
          else pending -= 1
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
