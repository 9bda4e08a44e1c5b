import { isUuid } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { type Kind, networkHash, type Reader, type ReadingDay, rankHash, today, visitorHash } from './visitor-hash.ts'

/**
 * Counts reads in memory and writes them in batches, so that readers never wait for the database. A killed process loses at
 * most a quarter of a second of reads.
 */
export interface ReadCounter {
  /** A reader has opened the page of this piece. */
  read(piece: string, reader: Reader): void
  /** A reader came to it from this source. */
  visit(piece: string, reader: Reader, source: string): void
  /** Writes pending reads; those that cannot be written stay for the next flush. */
  flush(): Promise<void>
  /** Writes the rest and closes the connection. */
  close(): Promise<void>
}

export interface CounterReports {
  /** A read was not counted: the buffer was full. */
  onDropped(): void
  /** Reads were not counted: their network had reached its limit for this minute. */
  onLimited(count: number): void
  /** The database was not available; reported once until it is again. */
  onTrouble(error: unknown): void
}

/** Small and often: with 4,000 hits every two seconds the p99 of concurrent reads was three times as high. */
const flushEvery = 250
/** About 20 MB: half a minute of 2,000 reads a second while the database is away. */
export const maxPending = 60_000
const batchSize = 500

/** Per network, for reads and visits each, in all processes together. */
export const maxPerMinute = 60
/** Reads per network that count for the ranking of a piece; further ones are only in its writer's statistics. */
const maxRankedPerDay = 5

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

/** `waiting`: pieces whose rows were locked, perhaps because they are being deleted. */
const addReads = statement.raw<Batch, { readonly limited: number; readonly waiting: readonly string[] }>(
  'add_reads',
  `select limited, waiting from pub.add_reads($1::date, $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::uuid[],
     ${maxPerMinute}, ${maxRankedPerDay})`,
  ['day', 'marks', 'pieces', 'sources', 'networks', 'ranks'],
)

const kindOf = (source: string | null): Kind => (source === null ? 'read' : 'visit')
const keyOf = ({ source, network }: Hit): string => `${kindOf(source)} ${network}`

/** Without a writable database, nothing is counted. */
export function countReads(db: Database | undefined, { onDropped, onLimited, onTrouble }: CounterReports): ReadCounter {
  if (!db) return { read: () => {}, visit: () => {}, flush: async () => {}, close: async () => {} }
  /** Hits of each day by visitor hash, so that reloading a page does not count again. */
  const days = new Map<ReadingDay, Map<string, Hit>>()
  /** Hits that arrived before the day's salt was known. */
  const unhashed: (Hit & { readonly reader: Reader })[] = []
  /** The size of both. */
  let pending = 0
  /** The same by kind and network: hits beyond the limit of a minute cannot count, so they are not buffered. */
  const pendingOf = new Map<string, number>()
  let day: ReadingDay | undefined
  let flushing: Promise<void> | undefined
  let isTroubled = false

  function count(piece: string, reader: Reader, source: string | null): void {
    if (!isUuid(piece)) return
    const hit = { piece, reader, source, network: reader.network }
    if (day && !day.isOver()) hash(day, hit)
    else if (reserve(hit)) unhashed.push(hit)
  }

  function hash(on: ReadingDay, { reader, ...hit }: (typeof unhashed)[number]): void {
    const hits = days.get(on)!
    const visitor = visitorHash(on.salt, kindOf(hit.source), hit.piece, reader)
    // The first of a day counts, with its source.
    if (!hits.has(visitor) && reserve(hit)) hits.set(visitor, hit)
  }

  function reserve(hit: Hit): boolean {
    const key = keyOf(hit)
    const others = pendingOf.get(key) ?? 0
    if (others >= maxPerMinute) onLimited(1)
    else if (pending >= maxPending) onDropped()
    else {
      pendingOf.set(key, others + 1)
      pending += 1
      return true
    }
    return false
  }

  function release(hit: Hit): void {
    const key = keyOf(hit)
    const others = pendingOf.get(key)! - 1
    if (others > 0) pendingOf.set(key, others)
    else pendingOf.delete(key)
    pending -= 1
  }

  async function beginDay(): Promise<ReadingDay> {
    day = await today(db!)
    days.set(day, new Map())
    return day
  }

  async function write(): Promise<void> {
    const now = !day || day.isOver() ? await beginDay() : day
    for (const hit of unhashed.splice(0)) {
      release(hit)
      hash(now, hit)
    }
    for (const [of, hits] of days) {
      // Hits that arrive meanwhile are written next time.
      for (let left = hits.size; left > 0; left -= batchSize) {
        const batch = [...hits.entries().take(Math.min(left, batchSize))]
        const [added] = await db!.query(addReads, {
          day: of.date,
          marks: batch.map(([mark]) => mark),
          pieces: batch.map(([, { piece }]) => piece),
          sources: batch.map(([, { source }]) => source),
          networks: batch.map(([, { source, network }]) => networkHash(of.salt, kindOf(source), network)),
          ranks: batch.map(([, { piece, network }]) => rankHash(of.salt, piece, network)),
        })
        const waiting = new Set(added!.waiting)
        if (added!.limited > 0) onLimited(added!.limited)
        for (const [mark, hit] of batch) {
          hits.delete(mark)
          // Moved behind the others, so that they delay nobody.
          if (waiting.has(hit.piece)) hits.set(mark, hit)
          else release(hit)
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

// Referrers

const hostShape = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/
const wordShape = /^[a-z0-9][a-z0-9._-]{0,63}$/

interface SourceQuery {
  readonly ref?: unknown
  readonly utm_source?: unknown
}

/** The value of `?ref=` or `?utm_source=`, else the host of the referring page, unless it is ours. */
export function sourceOf(query: SourceQuery, referer: string | undefined, ownHost: string): string | undefined {
  const source = wordOf(query.ref) ?? wordOf(query.utm_source) ?? hostOf(referer)
  return source === bare(ownHost) ? undefined : source
}

function wordOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const word = hostOf(value) ?? bare(value.trim().toLowerCase())
  return wordShape.test(word) ? word : undefined
}

/** Only the host of a web page, for privacy not its path. */
function hostOf(address: string | undefined): string | undefined {
  const url = address && URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const host = bare(url.hostname)
  return hostShape.test(host) ? host : undefined
}

const bare = (host: string): string => host.replace(/^www\./, '').replace(/\.$/, '')

/** Deletes salts and hashes of past days. Runs before other sweeps and independently of them. */
export async function forgetReaders(db: Database): Promise<void> {
  await db.run({ text: 'select app.forget_readers()' })
}

/** Deletes expired counts and, for each past day, all but the top sources. */
export async function sweepReads(db: Database): Promise<void> {
  for (const sweep of ['sweep_reads', 'cut_sources']) {
    for (let swept = 1; swept > 0; ) {
      const [row] = await db.run<{ swept: number }>({ text: `select app.${sweep}() as swept` })
      swept = row!.swept
    }
  }
}
