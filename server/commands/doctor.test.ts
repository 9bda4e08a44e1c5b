import assert from 'node:assert/strict'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { readConfig } from '#config/config.ts'
import { openIndexerConnection } from '#features/pieces/search/indexer-lock.ts'
import { testApp } from '../../testkit/app.ts'
import { folderOf, spawnCli, standfirst } from '../../testkit/cli.ts'
import { testDatabase } from '../../testkit/database.ts'
import { startPurgeReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'
import { deskApplication } from './doctor.ts'

/** What doctor accepts starts; it names what would not. */

const { url, admin } = await testDatabase()
const own = 'a-secret-of-tests-that-everybody-knows'
const production = { DATABASE_URL: url, NODE_ENV: 'production', BASE_URL: 'https://site.test', MEDIA_URL: '' }

test('what keeps jobs from starting in production is broken to doctor, too', async () => {
  const env = { ...production, AUTH_SECRET: own, SECRETS_KEY: own }
  for (const command of [['doctor'], ['serve', '--worker'], ['worker']]) {
    const { code, output } = await standfirst(env, ...command)
    assert.equal(code, 1, command.join(' '))
    assert.match(output, /SMTP_URL is required in production/)
    assert.doesNotMatch(output, /No problems found/)
  }
})

test('all that is missing is named at once, whichever command is asked', async () => {
  for (const command of [['doctor'], ['serve', '--worker'], ['worker']]) {
    const { output } = await standfirst(production, ...command)
    for (const name of ['AUTH_SECRET', 'SECRETS_KEY', 'SMTP_URL'])
      assert.match(output, new RegExp(`${name} is required`), command.join(' '))
  }
})

test('a folder of the site that is not there is broken', async () => {
  const { code, output } = await standfirst({ DATABASE_URL: url, SITE_FOLDER: '/nowhere' }, 'doctor')
  assert.equal(code, 1)
  assert.match(output, /✗ SITE_FOLDER must be a folder that exists/)
})

test('a cache that takes purges is well, one that does not is broken, and no password is shown', async () => {
  const [well, refusing] = [await startPurgeReceiver(), await startPurgeReceiver()]
  refusing.answer(403)
  const gone = 'http://name:s3cret@127.0.0.1:1/'
  const { code, output } = await standfirst(
    { DATABASE_URL: url, PURGE_URL: `${well.url},${refusing.url},${gone}` },
    'doctor',
  )
  assert.equal(code, 1)
  assert.match(output, new RegExp(`✓ Cache purges reach the cache at ${new URL(well.url).host}`))
  assert.match(output, new RegExp(`✗ Cache purges don’t reach the cache at ${new URL(refusing.url).host}: .*403`))
  assert.match(output, /✗ Cache purges don’t reach the cache at 127\.0\.0\.1:1: /)
  assert.doesNotMatch(output, /s3cret/)
  assert.deepEqual(well.received[0]!.tags, ['doctor'])
  const odd = await standfirst({ DATABASE_URL: url, PURGE_URL: 'ftp://cache' }, 'doctor')
  assert.match(odd.output, /✗ PURGE_URL must be addresses separated by commas: http:/)
})

test('pieces that nobody files for search are broken to doctor after ten minutes, and odd while somebody does', async () => {
  const wait = (minutes: number) =>
    admin.query(
      `insert into search.waiting values ('00000000-0000-4000-8000-000000000009', now(), now() - make_interval(mins => $1))
       on conflict (piece_id) do update set since = excluded.since`,
      [minutes],
    )
  const asked = async () => (await standfirst({ DATABASE_URL: url }, 'doctor')).output
  await wait(9)
  assert.match(await asked(), /^✓ Everything public is in the search index/m)
  await wait(12)
  assert.match(await asked(), /^✗ 1 piece is waiting .* for 12 minutes, and no worker is indexing\. Start a worker/m)
  const worker = await openIndexerConnection({ url, role: 'svc_worker' })
  assert.ok(await worker.acquireLease())
  assert.match(await asked(), /^! 1 piece is waiting .* A worker is indexing/m)
  await worker.end()
  await admin.query('delete from search.waiting')
})

test('a database of a later release is well to doctor, a server and migrate, until it needs what this release does not have', async () => {
  const jobs = async () => (await admin.query('select name, cron, data from jobs.schedule order by name')).rows
  await admin.query("insert into public.migrations (name) values ('9998_later.sql')")
  await admin.query("update jobs.schedule set cron = '7 7 7 7 7'")
  const before = await jobs()
  const app = await testApp(url)
  const well = await standfirst({ DATABASE_URL: url }, 'doctor')
  assert.equal(well.code, 0, well.output)
  assert.match(well.output, /✓ The database is from a later release \(9998_later\.sql\) and works with this one/)
  const migrated = await standfirst({ DATABASE_URL: url }, 'migrate')
  assert.match(migrated.output, /later release than this one .*are unchanged/)
  assert.deepEqual(await jobs(), before, 'the queue of the later release was changed')
  assert.equal((await app.admin.inject('/readyz')).statusCode, 200)

  await admin.query("insert into public.migrations (name, needs) values ('9999_contract.sql', '9998_later.sql')")
  const broken = await standfirst({ DATABASE_URL: url }, 'doctor')
  assert.equal(broken.code, 1)
  assert.match(broken.output, /✗ This release is too old for the database, which needs 9998_later\.sql/)
  assert.doesNotMatch(broken.output, /drop/)
  assert.equal((await app.admin.inject('/readyz')).statusCode, 503)
  const worker = await standfirst({ DATABASE_URL: url }, 'worker')
  assert.deepEqual([worker.code, /too old for the database/.test(worker.output)], [1, true], worker.output)
  await admin.query("delete from public.migrations where name ~ '^999'")
})

test('where migrations are missing a server is not ready, a worker does not start, and all say what to run', async () => {
  const { rows } = await admin.query(
    'delete from public.migrations where name = (select max(name) from public.migrations) returning *',
  )
  const app = await testApp(url)
  const { statusCode, body } = await app.admin.inject('/readyz')
  assert.deepEqual([statusCode, /Run: standfirst migrate/.test(body)], [503, true], body)
  for (const command of ['worker', 'doctor']) {
    const { code, output } = await standfirst({ DATABASE_URL: url }, command)
    assert.deepEqual([code, /Run: standfirst migrate/.test(output)], [1, true], output)
  }
  const server = spawnCli({ DATABASE_URL: url, PORT: '0' }, 'serve')
  const lines: string[] = []
  createInterface(server.stdout!).on('line', (line) => lines.push(line))
  await until(() => lines.some((line) => /"not_ready".*standfirst migrate/.test(line)), 'it says that it is not ready')
  await admin.query('insert into public.migrations (name) values ($1)', [rows[0].name])
})

test('a desk that is not built is broken where the desk is served, and nowhere else', () => {
  const { root } = folderOf()
  const none = pathToFileURL(`${root}/`)
  const marks = (env: Record<string, string>, dist?: URL) =>
    deskApplication(readConfig(env), dist).map(({ mark, text }) => [mark, /npm ci --include=dev/.test(text)])
  assert.deepEqual(marks({ DATABASE_URL: url }, none), [['✗', true]])
  assert.deepEqual(marks({ DATABASE_URL: url }), [['✓', false]])
  assert.deepEqual(marks({ PUBLIC_DATABASE_URL: url }, none), [])
})
