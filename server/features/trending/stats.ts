import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import type { DeskContext } from '#features/context.ts'
import { readRow } from '#features/pieces/desk.ts'
import type { Urls } from '#features/urls.ts'
import type { Transaction } from '#platform/db/database.ts'
import { defaultDays, type PieceReadStats, type ReadStats, type StatsQuery } from './schema.ts'

/** Read statistics of a writer's pieces. Row security limits them to their own. */

const maxPieces = 20
const maxSources = 20

const today = `(now() at time zone 'UTC')::date`

/** All pieces of writer `$1`, or piece `$2`; in the last `$3` days. */
const ofPieces = 'author_id = $1 and ($2::uuid is null or piece_id = $2)'
const recent = `${ofPieces} and day > ${today} - $3::integer`

export async function readStats(
  { db, urls }: DeskContext,
  writer: Writer,
  { days = defaultDays }: StatsQuery,
): Promise<ReadStats> {
  return withSession(db, writer, async (tx) => {
    const stats = await statsOf(tx, writer, null, days)
    const { rows } = await tx.query<PieceRow & { reads: number; total_reads: number }>(
      `select p.id, p.headline, p.editor_status, p.slug, top.reads::float8 as reads, kept.reads::float8 as total_reads
         from (select piece_id, sum(reads) as reads from app.piece_reads_daily where ${recent}
                group by piece_id order by sum(reads) desc, piece_id limit $4) top
         join app.piece_reads kept on kept.piece_id = top.piece_id
         join app.pieces p on p.id = top.piece_id
        order by top.reads desc, top.piece_id`,
      [writer.writer.id, null, days, maxPieces],
    )
    await requireSession(tx)
    const pieces = rows.map((row) => ({
      ...presentStatsPiece(row, writer, urls),
      reads: row.reads,
      total_reads: row.total_reads,
    }))
    return { ...stats, pieces }
  })
}

export async function pieceReadStats(
  { db, urls }: DeskContext,
  writer: Writer,
  id: string,
  { days = defaultDays }: StatsQuery,
): Promise<PieceReadStats> {
  return withSession(db, writer, async (tx) => {
    const row = await readRow(tx, writer, id)
    return { ...(await statsOf(tx, writer, id, days)), piece: presentStatsPiece(row, writer, urls) }
  })
}

interface PieceRow {
  readonly id: string
  readonly headline: string
  readonly editor_status: string
  readonly slug: string | null
}

const presentStatsPiece = ({ id, headline, editor_status, slug }: PieceRow, { writer }: Writer, urls: Urls) => ({
  id,
  headline,
  url: editor_status === 'approved' && slug ? urls.piece(writer.slug, slug) : null,
})

async function statsOf(tx: Transaction, { writer }: Writer, piece: string | null, days: number) {
  const of = [writer.id, piece]
  const total = await tx.query<{ reads: number }>(
    `select coalesce(sum(reads), 0)::float8 as reads from app.piece_reads where ${ofPieces}`,
    of,
  )
  const perDay = await tx.query<{ day: string; reads: number }>(
    `select to_char(${today} - back, 'YYYY-MM-DD') as day, coalesce(counted.reads, 0)::float8 as reads
       from generate_series($3::integer - 1, 0, -1) as back
       left join (select day, sum(reads) as reads from app.piece_reads_daily where ${recent} group by day) counted
              on counted.day = ${today} - back
      order by back desc`,
    [...of, days],
  )
  const sources = await tx.query<{ source: string | null; visits: number }>(
    `select case when place <= $4 then nullif(source, '') end as source, sum(visits)::float8 as visits
       from (select source, sum(visits) as visits,
                    row_number() over (order by source = '', sum(visits) desc, source) as place
               from app.piece_sources where ${recent} group by source) ranked
      group by 1 order by min(place)`,
    [...of, days, maxSources],
  )
  return {
    ok: true as const,
    days,
    total_reads: total.rows[0]!.reads,
    reads: perDay.rows.reduce((sum, { reads }) => sum + reads, 0),
    per_day: perDay.rows,
    sources: sources.rows,
  }
}
