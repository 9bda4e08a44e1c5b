import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type pg from 'pg'
import { checkArchive } from '../../server/commands/backup/archive.ts'
import { testApp } from '../../testkit/app.ts'
import { cli, spawnCli, standfirst } from '../../testkit/cli.ts'
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { differingLines, rightsOf } from '../../testkit/db/schema-files.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { temporaryFolder } from '../../testkit/files.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'

/** A small site with public and private pictures, and the CLI to back it up. */

const folder = temporaryFolder()

/** A PATH in which a PostgreSQL program runs this script first. */
function pathWith(program: string, script: string): string {
  const place = mkdtempSync(join(folder, 'path-'))
  writeFileSync(join(place, program), `#!/bin/sh\n${script}\n`)
  chmodSync(join(place, program), 0o755)
  return `${place}:${process.env['PATH']}`
}
const realDump = 'PATH=/usr/bin:/bin:/usr/local/bin pg_dump'

/** A pg_dump that waits at its start until released. */
function heldDump(): { readonly PATH: string; readonly begun: () => boolean; readonly goOn: () => void } {
  const go = join(mkdtempSync(join(folder, 'held-')), 'go')
  const hold = `touch ${go}.begun; while [ ! -e ${go} ]; do sleep 0.05; done`
  const PATH = pathWith('pg_dump', `case "$1" in --version) ;; *) ${hold} ;; esac; ${realDump} "$@"`)
  return { PATH, begun: () => existsSync(`${go}.begun`), goOn: () => writeFileSync(go, '') }
}

const { url, admin } = await testDatabase()
const media = mediaFolder()
const secrets = { AUTH_SECRET: 'a'.repeat(40), SECRETS_KEY: 's'.repeat(40) }
const env = { DATABASE_URL: url, MEDIA_URL: media.url, SITE_NAME: 'The Example', ...secrets }
assert.equal((await standfirst(env, 'seed', '--pieces', '40', '--authors', '5')).code, 0)
const ada = await makeWriter(admin, { slug: 'ada' })
const app = await testApp(url, { MEDIA_URL: media.url, ...secrets })
const pictures = [await photograph(1), await photograph(2), await photograph(3)]
const hashes: string[] = []
for (const picture of pictures) hashes.push(await uploaderOf(app, ada).upload(picture))
const desk = deskOf(app, ada)
const illustrated = await desk.begin({
  headline: 'With a picture',
  body_md: `We drank tea.\n\n![Tea](/media/${hashes[0]})`,
})
await desk.act('publish', illustrated)
await desk.begin({ headline: 'A draft', body_md: `![Not yet](/media/${hashes[1]})` })

/** A site backed up into one file and restored elsewhere is the same site. */

assert.equal((await standfirst(env, 'search', 'build')).code, 0)
const file = join(folder, 'site.tar')
await admin.query('update app.media_variants set made_at = now(), tries = 1')
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
  assert.match(made.out, /AUTH_SECRET and SECRETS_KEY are not included/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const before = await contentsOf(admin)

  const other = await scratchDatabase()
  const otherMedia = mediaFolder()
  const restored = await standfirst({ ...env, DATABASE_URL: other.url, MEDIA_URL: otherMedia.url }, 'restore', file)
  assert.equal(restored.code, 0, restored.error)
  assert.match(restored.out, /The site is restored\. Next steps:/)
  assert.equal(restored.error.includes('AUTH_SECRET'), false)

  const { 'jobs.version': _, ...after } = await contentsOf(other.admin)
  const { 'jobs.version': __, ...expected } = before
  // `migrate` comes by at the end and says when it last looked at its queues, and when it applied the files of server/sql.
  // Smaller copies of pictures are in no backup, so the worker makes them once more.
  for (const looked of ['jobs.queue', 'jobs.schedule', 'public.sql_files', 'app.media_variants']) {
    delete after[looked]
    delete expected[looked]
  }
  assert.deepEqual(after, expected)
  assert.deepEqual(differingLines(await rightsOf(admin), await rightsOf(other.admin)), [])

  const waiting = 'select bool_and(made_at is null) as all_wait, count(*) > 0 as are_some from app.media_variants'
  assert.deepEqual((await other.admin.query(waiting)).rows, [{ all_wait: true, are_some: true }])

  const { rows: pictures } = await admin.query('select distinct hash from app.media')
  const kept = filesIn(otherMedia.path)
  assert.equal(kept.length, pictures.length)
  for (const name of kept)
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
  assert.match((await standfirst(site, 'search', 'build')).out, /^Everything is indexed: 41 pieces in 1 segment\.$/m)
  assert.match((await standfirst(site, 'search', 'status')).out, /^Pieces: 41 of 41 indexed$/m)
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
    /can’t see all rows of app\.co_authors, app\.pieces, app\.products, app\.series, app\.series_pieces and app\.translation_requests, .*grant svc_owner, svc_publisher to/,
  )
  await from.admin.query(`grant svc_publisher to ${owner}`)

  assert.match((await standfirst(as(from.url), 'doctor')).out, /^✓ Backups work here/m)
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
  assert.match(error, /^AUTH_SECRET differs from the site that was backed up\.[\s\S]*passkeys reseal/m)
  assert.doesNotMatch(error, /SECRETS_KEY/)
})

