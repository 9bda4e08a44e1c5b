import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import { purgedWithAuthor } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue } from '#features/jobs.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import type { Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { hasVisible, normaliseLineWithin } from '#platform/text/normalise.ts'
import { slugInAnyScript } from '#platform/text/slug.ts'
import { type DeskSeries, type DeskSeriesFound, type DeskSeriesList, longest, type SeriesBody } from './schema.ts'

/**
 * A writer's own series in the desk. Like a profile, what is saved is public at once, if a piece of the series is. Row
 * security and app.desk_save_series check the session, and that each piece is the writer's.
 */

interface Row {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly description: string | null
  readonly revision: number
  readonly author_slug: string
  readonly is_public: boolean
  readonly pieces: DeskSeries['pieces']
}

const selectSeries = `
  select s.id, s.slug, s.title, s.description, s.revision, w.slug as author_slug,
         exists (select from pub.series p where p.id = s.id) as is_public,
         (select coalesce(json_agg(json_build_object('id', piece.id, 'headline', piece.headline,
                                                     'status', piece.editor_status) order by m.position), '[]')
            from app.series_pieces m join app.pieces piece on piece.id = m.piece_id
           where m.series_id = s.id) as pieces
    from app.series s join app.writers w on w.id = s.writer_id
   where s.writer_id = $1`

/** Last changed first. */
export async function deskSeries({ db, urls }: DeskContext, writer: Writer): Promise<DeskSeriesList> {
  const rows = await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<Row>(`${selectSeries} order by s.updated_at desc, s.id`, [writer.writer.id])
    if (rows.length === 0) await requireSession(tx)
    return rows
  })
  return { ok: true, count: rows.length, series: rows.map((row) => presentDeskSeries(row, urls)) }
}

const longestSlug = 80

/** Makes it if no revision is named. */
export async function saveSeries(
  { db, urls }: DeskContext,
  writer: Writer,
  id: string,
  { title: typed, description, pieces, revision }: SeriesBody,
): Promise<DeskSeriesFound> {
  const title = normaliseLineWithin(typed, longest.title)
  const about =
    description !== null && hasVisible(description) ? normaliseLineWithin(description, longest.description) : null
  return withSession(db, writer, async (tx) => {
    await tx.query('select app.desk_save_series($1, $2, $3, $4, $5, $6, $7)', [
      writer.sessionHash,
      id,
      revision,
      slugInAnyScript(title, longestSlug, 'series'),
      title,
      about,
      pieces,
    ])
    await purge(tx, writer)
    const { rows } = await tx.query<Row>(`${selectSeries} and s.id = $2`, [writer.writer.id, id])
    if (!rows[0]) throw notFound(message('error.series_not_found'))
    return { ok: true, series: presentDeskSeries(rows[0], urls) }
  })
}

export async function deleteSeries({ db }: DeskContext, writer: Writer, id: string): Promise<void> {
  await withSession(db, writer, async (tx) => {
    await tx.query('select app.desk_delete_series($1, $2)', [writer.sessionHash, id])
    await purge(tx, writer)
  })
}

/** As with a profile: pages of pieces that were not in a series until now only have the tag of the byline. */
async function purge(tx: Transaction, { writer }: Writer): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: purgedWithAuthor(writer.slug) })
}

const presentDeskSeries = (row: Row, urls: Urls): DeskSeries => ({
  id: row.id,
  title: row.title,
  description: row.description,
  revision: row.revision,
  url: row.is_public ? urls.series(row.author_slug, row.slug) : null,
  pieces: row.pieces,
})
