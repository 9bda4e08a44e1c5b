import type pg from 'pg'
import { deriveRendering } from '../server/features/pieces/rendering/render-piece.ts'
import type { MatchSite } from '../server/features/pieces/schema.ts'
import type { IndexingRules } from '../server/features/pieces/search/indexer.ts'
import { decodeDocs } from '../server/features/pieces/search/segment.ts'
import { bulkAuthors, bulkPieces } from '../server/seed/bulk.ts'
import { randomFrom } from '../server/seed/random.ts'

/** For tests of search: a corpus in the database, an oracle without an index, and a look into the index. */

export interface TestPiece {
  readonly headline: string
  readonly sub: string
  readonly body: string
  readonly category: string
  /** As clients send it; `en` if left out. */
  readonly locale?: string
  /** Of publication, counted from the start of 2026. */
  readonly hour: number
}

const author = {
  id: '00000000-0000-4000-8000-000000000001',
  slug: 'corpus',
  name: 'Corpus',
  bio: null,
  role: null,
  niche: null,
  location: null,
  website: null,
  identityVerified: false,
  websiteVerified: false,
  socials: {},
  joinedAt: new Date('2026-01-01'),
}

/** Replaces all public pieces. Texts are stored as they are: search is under test here, not Markdown. */
export async function loadCorpus(client: pg.ClientBase, pieces: readonly TestPiece[]): Promise<OraclePiece[]> {
  await client.query('begin')
  await client.query('set local role svc_publisher')
  for (const table of ['pub.piece_texts', 'pub.piece_contents', 'pub.pieces'])
    await client.query(`delete from ${table}`)
  await client.query('commit')
  await client.query('begin')
  await client.query('alter table app.pieces disable trigger guard_delete')
  await client.query('delete from app.pieces')
  await client.query('alter table app.pieces enable always trigger guard_delete')
  await client.query('commit')
  return addCorpus(client, pieces)
}

/** Adds pieces. Their ids depend on their number and on `rng`. */
export async function addCorpus(client: pg.ClientBase, pieces: readonly TestPiece[], rng = 1): Promise<OraclePiece[]> {
  const { rowCount } = await client.query('select from app.writers where id = $1', [author.id])
  if (!rowCount) await bulkAuthors(client, [author])

  const random = randomFrom(pieces.length, rng)
  const stored = pieces.map((one) => ({
    ...one,
    locale: one.locale ?? 'en',
    id: random.uuid(),
    publishedAt: new Date(Date.UTC(2026, 0, 1, one.hour)),
  }))
  await bulkPieces(
    client,
    stored.map(({ id, headline, sub, body, category, locale, publishedAt }) => ({
      id,
      writerId: author.id,
      slug: id,
      headline,
      sub: sub || null,
      bodyMd: body,
      category,
      tags: [],
      style: 'essay',
      locale,
      translationOf: null,
      createdAt: publishedAt,
      publishedAt,
      rendering: deriveRendering(headline, sub || null, { html: '', text: body }),
    })),
  )
  return stored
}

export interface OraclePiece {
  readonly id: string
  readonly category: string
  readonly locale: string
  readonly publishedAt: Date
  readonly headline: string
  readonly sub: string
  readonly body: string
}

export interface OracleHit {
  readonly id: string
  readonly site: MatchSite
}

/** Folds case and white space by other means than the product does, so that they do not share a mistake. */
export function foldNaively(text: string): string {
  const visible = text.replace(/[\u00AD\u200B\u202A-\u202E\u2066-\u2069]/gu, '')
  return Array.from(visible.normalize('NFC').split(/\s+/u).filter(Boolean).join(' '))
    .map((character) => (character === 'ς' ? 'σ' : [...character.toLocaleLowerCase('en')][0]!))
    .join('')
}

const folded = new WeakMap<OraclePiece, readonly [string, string, string]>()

function foldPiece(piece: OraclePiece): readonly [string, string, string] {
  const texts =
    folded.get(piece) ?? ([foldNaively(piece.headline), foldNaively(piece.sub), foldNaively(piece.body)] as const)
  folded.set(piece, texts)
  return texts
}

