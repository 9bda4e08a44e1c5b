import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planOf } from '#sql/migration-locks.ts'
import { standfirst } from '../../testkit/cli.ts'
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { describe } from './migrate.ts'

const { url, admin } = await testDatabase()

test('migrate --plan names what changed and its locks, with the size of the tables, and changes nothing', async () => {
  await admin.query(
    "delete from public.sql_files where path in ('functions/app/key_may.sql', 'policies/app.audit.sql')",
  )
  await admin.query("update pg_class set reltuples = 1234567 where oid = 'app.audit'::regclass")
  const { code, out } = await standfirst({ DATABASE_URL: url }, 'migrate', '--plan')
  assert.equal(code, 0)
  const [file, locks, functions] = out.split('\n')
  assert.equal(file, 'policies/app.audit.sql')
  assert.match(
    locks!,
    /In one transaction: ACCESS EXCLUSIVE on app\.audit \(about 1,234,567 rows, .*blocks reads and writes\. Takes an instant\.$/,
  )
  assert.equal(functions, '1 changed function, in one transaction that locks no table.')
  assert.equal(
    (
      await admin.query(
        "select from public.sql_files where path in ('functions/app/key_may.sql', 'policies/app.audit.sql')",
      )
    ).rowCount,
    0,
  )
})

test('migrate --plan of an empty database locks nothing', async () => {
  const empty = await scratchDatabase()
  const { code, out } = await standfirst({ DATABASE_URL: empty.url }, 'migrate', '--plan')
  assert.equal(code, 0)
  assert.match(out, /^0001_baseline\.sql\n {2}Locks no existing table\.$/m)
  assert.doesNotMatch(out, /EXCLUSIVE/)
})

test('the plan tells what each step of several is like; nobody guesses what was not measured', async () => {
  const text = `-- step: once
alter table app.pieces add column one integer;
-- step: batch app.pieces
update app.pieces set one = 1 where id in (select id from app.pieces where one is null limit :batch);
-- step: alone
create index concurrently if not exists by_one on app.pieces (one);
`
  const on = (mode: string, reads: string[]) => ({ locks: { 'app.pieces': mode }, reads })
  const known = {
    'x.sql': [
      on('AccessExclusiveLock', []),
      on('RowExclusiveLock', ['app.pieces']),
      on('ShareUpdateExclusiveLock', ['app.pieces']),
    ],
  }
  await admin.query("update pg_class set reltuples = 900000 where oid = 'app.pieces'::regclass")
  const client = await admin.connect()
  const steps = (await planOf(client, { name: 'x.sql', text }, known))!.map(describe)
  assert.equal(await planOf(client, { name: 'y.sql', text }, known), undefined)
  assert.match(
    steps[0]!,
    /^In one transaction: ACCESS EXCLUSIVE on app\.pieces .* blocks reads and writes\. Takes an instant\.$/,
  )
  const several = await planOf(
    client,
    { name: 'z.sql', text: 'select 1' },
    {
      'z.sql': [
        {
          locks: { 'app.audit': 'AccessExclusiveLock', 'app.accounts': 'ShareRowExclusiveLock' },
          reads: ['app.audit', 'app.products'],
        },
      ],
    },
  )
  client.release()
  const said = several!.map(describe)[0]!
  assert.match(
    said,
    /ACCESS EXCLUSIVE on app\.audit .*, which blocks reads and writes\. SHARE ROW EXCLUSIVE on app\.accounts .*, which blocks writes/,
  )
  assert.match(said, /Takes as long as a full scan of app\.audit and app\.products: less than a second\.$/)
  assert.match(
    steps[1]!,
    /^In batches: ROW EXCLUSIVE .* Each batch takes about 0\.2 s \(2 s at most\), all of them about 5 minutes\.$/,
  )
  assert.match(
    steps[2]!,
    /^Outside a transaction: SHARE UPDATE EXCLUSIVE .* blocks neither reads nor writes\. Reads the table twice/,
  )
})
