import { sql } from 'kysely'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { fold } from '#platform/text/fold.ts'
import { lengthOf, normaliseLine } from '#platform/text/normalise.ts'
import type { Match } from './verify.ts'

export interface Hit extends Match {
  /** Null unless the match is in the body. */
  readonly snippet: string | null
}

/** Characters of context. */
const before = 80
const after = 120

/**
 * Cut in SQL, so that a body of 100,000 characters never leaves the database for one line of it. The folded body is
 * shorter than the text by what folding dropped, so the match is at most that much further on.
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

/** Adds the words around the match to matches in the body. */
export async function addSnippets(db: Database, term: string, matches: readonly Match[]): Promise<Hit[]> {
  const ids = matches.filter(({ site }) => site === 'body').map(({ id }) => id)
  const rows = ids.length > 0 ? await db.query(cutouts, { term, ids }) : []
  const byId = new Map(rows.map((row) => [row.piece_id, row.cutout]))
  return matches.map((match) => {
    const cutout = byId.get(match.id)
    return { ...match, snippet: cutout === undefined ? null : snippetOf(cutout, term) }
  })
}

/** A part of a folded body, as offsets. */
export interface BodySpan {
  readonly id: string
  readonly authorId: string
  readonly body: string
  readonly from: number
  readonly to: number
}

interface SpanColumns {
  readonly ids: readonly string[]
  readonly authors: readonly string[]
  /** In characters, as PostgreSQL counts them. */
  readonly starts: readonly number[]
  readonly lengths: readonly number[]
  readonly bodyLengths: readonly number[]
}

/** The same for parts that are known already. */
const cutoutsOfSpans = statement.raw<SpanColumns, { id: string; cutout: string }>(
  'cutouts_of_spans',
  `select given.id, substr(c.text, greatest(given.start - ${before + 20}, 1),
                           ${before + after + 60} + given.length + greatest(char_length(c.text) - given.body_length, 0)) as cutout
     from unnest($1::uuid[], $2::uuid[], $3::integer[], $4::integer[], $5::integer[])
            as given (id, author_id, start, length, body_length)
     join pub.piece_contents c on c.piece_id = given.id and c.author_id = given.author_id`,
  ['ids', 'authors', 'starts', 'lengths', 'bodyLengths'],
)

/** The words around each part, by piece. */
export async function snippetsOf(db: Database, spans: readonly BodySpan[]): Promise<Map<string, string>> {
  if (spans.length === 0) return new Map()
  const rows = await db.query(cutoutsOfSpans, {
    ids: spans.map(({ id }) => id),
    authors: spans.map(({ authorId }) => authorId),
    starts: spans.map(({ body, from }) => lengthOf(body.slice(0, from)) + 1),
    lengths: spans.map(({ body, from, to }) => lengthOf(body.slice(from, to))),
    bodyLengths: spans.map(({ body }) => lengthOf(body)),
  })
  const byId = new Map(spans.map((span) => [span.id, span]))
  return new Map(
    rows.map(({ id, cutout }) => {
      const { body, from, to } = byId.get(id)!
      return [id, snippetOf(cutout, body.slice(from, to))]
    }),
  )
}

/** The term with whole words on either side, as the writer spelled it. */
function snippetOf(cutout: string, term: string): string {
  const at = Math.max(fold(cutout).indexOf(term), 0)
  return cutAround(normaliseLine(cutout), at, at + term.length)
}

/** A part of a line with whole words on either side. */
export function cutAround(text: string, start: number, end: number): string {
  const from = wordStart(text, Math.max(start - before, 0), start)
  const to = wordEnd(text, Math.min(end + after, text.length), end)
  return `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`
}

function wordStart(text: string, from: number, latest: number): number {
  if (from === 0) return 0
  const space = text.indexOf(' ', from)
  return space === -1 || space >= latest ? atCharacter(text, from) : space + 1
}

function wordEnd(text: string, to: number, earliest: number): number {
  if (to === text.length) return to
  const space = text.lastIndexOf(' ', to)
  return space < earliest ? atCharacter(text, to) : space
}

/** Moves an offset out of the middle of a surrogate pair. */
const atCharacter = (text: string, at: number): number => (/[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at + 1 : at)