export interface OracleFilter {
  readonly category?: string | undefined
  readonly language?: string | undefined
}

/** The contract of search in its simplest form: all pieces that contain the term, sorted. */
export function oracle(
  pieces: readonly OraclePiece[],
  q: string,
  { category, language }: OracleFilter = {},
): OracleHit[] {
  const term = foldNaively(q)
  const siteOf = (piece: OraclePiece): MatchSite | undefined => {
    const [headline, sub, body] = foldPiece(piece)
    if (headline.includes(term)) return 'headline'
    if (sub.includes(term)) return 'standfirst'
    return body.includes(term) ? 'body' : undefined
  }
  const order: readonly MatchSite[] = ['headline', 'standfirst', 'body']
  return pieces
    .filter((piece) => category === undefined || piece.category === category)
    .filter(({ locale }) => language === undefined || locale.toLowerCase().split(/[-_]/)[0] === language)
    .map((piece) => ({ piece, site: siteOf(piece) }))
    .filter((found): found is { piece: OraclePiece; site: MatchSite } => found.site !== undefined)
    .sort(
      (a, b) =>
        order.indexOf(a.site) - order.indexOf(b.site) ||
        b.piece.publishedAt.getTime() - a.piece.publishedAt.getTime() ||
        (a.piece.id < b.piece.id ? 1 : -1),
    )
    .map(({ piece, site }) => ({ id: piece.id, site }))
}

/** Small segments, and a string in more than 20 pieces is common. */
export const smallSegments: IndexingRules = {
  maxPostings: () => 20,
  sampleSize: 500,
  maxBatch: 256,
  minBatch: 1,
  maxSegments: 100,
  maxWait: 0,
}

const syllables = ['ka', 'to', 'mi', 'sun', 'er', 'ly', 'dra', 'pel', 'ion', 'quo', 'vex', 'zi', '东京', 'é']

/** Words of few syllables: parts of words are in many pieces, whole words in few. The same for the same arguments. */
export function makePieces(count: number, rng: number): TestPiece[] {
  const random = randomFrom(count, rng)
  const number = (below: number) => Number.parseInt(random.uuid().slice(0, 8), 16) % below
  const word = () => Array.from({ length: 1 + number(4) }, () => syllables[number(syllables.length)]).join('')
  const phrase = (words: number) => Array.from({ length: words }, word).join(' ')
  return Array.from({ length: count }, () => ({
    headline: phrase(3),
    sub: number(3) === 0 ? '' : phrase(4),
    body: phrase(20),
    category: ['building', 'life', 'civic'][number(3)]!,
    hour: number(5_000),
  }))
}

/** Substrings of the pieces, from one character to several words. */
export function makeTerms(pieces: readonly TestPiece[], count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const { body } = pieces[(at * 37) % pieces.length]!
    const from = (at * 11) % (body.length - 12)
    return body.slice(from, from + 1 + (at % 12)).trim() || 'ka'
  })
}

export interface Index {
  /** Sorted ids; a piece in two searchable segments is listed twice. */
  readonly indexed: readonly string[]
  readonly waiting: readonly string[]
  /** Number of rows of pages and docs that belong to no segment. */
  readonly orphans: number
}

export async function readIndex(db: pg.ClientBase | pg.Pool): Promise<Index> {
  const { rows: docRows } = await db.query<{ places: Buffer }>(
    "select places from search.members m join search.volumes v on v.id = m.volume where v.state = 'ready'",
  )
  const { rows: waiting } = await db.query<{ id: string }>('select piece_id as id from search.waiting order by 1')
  const { rows: orphans } = await db.query<{ count: number }>(`
    select ((select count(*) from search.pages p where not exists (select from search.volumes where id = p.volume))
          + (select count(*) from search.members m where not exists (select from search.volumes where id = m.volume)))::integer as count`)
  return {
    indexed: docRows.flatMap(({ places }) => decodeDocs(places).map(({ id }) => id)).sort(),
    waiting: waiting.map(({ id }) => id),
    orphans: orphans[0]!.count,
  }
}
