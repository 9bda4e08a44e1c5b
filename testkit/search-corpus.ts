import type pg from 'pg'
import { deriveRendering } from '../server/features/pieces/rendering.ts'
import { bulkAuthors, bulkPieces } from '../server/seed/bulk.ts'
import { randomFrom } from '../server/seed/random.ts'
import type { OraclePiece } from './search-oracle.ts'

export interface DrawnPiece {
  readonly headline: string
  readonly sub: string
  readonly body: string
  readonly category: string
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

/** Replaces all public pieces by these, texts as they are: search is under test here, not Markdown. */
export async function loadCorpus(client: pg.ClientBase, drawn: readonly DrawnPiece[]): Promise<OraclePiece[]> {
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
  return addCorpus(client, drawn)
}

/** These beside those that are there; another `rng` makes other ids. */
export async function addCorpus(client: pg.ClientBase, drawn: readonly DrawnPiece[], rng = 1): Promise<OraclePiece[]> {
  const { rowCount } = await client.query('select from app.writers where id = $1', [author.id])
  if (!rowCount) await bulkAuthors(client, [author])

  const random = randomFrom(drawn.length, rng)
  const pieces = drawn.map((one) => ({
    ...one,
    id: random.uuid(),
    publishedAt: new Date(Date.UTC(2026, 0, 1, one.hour)),
  }))
  await bulkPieces(
    client,
    pieces.map(({ id, headline, sub, body, category, publishedAt }) => ({
      id,
      writerId: author.id,
      slug: id,
      headline,
      sub: sub || null,
      bodyMd: body,
      category,
      tags: [],
      style: 'essay',
      createdAt: publishedAt,
      publishedAt,
      rendering: deriveRendering(headline, sub || null, { html: '', text: body }),
    })),
  )
  return pieces
}
