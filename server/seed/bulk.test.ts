import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import type pg from 'pg'
import { renderPiece } from '#features/pieces/rendering/render-piece.ts'
import { categories, exampleListItem } from '#features/pieces/schema.ts'
import { testDatabase } from '../../testkit/database.ts'
import { type MadeWriter, makeDraft, makeWriter, publish } from '../../testkit/factories.ts'
import { writers } from './authors.ts'
import { bulkAuthors, bulkCounts, bulkPieces, type SeededAuthor, type SeededPiece } from './bulk.ts'
import { authorAt, pieceAt } from './site-plan.ts'

/**
 * The bulk path writes the same rows as the publishing function: the same pieces go both ways, and every table is
 * compared.
 */

const plan = { authors: 3, pieces: 60, rng: 5, until: new Date('2026-06-01T12:00:00Z') }
const authors = Array.from({ length: plan.authors }, (_, index) => authorAt(plan, index))
const pieces = Array.from({ length: plan.pieces }, (_, index) => pieceAt(plan, index))

const one = await testDatabase()
const other = await testDatabase()

/** Every column except times, sessions and the audit row's key. */
const tables: Readonly<Record<string, string>> = {
  'app.writers':
    'slug, name, bio, role, niche, location, avatar_url, website, socials, search_text, identity_verified_at is null as unverified, website_verified_at is null as unproven',
  'app.pieces':
    'id, editor_status, headline, sub, body_md, category, tags, frame, style, locale, fields, revision, slug, first_published_at, review_required',
  'app.audit': 'act, piece_id, revision, from_status, to_status, note',
  'pub.authors':
    'slug, name, bio, role, niche, location, avatar_url, website, identity_verified, website_verified, socials, pieces_count, last_published_at, search_text',
  'pub.pieces':
    'id, slug, headline, sub, summary, category, tags, kind, locale, external_url, published_at, modified_at, headline_folded, sub_folded, translation_of',
  'pub.piece_contents': 'piece_id, html, text',
  'pub.piece_texts': 'piece_id, category, published_at, body',
  'pub.piece_topics': 'topic, published_at, piece_id, language, name, place',
}

async function contents(admin: pg.Pool): Promise<Record<string, unknown[]>> {
  const found: Record<string, unknown[]> = {}
  for (const [table, columns] of Object.entries(tables)) {
    const { rows } = await admin.query(`select ${columns} from ${table}`)
    found[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  return found
}

async function publishOneByOne(admin: pg.Pool): Promise<SeededPiece[]> {
  const writers = new Map<string, MadeWriter>()
  for (const author of authors) writers.set(author.id, await makeWriter(admin, asGiven(author)))
  const published: SeededPiece[] = []
  for (const piece of pieces) {
    const writer = writers.get(piece.writerId)!
    const { bodyMd, slug, rendering, createdAt, publishedAt, writerId, ...given } = piece
    await makeDraft(admin, writer, { ...given, body_md: bodyMd })
    await publish(admin, writer, given.id)
    const { rows } = await admin.query('select slug, published_at from pub.pieces where id = $1', [given.id])
    published.push({ ...piece, slug: rows[0].slug, publishedAt: rows[0].published_at })
  }
  return published
}

const asGiven = (author: SeededAuthor) => ({
  ...author,
  verified: author.identityVerified,
  websiteVerified: author.websiteVerified,
})

test('pieces loaded in bulk are the same rows as pieces published one by one', async () => {
  const published = await publishOneByOne(one.admin)
  const client = await other.admin.connect()
  await bulkAuthors(client, authors)
  await bulkPieces(client, published)
  await bulkCounts(client)
  client.release()

  const [expected, loaded] = [await contents(one.admin), await contents(other.admin)]
  assert.equal(expected['pub.pieces']?.length, plan.pieces)
  for (const table of Object.keys(tables)) assert.deepEqual(loaded[table], expected[table], table)
})

test('the newest pieces are hand-written, about everything, in six languages, and lead to nobody', () => {
  const site = { ...plan, authors: writers.length }
  const count = readdirSync(new URL('./pieces', import.meta.url)).length
  const written = Array.from({ length: count }, (_, place) => pieceAt(site, site.pieces - 1 - place))
  const { headline, sub, category, tags, slug } = written[0]!
  const { title, summary, url } = exampleListItem
  assert.deepEqual([headline, sub, category, tags], [title, summary, exampleListItem.category, exampleListItem.tags])
  assert.ok(url.endsWith(`/${writers[0]!.slug}/${slug}`))
  const all = (of: (piece: SeededPiece) => string) => new Set(written.map(of))
  assert.equal(all((piece) => piece.slug).size, count)
  assert.deepEqual(all((piece) => piece.category).symmetricDifference(new Set(categories)), new Set())
  assert.deepEqual([...all(({ locale }) => locale)].toSorted(), ['de', 'en', 'es', 'fr', 'ja', 'zh'])
  const ids = new Set(writers.map((_, index) => authorAt(site, index).id))
  assert.deepEqual(all(({ writerId }) => writerId).symmetricDifference(ids), new Set())
  const originals = written.flatMap(({ translationOf, locale, writerId }) => {
    const original = written.findIndex(({ id }) => id === translationOf)
    if (original < 0) return []
    assert.equal(written[original]!.writerId, writerId)
    return [`${written[original]!.locale} to ${locale}`]
  })
  assert.deepEqual(originals, ['ja to en', 'en to de'])
  for (const { bodyMd } of written) {
    for (const [, host] of bodyMd.matchAll(/https?:\/\/([^/)]*)/g)) assert.equal(host, 'example.com')
  }
})

test('the generator writes the HTML and the text that the Markdown pipeline makes', () => {
  const marked = (index: number) => index < 100 || /<(ul|pre|a|code|em)[ >]/.test(pieceAt(plan, index).rendering.html)
  const tried = Array.from({ length: 1500 }, (_, index) => index).filter(marked)
  assert.ok(tried.length > 300)
  for (const index of tried) {
    const { headline, sub, bodyMd, rendering } = pieceAt(plan, index)
    assert.deepEqual(rendering, renderPiece({ headline, sub, body_md: bodyMd }), `piece ${index}`)
  }
})
