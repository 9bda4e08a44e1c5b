import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import measured from '#sql/migration-locks.json' with { type: 'json' }
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { measureLocks, measureStep } from '../../testkit/db/schema-files.ts'
import { stepsOf } from './migration-steps.ts'

test('every migration locks what migration-locks.json says', async () => {
  const { url } = await scratchDatabase()
  assert.deepEqual(await measureLocks(url), measured, 'run npm run db:locks and read the difference in review')
})

test('the locks of a step are seen, and which tables it reads whole', async () => {
  const { url } = await testDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const measure = async (text: string) => {
    const all = []
    for (const step of stepsOf({ name: 'x', text })) all.push(await measureStep(client, step))
    return all
  }
  const pieces = (mode: string, reads: string[]) => [{ locks: { 'app.pieces': mode }, reads }]
  try {
    assert.deepEqual(
      await measure('alter table app.pieces add column one integer not null default 1'),
      pieces('AccessExclusiveLock', []),
    )
    assert.deepEqual(
      await measure('alter table app.pieces alter column tags set not null, add check (one > 0)'),
      pieces('AccessExclusiveLock', ['app.pieces']),
    )
    assert.deepEqual(await measure('create index on app.pieces (one)'), pieces('ShareLock', ['app.pieces']))
    assert.deepEqual(
      await measure('create table app.made (id uuid references app.pieces); create index on app.made (id)'),
      [...pieces('ShareRowExclusiveLock', [])],
    )
    assert.deepEqual(await measure('update app.pieces set one = 2'), pieces('RowExclusiveLock', ['app.pieces']))
    assert.deepEqual(
      await measure(`-- step: batch app.pieces
update app.pieces set one = 2 where id in (select id from app.pieces where one = 1 limit :batch);
-- step: alone
create index concurrently if not exists by_one on app.pieces (one);
`),
      [...pieces('RowExclusiveLock', ['app.pieces']), ...pieces('ShareUpdateExclusiveLock', ['app.pieces'])],
    )
  } finally {
    await client.end()
  }
})
