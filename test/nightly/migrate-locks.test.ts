import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../../server/sql/migrate.ts'
import { applyMigration } from '../../server/sql/migration-steps.ts'
import { scratchDatabase } from '../../testkit/database.ts'

test('a migration that must wait for a table blocks nobody for longer than half a second, and gets its lock in the end', async () => {
  const { url } = await scratchDatabase()
  await migrate(url)
  const admin = new pg.Pool({ connectionString: url, max: 3 })
  const [reader, migrating] = await Promise.all([admin.connect(), admin.connect()])
  await reader.query('begin')
  await reader.query('select from app.pieces limit 1')
  const migrated = applyMigration(migrating, {
    name: 'later.sql',
    text: 'alter table app.pieces add column later integer',
  })
  let longest = 0
  for (const end = Date.now() + 2500; Date.now() < end; await pause(10)) {
    const start = performance.now()
    await admin.query('select from app.pieces limit 1')
    longest = Math.max(longest, performance.now() - start)
  }
  await reader.query('commit')
  await migrated
  for (const client of [reader, migrating]) client.release()
  assert.ok(longest > 100 && longest < 1000, `a reader waited for ${longest.toFixed(0)} ms`)
  const { rows } = await admin.query('select later from app.pieces')
  assert.deepEqual(rows, [])
  await admin.end()
})
