import type { IndexBacklog } from '#features/metrics.ts'
import type { Database } from '#platform/db/database.ts'
import { hasIndexer } from './indexer-lock.ts'

const backlog = `select count(*)::integer as pieces,
    coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as longest from search.waiting`

/** For metrics. */
export async function readBacklog(db: Database): Promise<IndexBacklog> {
  const [found] = await db.run<IndexBacklog>({ text: backlog })
  return found!
}

interface Client {
  query<Row extends object>(text: string): Promise<{ readonly rows: Row[] }>
}

const rowsOf = async <Row extends object>(client: Client, text: string): Promise<Row[]> =>
  (await client.query<Row>(text)).rows

export interface IndexerStatus extends IndexBacklog {
  /** Whether some process is the indexer now. */
  readonly running: boolean
}

export async function readIndexerStatus(client: Client): Promise<IndexerStatus> {
  const [found] = await rowsOf<IndexerStatus>(client, `select w.*, ${hasIndexer} as running from (${backlog}) w`)
  return found!
}

export interface IndexCounts {
  readonly segments: number
  /** Pieces in segments; a piece in two segments counts twice until they are merged. */
  readonly indexed: number
  readonly waiting: number
}

export async function readIndexCounts(client: Client): Promise<IndexCounts> {
  const [found] = await rowsOf<IndexCounts>(
    client,
    `select count(*)::integer as segments, coalesce(sum(pieces), 0)::integer as indexed,
            (select count(*)::integer from search.waiting) as waiting
       from search.volumes where state = 'ready'`,
  )
  return found!
}

export interface SegmentStats {
  readonly id: number
  readonly trie: number
  /** As in search.volumes: `ready`, `binding` (being merged) or `retired`. */
  readonly state: string
  readonly pieces: number
  readonly newest: Date
  /** Whether this release indexes all of it in the same way. */
  readonly current: boolean
  /** Of its posting lists on disk. */
  readonly bytes: number
}

interface TrieStats {
  readonly id: number
  /** Size of the site when the trie was trained. */
  readonly pieces: number
  readonly trained_at: Date
  readonly strings: number
}

export interface IndexStats {
  readonly status: IndexerStatus
  readonly publicPieces: number
  /** Pieces in segments of an older trie or release, which will be indexed again. */
  readonly outdated: number
  readonly segments: readonly SegmentStats[]
  readonly trie: TrieStats | undefined
  readonly bytes: number
}

export async function readIndexStats(client: Client): Promise<IndexStats> {
  const segments = await rowsOf<SegmentStats>(
    client,
    `select v.id, v.tree as trie, v.state, v.pieces, v.newest, v.has_languages and v.has_words as current,
            (coalesce(p.share, 0) * pg_total_relation_size('search.pages'))::float8 as bytes
       from search.volumes v
       left join (select volume, count(*) / sum(count(*)) over () as share from search.pages group by volume) p
         on p.volume = v.id
      order by v.state = 'retired', v.pieces desc, v.id`,
  )
  const [trie] = await rowsOf<TrieStats>(
    client,
    `select id, pieces, learned_at as trained_at, octet_length(strings) / 3 as strings from search.trees order by id desc limit 1`,
  )
  const [sizes] = await rowsOf<{ pieces: number; bytes: number }>(
    client,
    `select (select count(*)::integer from pub.piece_texts) as pieces,
            (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8
               from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname = 'search' and c.relkind = 'r') as bytes`,
  )
  const older = segments.filter(
    (segment) => segment.state === 'ready' && (segment.trie !== trie?.id || !segment.current),
  )
  return {
    status: await readIndexerStatus(client),
    publicPieces: sizes!.pieces,
    outdated: older.reduce((sum, { pieces }) => sum + pieces, 0),
    segments,
    trie,
    bytes: sizes!.bytes,
  }
}

/** For pieces of some four kilobytes, on one processor, in a site of a million, merges included (docs/search.md). */
const usualMillisecondsPerPiece = 2.5

/** For example `about 6 minutes`. */
export const indexingMinutes = (pieces: number, millisecondsPerPiece = usualMillisecondsPerPiece): number =>
  Math.round((pieces * millisecondsPerPiece) / 60_000)
