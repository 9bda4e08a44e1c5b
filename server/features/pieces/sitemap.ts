import type { ReadContext } from '#features/context.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'

/**
 * All public pieces, divided into sitemap files. A part is a span of time: a year or, if that has too many pieces, a month, a
 * day, an hour or a minute. So a piece stays in its part, and a new one changes only the last.
 */

/** The limit of sitemaps.org for one file. */
const maxInPart = 50_000

/** In one part. One piece in 256 is sampled, so this is about 25,600; the chance that 50,000 look like so few is 1 in 10^11. */
const maxSampled = 100

export interface SitemapPart {
  /** `2026`, `2026-11`, `2026-11-02`, `2026-11-02T14` or `2026-11-02T14-05`. */
  readonly name: string
  /** When a piece of it last changed; for a part of a day, when one of that day did. */
  readonly modifiedAt: Date
}

export interface SitemapEntry {
  readonly url: string
  readonly modifiedAt: Date
}

interface Span {
  readonly key: string
  readonly modified_at: Date
  readonly sampled: number
}

/** Walks from the newest day to the first with one index lookup each, then counts the sample by day. */
const days = statement.raw<object, Span>(
  'sitemap_days',
  `with recursive days as (
     (select (published_at at time zone 'UTC')::date as day, modified_at
        from pub.pieces where external_url is null
       order by (published_at at time zone 'UTC')::date desc, modified_at desc limit 1)
     union all
     select earlier.day, earlier.modified_at
       from days cross join lateral (
         select (published_at at time zone 'UTC')::date as day, modified_at
           from pub.pieces where external_url is null and (published_at at time zone 'UTC')::date < days.day
          order by (published_at at time zone 'UTC')::date desc, modified_at desc limit 1) earlier
   ), sample as (
     select (published_at at time zone 'UTC')::date as day, count(*)::integer as pieces
       from pub.pieces where external_url is null and id < '01000000-0000-0000-0000-000000000000' group by 1
   )
   select days.day::text as key, days.modified_at, coalesce(sample.pieces, 0) as sampled
     from days left join sample using (day) order by 1`,
  [],
)

/** The same for the minutes of a day that has too many pieces for one part. */
const minutes = statement.raw<{ from: Date; to: Date }, Pick<Span, 'key' | 'sampled'>>(
  'sitemap_minutes',
  `with recursive minutes as (
     (select date_trunc('minute', published_at at time zone 'UTC') as minute
        from pub.pieces where external_url is null and published_at >= $1 and published_at < $2
       order by published_at limit 1)
     union all
     select later.minute
       from minutes cross join lateral (
         select date_trunc('minute', published_at at time zone 'UTC') as minute
           from pub.pieces where external_url is null and published_at < $2
            and published_at >= (minutes.minute + interval '1 minute') at time zone 'UTC'
          order by published_at limit 1) later
   ), sample as (
     select date_trunc('minute', published_at at time zone 'UTC') as minute, count(*)::integer as pieces
       from pub.pieces where external_url is null and id < '01000000-0000-0000-0000-000000000000'
        and published_at >= $1 and published_at < $2 group by 1
   )
   select to_char(minute, 'YYYY-MM-DD"T"HH24-MI') as key, coalesce(sample.pieces, 0) as sampled
     from minutes left join sample using (minute) order by 1`,
  ['from', 'to'],
)

/** Lengths of the names of spans, from year to minute. */
const [ofDay, ofMinute] = [10, 16]
const shorter: Readonly<Record<number, number>> = { 4: 7, 7: ofDay, [ofDay]: 13, 13: ofMinute }

export async function pieceParts(db: Database): Promise<SitemapPart[]> {
  const parts: SitemapPart[] = []
  for (const part of divided(await db.query(days, {}), 4, ofDay)) {
    if (part.sampled <= maxSampled) parts.push({ name: part.key, modifiedAt: part.modified_at })
    else
      for (const { key } of divided(await minutesOf(db, part), 13, ofMinute))
        parts.push({ name: key, modifiedAt: part.modified_at })
  }
  return parts
}

async function minutesOf(db: Database, day: Span): Promise<Span[]> {
  const found = await db.query(minutes, spanOf(day.key)!)
  return found.map((minute) => ({ ...minute, modified_at: day.modified_at }))
}

/** Groups spans into the longest that are within the limit; `last` is the length of the shortest kind. */
function divided(spans: readonly Span[], length: number, last: number): Span[] {
  const groups = Map.groupBy(spans, ({ key }) => key.slice(0, length))
  return [...groups].flatMap(([key, group]) => {
    const sampled = group.reduce((sum, span) => sum + span.sampled, 0)
    if (sampled > maxSampled && length < last) return divided(group, shorter[length]!, last)
    const modified_at = new Date(Math.max(...group.map((span) => span.modified_at.getTime())))
    return [{ key, modified_at, sampled }]
  })
}

const nameShape = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d)(?:-(\d\d))?)?)?)?$/

/** Start (inclusive) and end (exclusive) of a part; undefined if the name is not a time. */
function spanOf(name: string): { from: Date; to: Date } | undefined {
  const parts = nameShape
    .exec(name)
    ?.slice(1)
    .filter((part) => part !== undefined)
    .map(Number)
  if (!parts) return undefined
  const at = (add: number): Date => {
    const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = parts.map((part, index) =>
      index === parts.length - 1 ? part + add : part,
    )
    return new Date(Date.UTC(year, month - 1, day, hour, minute))
  }
  const from = at(0)
  // Refuses the 31st of a short month, which would be the first of the next.
  return from.toISOString().replace(/:/g, '-').startsWith(name) ? { from, to: at(1) } : undefined
}

type PageParameters = { publishedAt: Date; id: string; to: Date; limit: number }
interface Row {
  readonly id: string
  readonly slug: string
  readonly author_slug: string
  readonly published_at: Date
  readonly modified_at: Date
}

const page = statement.raw<PageParameters, Row>(
  'sitemap_pieces',
  `select piece.id, piece.slug, author.slug as author_slug, piece.published_at, piece.modified_at
     from pub.pieces piece join pub.authors author on author.id = piece.author_id
    where piece.external_url is null and (piece.published_at, piece.id) > ($1::timestamptz, $2::uuid)
      and piece.published_at < $3
    order by piece.published_at, piece.id limit $4`,
  ['publishedAt', 'id', 'to', 'limit'],
)

/** Rows per query: bounds the memory used and how long the event loop is blocked. */
const perPage = 2_000
const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Yields pages, oldest first; nothing if the name is not a time. */
export async function* piecesOfPart({ db, urls }: ReadContext, name: string): AsyncGenerator<SitemapEntry[]> {
  const span = spanOf(name)
  if (!span) return
  // Times are whole milliseconds, so this is the last position before the span.
  let after = { publishedAt: new Date(span.from.getTime() - 1), id: maxUuid }
  for (let left = maxInPart; left > 0; left -= perPage) {
    const limit = Math.min(perPage, left)
    const rows = await db.query(page, { ...after, to: span.to, limit })
    if (rows.length > 0)
      yield rows.map((row) => ({ url: urls.piece(row.author_slug, row.slug), modifiedAt: row.modified_at }))
    if (rows.length < limit) return
    const last = rows.at(-1)!
    after = { publishedAt: last.published_at, id: last.id }
  }
}

/** For query plan tests. */
export const statements = { days, minutes, page } as const