/** An incomplete file is never accepted as a backup, and none is left behind. */

test('a backup that is killed half-way leaves nothing that looks whole, and the next one is not held up', async () => {
  const PATH = pathWith(
    'pg_dump',
    `case "$1" in --version) exec ${realDump.replace('PATH', 'env PATH')} "$@" ;; esac; ${realDump} "$@" | head -c 30000; sleep 30`,
  )
  const place = join(folder, 'killed.tar')
  const child = spawnCli({ ...env, PATH }, 'backup', place)
  const unfinished = `${place}.unfinished`
  await until(() => existsSync(unfinished) && statSync(unfinished).size > 20_000, 'half of the backup is written')
  child.kill('SIGKILL')
  await once(child, 'close')
  assert.deepEqual([existsSync(place), existsSync(unfinished)], [false, true])
  const refused = await standfirst(env, 'restore', unfinished, '--check')
  assert.deepEqual([refused.code, /not a complete backup/.test(refused.error)], [1, true])

  assert.equal((await standfirst(env, 'backup', place)).code, 0)
  assert.equal((await standfirst(env, 'restore', place, '--check')).code, 0)
  assert.equal(existsSync(unfinished), false)
})

test('one that is interrupted, or whose pg_dump fails, leaves nothing at all', async () => {
  const { PATH: waiting, begun, goOn } = heldDump()
  const failing = pathWith(
    'pg_dump',
    `case "$1" in --version) exec ${realDump.replace('PATH', 'env PATH')} "$@" ;; esac; echo 'the disk is gone' >&2; exit 3`,
  )
  const place = join(folder, 'interrupted.tar')
  const child = spawnCli({ ...env, PATH: waiting }, 'backup', place)
  await until(() => begun() && existsSync(`${place}.unfinished`), 'the backup has begun')
  child.kill('SIGINT')
  assert.deepEqual(await once(child, 'exit'), [1, null])
  goOn()
  const failed = await standfirst({ ...env, PATH: failing }, 'backup', place)
  assert.equal(failed.code, 1)
  assert.match(failed.error, /^pg_dump failed \(3\): the disk is gone\n$/)
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('interrupted')),
    [],
  )
})

test('of two that are begun for one file the later one is kept, and the earlier one says so', async () => {
  const place = join(folder, 'twice.tar')
  const [earlier, later] = [heldDump(), heldDump()]
  const unfinished = () => statSync(`${place}.unfinished`, { throwIfNoEntry: false })
  const first = standfirst({ ...env, PATH: earlier.PATH }, 'backup', place)
  const { ino } = await until(() => earlier.begun() && unfinished(), 'the earlier one has begun')
  const second = standfirst({ ...env, PATH: later.PATH }, 'backup', place)
  await until(() => later.begun() && unfinished()?.ino !== ino, 'the later one has begun')
  earlier.goOn()
  const { code, error } = await first
  assert.equal(code, 1)
  assert.match(error, /^Another backup to .+twice\.tar has started\. Wait for it to finish/m)
  later.goOn()
  assert.equal((await second).code, 0)
  assert.equal((await standfirst(env, 'restore', place, '--check')).code, 0)
})

test('a file with one byte changed, wherever it is, is refused, and the database stays empty', async () => {
  const whole = readFileSync(file)
  const spoilt = join(folder, 'spoilt.tar')
  const places = [
    0,
    100,
    130,
    512,
    600,
    whole.indexOf('media/'),
    whole.indexOf('RIFF') + 40,
    whole.indexOf('"created_at"') + 20,
  ]
  places.push(whole.indexOf('"applied_at": "2') + 15, whole.length - 1600, whole.length - 1100, whole.length - 1)
  places.push(...Array.from({ length: 60 }, () => Math.floor(Math.random() * whole.length)))
  for (const at of places) {
    const bytes = Buffer.from(whole)
    bytes[at] = bytes[at]! ^ 1
    writeFileSync(spoilt, bytes)
    const handle = await open(spoilt)
    await assert.rejects(checkArchive(handle), /not a complete backup/, `byte ${at}`).finally(() => handle.close())
  }
  const other = await scratchDatabase()
  const { code, error } = await standfirst({ ...env, DATABASE_URL: other.url }, 'restore', spoilt)
  assert.equal(code, 1)
  assert.match(error, /^This is not a complete backup: .+ Nothing has been changed\./)
  assert.equal((await other.admin.query("select from pg_namespace where nspname = 'app'")).rowCount, 0)
})

