import type { Database } from '#platform/db/database.ts'
import type { Waiting } from '#platform/observability/metrics.ts'
import { isHeld } from './indexer-lock.ts'

/** How far the index is behind what is public, for whoever runs the site. */

const waiting = `select count(*)::integer as pieces,
    coalesce(extract(epoch from clock_timestamp() - min(since)), 0)::float8 as longest from search.waiting`

/** As monitors ask for it. */
export async function waitingIn(db: Database): Promise<Waiting> {
  const [found] = await db.run<Waiting>({ text: waiting })
  return found!
}

interface Client {
  query<Row extends object>(text: string): Promise<{ readonly rows: Row[] }>
}

const rowsOf = async <Row extends object>(client: Client, text: string): Promise<Row[]> =>
  (await client.query<Row>(text)).rows

export interface Behind extends Waiting {
  /** Whether some process files now, or would if it had to. */
  readonly filing: boolean
}

export async function behindIn(client: Client): Promise<Behind> {
  const [found] = await rowsOf<Behind>(client, `select w.*, ${isHeld} as filing from (${waiting}) w`)
  return found!
}

/** What one step of filing changes. */
export interface Filed {
  readonly volumes: number
  /** In volumes; some in two of them, until those are bound. */
  readonly filed: number
  readonly waiting: number
}

export async function filedIn(client: Client): Promise<Filed> {
  const [found] = await rowsOf<Filed>(
    client,
    `select count(*)::integer as volumes, coalesce(sum(pieces), 0)::integer as filed,
            (select count(*)::integer from search.waiting) as waiting
       from search.volumes where state = 'ready'`,
  )
  return found!
}

export interface VolumeFigures {
  readonly id: number
  readonly tree: number
  readonly state: string
  readonly pieces: number
  readonly newest: Date
  /** Of its lists on disk. */
  readonly bytes: number
}

interface TreeFigures {
  readonly id: number
  /** When it was learned. */
  readonly pieces: number
  readonly learned_at: Date
  readonly strings: number
}

export interface IndexFigures {
  readonly behind: Behind
  readonly public: number
  /** Filed by an older tree than the newest: to be filed once more. */
  readonly again: number
  readonly volumes: readonly VolumeFigures[]
  readonly tree: TreeFigures | undefined
  readonly bytes: number
}

/** As the owner of the site sees it. */
export async function indexFigures(client: Client): Promise<IndexFigures> {
  const volumes = await rowsOf<VolumeFigures>(
    client,
    `select v.id, v.tree, v.state, v.pieces, v.newest,
            (coalesce(p.share, 0) * pg_total_relation_size('search.pages'))::float8 as bytes
       from search.volumes v
       left join (select volume, count(*) / sum(count(*)) over () as share from search.pages group by volume) p
         on p.volume = v.id
      order by v.state = 'retired', v.pieces desc, v.id`,
  )
  const [tree] = await rowsOf<TreeFigures>(
    client,
    `select id, pieces, learned_at, octet_length(strings) / 3 as strings from search.trees order by id desc limit 1`,
  )
  const [sizes] = await rowsOf<{ pieces: number; bytes: number }>(
    client,
    `select (select count(*)::integer from pub.piece_texts) as pieces,
            (select coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8
               from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname = 'search' and c.relkind = 'r') as bytes`,
  )
  const older = volumes.filter((volume) => volume.state === 'ready' && volume.tree !== tree?.id)
  return {
    behind: await behindIn(client),
    public: sizes!.pieces,
    again: older.reduce((sum, { pieces }) => sum + pieces, 0),
    volumes,
    tree,
    bytes: sizes!.bytes,
  }
}

/** Of some four kilobytes, on one processor, in a site of a million; binding included (docs/search.md). */
const millisecondsAPiece = 2.5

/** `about 6 minutes`, at the usual pace or the one that was measured. */
export function timeToFile(pieces: number, milliseconds = millisecondsAPiece): string {
  const minutes = Math.round((pieces * milliseconds) / 60_000)
  if (minutes < 1) return 'less than a minute'
  return minutes === 1 ? 'about a minute' : `about ${minutes} minutes`
}
