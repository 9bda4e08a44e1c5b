import type pg from 'pg'
import { searchTextOf, type WriterProfile } from '#features/authors/writers.ts'
import type { Rendering } from '#features/pieces/rendering/render-piece.ts'
import { inTransaction } from '#sql/migration-steps.ts'
import { type CopyValue, copyRows, insertRows } from './copy.ts'

/** The bulk path: COPY, as the only role that may write the public schema. */

export async function bulkAuthors(client: pg.ClientBase, authors: readonly SeededAuthor[]): Promise<void> {
  await transactionAs(client, 'svc_owner', () =>
    copyRows(client, writersTable.target, authors.map(writersTable.values)),
  )
  await transactionAs(client, 'svc_publisher', async () => {
    const ids = authors.map(({ id }) => id)
    await client.query('select app.show_author(id) from app.writers where id = any($1::uuid[])', [ids])
  })
}

export async function bulkPieces(client: pg.ClientBase, pieces: readonly SeededPiece[]): Promise<void> {
  await transactionAs(client, 'svc_publisher', async () => {
    // A translation can name only what is public already.
    for (const isTranslation of [false, true]) {
      const part = pieces.filter(({ translationOf }) => (translationOf !== null) === isTranslation)
      if (part.length === 0) continue
      await insertRows(client, 'app.pieces', approvedRows.columns, part.map(approvedRows.values))
      for (const { target, values } of publishedTables) await copyRows(client, target, part.map(values))
    }
    // COPY does not support row security, which applies to everyone but the owner here.
    await client.query('set local role svc_owner')
    await copyRows(client, auditTable.target, pieces.map(auditTable.values))
  })
}

export async function bulkDrafts(client: pg.ClientBase, drafts: readonly Draft[]): Promise<void> {
  await transactionAs(client, 'svc_publisher', () =>
    insertRows(client, 'app.pieces', draftRows.columns, drafts.map(draftRows.values)),
  )
}

/** After the last batch: the counters that the publishing function updates one by one. */
export async function bulkCounts(client: pg.ClientBase): Promise<void> {
  await transactionAs(client, 'svc_publisher', async () => {
    await client.query(countPieces)
  })
}

export const transactionAs = (client: pg.ClientBase, role: string, work: () => Promise<void>): Promise<void> =>
  inTransaction(client, async () => {
    await client.query(`set local role ${role}`)
    await work()
  })

/**
 * The rows that publishing leaves behind: the bulk equivalent of `app.desk_publish` and `app.show_author`.
 * seed/bulk.test.ts publishes the same pieces both ways and compares every table.
 */

export interface SeededAuthor extends Omit<WriterProfile, 'avatarUrl'> {
  readonly id: string
  readonly identityVerified: boolean
  readonly websiteVerified: boolean
  readonly joinedAt: Date
}

export interface SeededPiece {
  readonly id: string
  readonly writerId: string
  readonly slug: string
  readonly headline: string
  readonly sub: string | null
  readonly bodyMd: string
  readonly category: string
  readonly tags: readonly string[]
  readonly style: string
  readonly locale: string
  /** The id of the original; its author is the same. */
  readonly translationOf: string | null
  readonly createdAt: Date
  readonly publishedAt: Date
  readonly rendering: Rendering
}

export type Draft = Omit<SeededPiece, 'slug' | 'publishedAt' | 'rendering' | 'translationOf'>

interface Table<Row> {
  readonly target: string
  readonly values: (row: Row) => readonly CopyValue[]
}

const writersTable: Table<SeededAuthor> = {
  target:
    'app.writers (id, slug, name, bio, role, niche, location, website, socials, identity_verified_at, website_verified_at, search_text, joined_at)',
  values: (author) => [
    author.id,
    author.slug,
    author.name,
    author.bio,
    author.role,
    author.niche,
    author.location,
    author.website,
    author.socials,
    author.identityVerified ? author.joinedAt : null,
    author.websiteVerified ? author.joinedAt : null,
    searchTextOf(author),
    author.joinedAt,
  ],
}

const textColumns = {
  id: 'uuid',
  writer_id: 'uuid',
  headline: 'text',
  sub: 'text',
  body_md: 'text',
  category: 'text',
  tags: 'text[]',
  style: 'text',
  locale: 'text',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
} as const

