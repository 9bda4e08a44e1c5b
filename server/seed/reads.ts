import type pg from 'pg'
import { transactionAs } from './bulk.ts'
import { randomFrom } from './random.ts'
import type { SitePlan } from './site-plan.ts'

/**
 * Reads of the newest pieces in the last 90 days: a few pieces have most of them, and each has most while it is new.
 * Counted back from now, whatever the site's dates are, since trending looks at the last days.
 */

const readStream = 1_500_000_003
const maxPieces = 2_000
const piecesAtOnce = 250
const days = 90
const day = 86_400_000
const hour = 3_600_000

/** Referrers of some of them, with their share of all reads. */
const sources = { 'search.example': 0.14, letter: 0.07, 'forum.example': 0.05, 'links.example': 0.03, podcast: 0.01 }

interface PublicPiece {
  readonly id: string
  readonly published_at: Date
}

/** A number of reads within one hour. */
interface Readers {
  readonly piece: string
  readonly at: Date
  readonly reads: number
}

export async function loadReads(client: pg.ClientBase, plan: SitePlan, now = new Date()): Promise<void> {
  const { rows: pieces } = await client.query<PublicPiece>(
    'select id, published_at from pub.pieces order by published_at desc, id desc limit $1',
    [maxPieces],
  )
  for (let start = 0; start < pieces.length; start += piecesAtOnce) {
    const some = pieces.slice(start, start + piecesAtOnce)
    await addReaders(
      client,
      some.flatMap((piece, place) => [...readersOf(plan, piece, start + place, now)]),
    )
  }
  await transactionAs(client, 'svc_worker', async () => {
    await client.query('select app.score_trending()')
  })
}

function* readersOf(plan: SitePlan, piece: PublicPiece, place: number, now: Date): Generator<Readers> {
  const random = randomFrom(plan.rng, readStream + place)
  const popularity = 4 + 400 * random.float() ** 5
  const age = (plan.until.getTime() - piece.published_at.getTime()) / day
  for (let ago = 0; ago < days; ago += 1) {
    const then = age - ago
    const expected = popularity * (2 ** (-Math.max(then, 0) / 14) + 0.04)
    const reads = then < 0 ? 0 : Math.floor(expected * (0.4 + random.float()))
    const parts = Math.min(reads, 3)
    for (let part = 0; part < parts; part += 1) {
      const at = new Date(now.getTime() - ago * day - random.integer(24) * hour)
      yield { piece: piece.id, at, reads: Math.floor((reads + part) / parts) }
    }
  }
}

async function addReaders(client: pg.ClientBase, readers: readonly Readers[]): Promise<void> {
  const given = [readers.map(({ piece }) => piece), readers.map(({ at }) => at), readers.map(({ reads }) => reads)]
  const counted = `select r.piece_id, p.author_id, r.at, r.reads
    from unnest($1::uuid[], $2::timestamptz[], $3::integer[]) as r (piece_id, at, reads)
    join pub.pieces p on p.id = r.piece_id`
  const date = "(r.at at time zone 'UTC')::date"
  await transactionAs(client, 'svc_owner', async () => {
    await client.query(
      `insert into app.piece_reads (piece_id, author_id, reads)
       select piece_id, author_id, sum(reads) from (${counted}) r group by piece_id, author_id`,
      given,
    )
    await client.query(
      `insert into app.piece_reads_daily (piece_id, author_id, day, reads)
       select piece_id, author_id, ${date}, sum(reads) from (${counted}) r group by piece_id, author_id, ${date}`,
      given,
    )
    await client.query(
      `insert into app.piece_reads_hourly (piece_id, hour, reads)
       select piece_id, date_trunc('hour', at, 'UTC'), sum(reads) from (${counted}) r
        where at > now() - interval '30 days' group by piece_id, date_trunc('hour', at, 'UTC')`,
      given,
    )
    await client.query(
      `insert into app.piece_sources (piece_id, author_id, day, source, visits)
       select piece_id, author_id, ${date}, source, floor(sum(reads) * share)
         from (${counted}) r cross join unnest($4::text[], $5::float8[]) as s (source, share)
        group by piece_id, author_id, ${date}, source, share having floor(sum(reads) * share) > 0`,
      [...given, Object.keys(sources), Object.values(sources)],
    )
  })
}
