import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type pg from 'pg'
import { testApp } from '../../testkit/app.ts'
import { standfirst } from '../../testkit/cli.ts'
import { scratchDatabase } from '../../testkit/database.ts'
import { differingLines, rightsOf } from '../../testkit/db/schema-files.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { mediaFolder } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'
import { folder, heldDump, seededSite } from './backup-site.ts'

/** A site backed up into one file and restored elsewhere is the same site. */

const { admin, ada, app, env, hashes, illustrated, media, secrets } = await seededSite()
assert.equal((await standfirst(env, 'search', 'build')).code, 0)
const file = join(folder, 'site.tar')
const made = await standfirst(env, 'backup', file)

/** Every row of every table and every sequence, as sorted text. */
async function contentsOf(db: pg.Pool): Promise<Record<string, unknown>> {
  const { rows: tables } = await db.query<{ name: string; kind: string }>(
    `select format('%I.%I', nspname, relname) as name, relkind as kind from pg_class
       join pg_namespace on pg_namespace.oid = relnamespace
      where nspname in ('app', 'pub', 'jobs', 'public') and relkind in ('r', 'S') and relpersistence = 'p'`,
  )
  const contents: Record<string, unknown> = {}
  for (const { name, kind } of tables) {
    const { rows } =
      kind === 'S'
        ? await db.query(`select last_value, is_called from ${name}`)
        : await db.query(
            `select count(*), md5(string_agg(md5(one::text), '' order by md5(one::text))) from ${name} one`,
          )
    contents[name] = rows[0]
  }
  return contents
}

const filesIn = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(path, name)).isFile())
    .sort()

