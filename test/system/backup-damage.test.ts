import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkArchive } from '../../server/commands/backup/archive.ts'
import { cli, spawnCli, standfirst } from '../../testkit/cli.ts'
import { scratchDatabase } from '../../testkit/database.ts'
import { differingLines, rightsOf } from '../../testkit/db/schema-files.ts'
import { mediaFolder } from '../../testkit/media.ts'
import { until } from '../../testkit/waiting.ts'
import { folder, heldDump, pathWith, realDump, seededSite } from './backup-site.ts'

/** An incomplete file is never accepted as a backup, and none is left behind. */

const { admin, env, hashes, media } = await seededSite()
const file = join(folder, 'site.tar')
assert.equal((await standfirst(env, 'backup', file)).code, 0)

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
  assert.deepEqual([refused.code, /no whole backup/.test(refused.error)], [1, true])

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
  assert.match(failed.error, /^pg_dump ended with 3: the disk is gone\n$/)
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
  assert.match(error, /^Another backup to .+twice\.tar was begun meanwhile\. Wait for that one/m)
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
    await assert.rejects(checkArchive(handle), /no whole backup/, `byte ${at}`).finally(() => handle.close())
  }
  const other = await scratchDatabase()
  const { code, error } = await standfirst({ ...env, DATABASE_URL: other.url }, 'restore', spoilt)
  assert.equal(code, 1)
  assert.match(error, /^This is no whole backup of a site: .+ Nothing has been changed\./)
  assert.equal((await other.admin.query("select from pg_namespace where nspname = 'app'")).rowCount, 0)
})

test('a restore that breaks off leaves the database empty, and the next one is as good as the first', async () => {
  const other = await scratchDatabase()
  const real = 'PATH=/usr/bin:/bin:/usr/local/bin pg_restore "$@"'
  const PATH = pathWith('pg_restore', `case "$1" in --version) ${real} ;; *) head -c 200000 | ${real} ;; esac`)
  const given = { ...env, DATABASE_URL: other.url, MEDIA_URL: mediaFolder().url }
  const broken = await standfirst({ ...given, PATH }, 'restore', file)
  assert.equal(broken.code, 1)
  assert.match(broken.error, /^pg_restore ended with \d+: /m)
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
    [env, ['backup', file], /is there already/],
    [env, ['backup', join(folder, 'no', 'such', 'folder.tar')], /cannot be written/],
    [{ ...env, PATH: join(nobody, 'bin') }, ['backup', join(folder, 'x.tar')], /no pg_dump .*postgresql-client-\d+/],
    [{ ...env, DATABASE_URL: empty }, ['backup', join(folder, 'y.tar')], /migrations are missing/],
    [env, ['restore', file], /is not empty.* --into/],
    [env, ['restore', join(folder, 'none.tar')], /cannot be read/],
    [env, ['restore', cli], /no whole backup/],
    [{ ...env, DATABASE_URL: empty, PATH: old }, ['restore', file], /pg_restore is of version 9, and this takes 1\d/],
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
  assert.match((await standfirst(env, 'restore', backup, '--check')).error, /^2 pictures were missing already/)
})