test('a restore that breaks off leaves the database empty, and the next one is as good as the first', async () => {
  const other = await scratchDatabase()
  const real = 'PATH=/usr/bin:/bin:/usr/local/bin pg_restore "$@"'
  const PATH = pathWith('pg_restore', `case "$1" in --version) ${real} ;; *) head -c 200000 | ${real} ;; esac`)
  const given = { ...env, DATABASE_URL: other.url, MEDIA_URL: mediaFolder().url }
  const broken = await standfirst({ ...given, PATH }, 'restore', file)
  assert.equal(broken.code, 1)
  assert.match(broken.error, /^pg_restore failed \(\d+\): /m)
  assert.equal((await other.admin.query("select from pg_namespace where nspname in ('app', 'pub')")).rowCount, 0)
  const whole = await standfirst(given, 'restore', file)
  assert.equal(whole.code, 0, whole.error)
  assert.doesNotMatch(whole.error, /Warning/)
  assert.deepEqual(differingLines(await rightsOf(admin), await rightsOf(other.admin)), [])
})

test('what stands in the way is told in a sentence, before anything is changed', async () => {
  const { url: empty, admin: emptyAdmin } = await scratchDatabase()
  const nobody = mkdtempSync(join(folder, 'nobody-'))
  mkdirSync(join(nobody, 'bin'))
  const old = pathWith('pg_restore', 'echo "pg_restore (PostgreSQL) 9.6.24"')
  const wrong: [Record<string, string>, string[], RegExp][] = [
    [env, ['backup', file], /already exists/],
    [env, ['backup', join(folder, 'no', 'such', 'folder.tar')], /^Can’t write /],
    [
      { ...env, PATH: join(nobody, 'bin') },
      ['backup', join(folder, 'x.tar')],
      /pg_dump is not installed.*postgresql-client-\d+/,
    ],
    [{ ...env, DATABASE_URL: empty }, ['backup', join(folder, 'y.tar')], /\d+ migrations? (?:is|are) missing/],
    [env, ['restore', file], /is not empty.* --into/],
    [env, ['restore', join(folder, 'none.tar')], /^Can’t read /],
    [env, ['restore', cli], /not a complete backup/],
    [
      { ...env, DATABASE_URL: empty, PATH: old },
      ['restore', file],
      /pg_restore is version 9, but version 1\d or later is needed/,
    ],
  ]
  await Promise.all(
    wrong.map(async ([given, args, words]) => {
      const { code, error } = await standfirst(given, ...args)
      assert.deepEqual([code, words.test(error)], [1, true], `${args.join(' ')}: ${error}`)
      assert.doesNotMatch(error, /\n\s+at /)
    }),
  )
  assert.equal((await emptyAdmin.query("select from pg_namespace where nspname = 'app'")).rowCount, 0)
  for (const name of ['x.tar', 'y.tar']) assert.equal(existsSync(join(folder, name)), false)
})

test('a picture that the store has lost or spoilt is named, and the rest is saved', async () => {
  const broken = mediaFolder()
  const place = (hash: string) => join(broken.path, hash.slice(0, 2), hash.slice(2, 4), hash)
  for (const hash of hashes.slice(0, 2)) mkdirSync(join(place(hash), '..'), { recursive: true })
  writeFileSync(place(hashes[0]!), 'not what it was')
  writeFileSync(
    place(hashes[1]!),
    readFileSync(join(media.path, hashes[1]!.slice(0, 2), hashes[1]!.slice(2, 4), hashes[1]!)),
  )
  const backup = join(folder, 'broken.tar')
  const { code, out, error } = await standfirst({ ...env, MEDIA_URL: broken.url }, 'backup', backup)
  assert.equal(code, 0, error)
  assert.match(out, /^Pictures: 1, /m)
  for (const hash of [hashes[0]!, hashes[2]!]) assert.ok(error.includes(hash))
  const { rows: pictures } = await admin.query('select distinct hash from app.media')
  const missing = new RegExp(`^${pictures.length - 1} pictures were already missing`)
  assert.match((await standfirst(env, 'restore', backup, '--check')).error, missing)
})
