import { sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { fold } from '#platform/text/fold.ts'
import { normaliseLine } from '#platform/text/normalise.ts'
import type { Hit, Place } from './hit.ts'

const before = 80
const after = 120

/**
 * Cut in SQL, so that a 100,000-character body never leaves the database for one line of it. The folded body is
 * shorter than the text by what folding dropped, so the match lies at most that far behind.
 */
const cutouts = statement('cutouts', (db, { term, ids }: { term: string; ids: readonly string[] }) =>
  db
    .selectFrom('pub.piece_texts as searched')
    .innerJoin('pub.piece_contents as content', (join) =>
      join.onRef('content.piece_id', '=', 'searched.piece_id').onRef('content.author_id', '=', 'searched.author_id'),
    )
    .where(sql<boolean>`searched.piece_id = any(${ids}::uuid[])`)
    .select([
      'searched.piece_id',
      sql<string>`substr(
        content.text,
        greatest(strpos(searched.body, ${term}::text) - ${sql.lit(before + 20)}, 1),
        ${sql.lit(before + after + 60)} + char_length(${term}::text)
          + greatest(char_length(content.text) - char_length(searched.body), 0)
      )`.as('cutout'),
    ])
    .compile(),
)

/** Gives body matches the words around them; the others need none. */
export async function snippets(db: Database, term: string, places: readonly Place[]): Promise<Hit[]> {
  const ids = places.filter(({ site }) => site === 'body').map(({ id }) => id)
  const rows = ids.length > 0 ? await db.query(cutouts, { term, ids }) : []
  const byId = new Map(rows.map((row) => [row.piece_id, row.cutout]))
  return places.map((place) => {
    const cutout = byId.get(place.id)
    return { ...place, snippet: cutout === undefined ? null : excerpt(cutout, term) }
  })
}

/** The term with some words on either side, in the writer's own letters. */
function excerpt(cutout: string, term: string): string {
  const text = normaliseLine(cutout)
  const at = Math.max(fold(cutout).indexOf(term), 0)
  const from = wordStart(text, Math.max(at - before, 0), at)
  const to = wordEnd(text, Math.min(at + term.length + after, text.length), at + term.length)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

function wordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0
  const space = text.indexOf(' ', from)
  return space === -1 || space >= latest ? whole(text, from) : space + 1
}

function wordEnd(text: string, to: number, earliest: number): number {
  if (to === text.length) return to
  const space = text.lastIndexOf(' ', to)
  return space < earliest ? whole(text, to) : space
}

/** Never between the halves of a surrogate pair. */
const whole = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at)
