import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { jobs } from '#features/jobs.ts'
import { installQueue } from '#platform/jobs/queue.ts'
import { scratchDatabase } from '../../testkit/database.ts'
import { createMigrationTables, makeRoles, migrate, readMigrations } from './migrate.ts'
import { applyMigration } from './migration-steps.ts'

/** The release before publishes while `migrate` runs: before a migration, and after it, when no trigger file is applied. */

const first = '0008_related.sql'
/** By piece: each must have a row. */
const derived = ['pub.related', 'pub.piece_topics'] as const

test('what is published before a migration, and between it and the triggers, has what both keep of it', async () => {
  const { url } = await scratchDatabase()
  await makeRoles(url)
  const client = new pg.Client({ connectionString: url })
  // The database is dropped by force.
  client.on('error', () => {})
  await client.connect()
  after(() => client.end())
  await createMigrationTables(client)
  await installQueue(client, jobs)
  const migrations = await readMigrations()
  for (const migration of migrations.filter(({ name }) => name < first)) await applyMigration(client, migration)

  // As the policies of that release have it.
  await client.query('grant select, insert, update, delete on pub.authors, pub.pieces, pub.media to svc_publisher')
  const author = randomUUID()
  await client.query("insert into app.writers (id, slug, name, search_text) values ($1, 'ada', 'Ada', 'ada')", [author])
  await client.query(
    `insert into pub.authors (id, slug, name, identity_verified, website_verified, socials, search_text)
     values ($1, 'ada', 'Ada', false, false, '{}', 'ada')`,
    [author],
  )
  const asPublisher = async (text: string, values: unknown[]) => {
    await client.query('begin; set local role svc_publisher')
    await client.query(text, values)
    await client.query('commit')
  }
  const publish = async () => {
    const [id, hash] = [randomUUID(), randomBytes(32).toString('hex')]
    await asPublisher(
      `insert into pub.pieces (id, author_id, slug, headline, summary, category, tags, kind, locale, published_at,
                               modified_at, headline_folded, sub_folded)
       values ($1, $2, $1::uuid::text, 'Tea', 'Tea', 'life', '{Tea}', 'essay', 'en', '2026-01-01', '2026-01-01', 'tea', '')`,
      [id, author],
    )
    await asPublisher("insert into pub.media values ($1, $2, $3, 'image/webp', 1)", [hash, id, author])
    return { id, hash }
  }
  const hide = ({ id }: { readonly id: string }) => asPublisher('delete from pub.pieces where id = $1', [id])

  const early = [await publish(), await publish(), await publish()]
  const lines: string[] = []
  for (const migration of migrations.filter(({ name }) => name >= first))
    await applyMigration(client, migration, (line) => lines.push(line))
  for (const name of [first, '0009_topics.sql'])
    assert.match(lines.find((line) => line.startsWith(name)) ?? '', /Step 2 of \d: 3 of about 3 rows/)

  const late = [await publish(), await publish()]
  await hide(early[0]!)
  await hide(late[0]!)
  const left = [early[1]!, early[2]!, late[1]!]
  for (const table of derived) {
    const { rows } = await client.query(`select piece_id as id from ${table}`)
    assert.deepEqual(rows.map(({ id }) => id).sort(), left.map(({ id }) => id).sort(), table)
  }
  const { rows } = await client.query('select hash from app.media_variants')
  assert.deepEqual(rows.map(({ hash }) => hash).sort(), [...early, ...late].map(({ hash }) => hash).sort())
  assert.deepEqual(await migrate(url), [], 'functions, triggers and policies replace what the migrations brought')
})