test('a restored site has every row, right and picture of the one backed up, and serves its pages', async () => {
  assert.equal(made.code, 0, made.error)
  assert.match(made.out, /AUTH_SECRET and SECRETS_KEY are not inside/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const before = await contentsOf(admin)

  const other = await scratchDatabase()
  const otherMedia = mediaFolder()
  const restored = await standfirst({ ...env, DATABASE_URL: other.url, MEDIA_URL: otherMedia.url }, 'restore', file)
  assert.equal(restored.code, 0, restored.error)
  assert.match(restored.out, /The site is restored\. Next:/)
  assert.equal(restored.error.includes('AUTH_SECRET'), false)

  const { 'jobs.version': _, ...after } = await contentsOf(other.admin)
  const { 'jobs.version': __, ...expected } = before
  // `migrate` comes by at the end and says when it last looked at its queues, and when it applied the files of server/sql.
  for (const looked of ['jobs.queue', 'jobs.schedule', 'public.sql_files']) {
    delete after[looked]
    delete expected[looked]
  }
  assert.deepEqual(after, expected)
  assert.deepEqual(differingLines(await rightsOf(admin), await rightsOf(other.admin)), [])

  assert.equal(filesIn(otherMedia.path).length, 3)
  for (const name of filesIn(media.path))
    assert.ok(readFileSync(join(media.path, name)).equals(readFileSync(join(otherMedia.path, name))), name)

  const site = await testApp(other.url, { MEDIA_URL: otherMedia.url, ...secrets })
  for (const path of [
    '/',
    `/api/public/pieces/${illustrated}`,
    '/api/public/pieces/search?q=tea',
    '/author/ada',
    `/media/${hashes[0]}`,
  ]) {
    const [was, is] = await Promise.all([app.inject(path), site.inject(path)])
    assert.deepEqual([is.statusCode, is.body], [200, was.body], path)
  }
  assert.equal((await site.inject(`/media/${hashes[1]}`)).statusCode, 404, 'a draft’s picture is still private')
  const mine = await deskOf(site, ada).ask('GET', 'pieces')
  assert.match(mine.body, /A draft/)
})

test('what is filed for search is in no backup: a restored site files it anew, and finds the same', async () => {
  const other = await scratchDatabase()
  const site = { ...env, DATABASE_URL: other.url, MEDIA_URL: mediaFolder().url }
  assert.equal((await standfirst(site, 'restore', file)).code, 0)
  const counted = async (db: pg.Pool, table: string) => (await db.query(`select from ${table}`)).rowCount
  assert.deepEqual([await counted(admin, 'search.waiting'), await counted(other.admin, 'search.volumes')], [0, 0])
  assert.equal(await counted(other.admin, 'search.waiting'), await counted(admin, 'pub.piece_texts'))
  assert.match((await standfirst(site, 'search', 'build')).out, /^Nothing waits: 41 pieces in 1 volumes\.$/m)
  assert.match((await standfirst(site, 'search', 'status')).out, /^Pieces: 41 of 41 filed$/m)
  const again = await testApp(other.url, secrets)
  for (const q of ['tea', 'th', 'the ', 'nowhere to be found']) {
    const [was, is] = await Promise.all(
      [app, again].map((one) => one.inject({ path: '/api/public/pieces/search', query: { q } })),
    )
    assert.deepEqual(is!.json(), was!.json(), q)
  }
})

test('an owner without superuser and bypassrls migrates, serves, publishes, backs up and restores everything', async () => {
  const owner = `sf_owner_${randomBytes(4).toString('hex')}`
  const [from, to] = [await scratchDatabase(), await scratchDatabase()]
  await from.admin.query(`create role ${owner} login createrole`)
  after(async () => {
    for (const { admin: db } of [from, to]) await db.query(`drop owned by ${owner} cascade`).catch(() => {})
    await admin.query(`drop role if exists ${owner}`).catch(() => {})
  })
  for (const role of ['svc_owner', 'svc_publisher', 'svc_public', 'svc_api', 'svc_desk', 'svc_worker'])
    await from.admin.query(`grant ${role} to ${owner}`)
  for (const { admin: db } of [from, to]) {
    const { rows } = await db.query('select current_database() as name')
    await db.query(`alter database ${rows[0].name} owner to ${owner}`)
  }
  const as = (address: string) => ({ ...env, DATABASE_URL: address.replace('//postgres@', `//${owner}@`) })
  assert.equal((await standfirst(as(from.url), 'migrate')).code, 0)
  // Serves and publishes with the owner's credential alone.
  const site = await testApp(as(from.url).DATABASE_URL, secrets)
  const writer = await makeWriter(from.admin)
  const desk = deskOf(site, writer)
  const [published, draft] = [await desk.begin({ headline: 'Of a managed database' }), await desk.begin()]
  assert.equal((await desk.act('publish', published)).statusCode, 200)
  assert.equal((await site.inject(`/api/public/pieces/${published}`)).statusCode, 200)

  const place = join(folder, 'owner.tar')
  await from.admin.query(`revoke svc_publisher from ${owner}`)
  const refused = await standfirst(as(from.url), 'backup', place)
  assert.deepEqual([refused.code, existsSync(place)], [1, false])
  assert.match(
    refused.error,
    /does not see every row of app\.pieces, app\.products, .*grant svc_owner, svc_publisher to/,
  )
  await from.admin.query(`grant svc_publisher to ${owner}`)

  assert.match((await standfirst(as(from.url), 'doctor')).out, /^✓ Backups can be made from here/m)
  assert.equal((await standfirst(as(from.url), 'backup', place)).code, 0)
  const restored = await standfirst(as(to.url), 'restore', place)
  assert.equal(restored.code, 0, restored.error)
  assert.deepEqual(differingLines(await rightsOf(from.admin), await rightsOf(to.admin)), [])
  const { rows } = await to.admin.query('select id from app.pieces order by id')
  assert.deepEqual(
    rows.map(({ id }) => id),
    [published, draft].sort(),
  )
  const again = await testApp(as(to.url).DATABASE_URL, secrets)
  assert.equal((await again.inject(`/api/public/pieces/${published}`)).statusCode, 200)
})

test('what is published while a backup runs is not half in it', async () => {
  const { PATH, begun, goOn } = heldDump()
  const place = join(folder, 'meanwhile.tar')
  const running = standfirst({ ...env, PATH }, 'backup', place)
  await until(begun, 'pg_dump has begun')
  const late = await makePiece(admin, ada, { headline: 'Too late for it' })
  goOn()
  const { code, error } = await running
  assert.equal(code, 0, error)
  const other = await scratchDatabase()
  const restored = await standfirst({ ...env, DATABASE_URL: other.url, MEDIA_URL: mediaFolder().url }, 'restore', place)
  assert.equal(restored.code, 0, restored.error)
  assert.equal((await other.admin.query('select from app.pieces where id = $1', [late])).rowCount, 0)
})

test('a site that is restored with other secrets is told what will not work', async () => {
  const other = await scratchDatabase()
  const place = { ...env, DATABASE_URL: other.url, MEDIA_URL: mediaFolder().url, AUTH_SECRET: 'b'.repeat(40) }
  const { code, error } = await standfirst(place, 'restore', file)
  assert.equal(code, 0, error)
  assert.match(error, /^AUTH_SECRET here: not as in the site that was backed up\..*passkeys reseal/m)
  assert.doesNotMatch(error, /SECRETS_KEY/)
})
