import { sql } from 'kysely'
import { presentAuthorHit } from '#features/authors/reads.ts'
import type { AuthorHit } from '#features/authors/schema.ts'
import type { ReadContext } from '#features/context.ts'
import { presentListItem } from '#features/pieces/present.ts'
import { rowsByIds } from '#features/pieces/queries.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import { writeCursor } from '#platform/cursor.ts'
import { statement } from '#platform/db/statement.ts'
import { layOut } from './layout.ts'
import { type FrontPageState, newestCount } from './state.ts'

/** What the front page shows. */
export interface FrontPage {
  readonly lead: readonly PieceListItem[]
  readonly row: readonly PieceListItem[]
  readonly mostRead: readonly PieceListItem[]
  readonly sections: readonly { readonly category: string; readonly pieces: readonly PieceListItem[] }[]
  readonly rest: readonly PieceListItem[]
  readonly writers: readonly AuthorHit[]
  readonly languages: readonly string[]
  readonly note: string | null
  /** Continues the list of all pieces after the newest, which are all on the page. */
  readonly next_cursor: string | null
}

const writersByIds = statement('front_page_writers', (db, { ids }: { ids: readonly string[] }) =>
  db.selectFrom('pub.authors').where(sql<boolean>`id = any(${ids}::uuid[])`).selectAll().compile(),
)

/** Reads what the state names: a statement for pieces, and one for writers if there are new ones. */
export async function readFrontPage(
  { db, urls }: Pick<ReadContext, 'db' | 'urls'>,
  state: FrontPageState,
): Promise<FrontPage> {
  const { lead, row, mostRead, sections, rest } = layOut(state)
  const [rows, writers] = await Promise.all([
    rowsByIds(db, [...lead, ...row, ...mostRead, ...sections.flatMap(({ ids }) => ids), ...rest]),
    state.writers.length > 0 ? db.query(writersByIds, { ids: state.writers }) : [],
  ])
  // What was unpublished since is missing.
  const rowsOf = (ids: readonly string[]) => ids.flatMap((id) => rows.get(id) ?? [])
  const items = (ids: readonly string[]) => rowsOf(ids).map((found) => presentListItem(found, urls))
  const newest = rowsOf(state.newest.slice(0, newestCount).map(({ id }) => id))
  const last = state.newest.length > newestCount ? newest.at(-1) : undefined
  return {
    lead: items(lead),
    row: items(row),
    mostRead: items(mostRead),
    sections: sections.map(({ category, ids }) => ({ category, pieces: items(ids) })),
    rest: items(rest),
    writers: state.writers.flatMap((id) => {
      const writer = writers.find((one) => one.id === id)
      return writer ? [presentAuthorHit(writer, urls)] : []
    }),
    languages: state.languages,
    note: state.note,
    next_cursor: last ? writeCursor('recent', [last.published_at.getTime(), last.id]) : null,
  }
}