const textValues = (piece: Draft): CopyValue[] => [
  piece.id,
  piece.writerId,
  piece.headline,
  piece.sub,
  piece.bodyMd,
  piece.category,
  piece.tags,
  piece.style,
  piece.locale,
  piece.createdAt,
  piece.createdAt,
]

const draftRows = { columns: textColumns, values: textValues }

const approvedRows = {
  columns: { ...textColumns, editor_status: 'text', slug: 'text', first_published_at: 'timestamptz', fields: 'jsonb' },
  values: (piece: SeededPiece): CopyValue[] => [
    ...textValues(piece),
    'approved',
    piece.slug,
    piece.publishedAt,
    piece.translationOf === null ? {} : { translation_of: piece.translationOf },
  ],
}

/** The later two refer to the first. */
const publishedTables: readonly Table<SeededPiece>[] = [
  {
    target:
      'pub.pieces (id, author_id, slug, headline, sub, summary, category, tags, kind, locale, external_url, published_at, modified_at, headline_folded, sub_folded, translation_of)',
    values: ({ rendering, ...piece }) => [
      piece.id,
      piece.writerId,
      piece.slug,
      piece.headline,
      piece.sub,
      rendering.summary,
      piece.category,
      piece.tags,
      piece.style,
      piece.locale,
      null,
      piece.publishedAt,
      piece.publishedAt,
      rendering.headline_folded,
      rendering.sub_folded,
      piece.translationOf,
    ],
  },
  {
    target: 'pub.piece_contents (piece_id, author_id, html, text)',
    values: (piece) => [piece.id, piece.writerId, piece.rendering.html, piece.rendering.text],
  },
  {
    target: 'pub.piece_texts (piece_id, author_id, category, published_at, body)',
    values: (piece) => [piece.id, piece.writerId, piece.category, piece.publishedAt, piece.rendering.body_folded],
  },
]

const auditTable: Table<SeededPiece> = {
  target: 'app.audit (at, act, piece_id, writer_id, revision, from_status, to_status)',
  values: (piece) => [piece.publishedAt, 'publish', piece.id, piece.writerId, 1, 'draft', 'approved'],
}

/** The counters that the publishing function updates one by one. */
const countPieces = `
  update pub.authors a set pieces_count = counted.pieces, last_published_at = counted.latest
    from (select author_id, count(*)::integer as pieces, max(published_at) as latest from pub.pieces group by author_id) counted
   where counted.author_id = a.id`

export interface Index {
  readonly name: string
  readonly definition: string
}

/**
 * Drops indexes that can be built after loading: that takes minutes, where updating them row by row takes hours.
 * Constraint indexes stay.
 */
export async function dropIndexes(client: pg.ClientBase): Promise<Index[]> {
  const { rows } = await client.query<Index>(`
    select format('%I.%I', n.nspname, c.relname) as name, pg_get_indexdef(c.oid) as definition
      from pg_index i
      join pg_class c on c.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid
      join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('pub', 'app') and t.relname in ('authors', 'pieces', 'piece_texts', 'piece_topics', 'audit')
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by c.relname`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows
}

export async function createIndex(client: pg.ClientBase, { definition }: Index, memory: string): Promise<void> {
  await client.query(`set maintenance_work_mem = '${memory}'`)
  await client.query(definition)
}

/** Progress of an index build on another connection, from 0 to 1. */
export async function indexProgress(client: pg.ClientBase): Promise<number | undefined> {
  const { rows } = await client.query<{ share: number | null }>(`
    select case when blocks_total > 0 then blocks_done::float8 / blocks_total end as share
      from pg_stat_progress_create_index where datname = current_database() limit 1`)
  return rows[0]?.share ?? undefined
}

const loaded = ['app.pieces', 'app.audit', 'pub.pieces', 'pub.piece_contents', 'pub.piece_texts', 'pub.piece_topics']

/** Off while loading, since it would scan each table again and again; afterwards on, and run at once. */
export async function setAutovacuum(client: pg.ClientBase, on: boolean): Promise<void> {
  const change = on ? 'reset (autovacuum_enabled)' : 'set (autovacuum_enabled = false)'
  for (const table of loaded) await client.query(`alter table ${table} ${change}`)
}
