import { hash as digest } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import { type Config, type Environment, readConfig } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import { openMediaStore } from '#platform/media/store.ts'
import { type TarWriter, tarInto, type Written } from '#platform/tar.ts'
import { progress } from '#seed/progress.ts'
import { appliedMigrations, missingMigrations } from '#sql/migrate.ts'
import {
  checkArchive,
  dumpName,
  keysOf,
  type Manifest,
  manifestName,
  mediumName,
  sumName,
  version,
} from './backup/archive.ts'
import { databaseRights, majorOf, openWhole, sumTables, type TableSum, totalRows } from './backup/checksums.ts'
import { assertProgram, dumpOf } from './backup/pg-tools.ts'
import { CommandError, ownerUrl } from './command-support.ts'
import { formatBytes } from './format.ts'

const t = cliTranslator()

/**
 * `standfirst backup <file>`: database and images in one file, while the site runs. First a database snapshot, then the
 * images it refers to: those never change, and are deleted no sooner than seven days after their last reference.
 */
export async function backup(env: Environment, file: string): Promise<void> {
  const config = readConfig(env)
  const url = ownerUrl(config)
  await assertAbsent(file)
  const unfinished = `${file}.unfinished`
  await rm(unfinished, { force: true })
  const handle = await open(unfinished, 'wx+', 0o600).catch(cannotWrite(file))
  /** A later backup to the same file would delete ours as a leftover. */
  const isOurs = async () => (await stat(unfinished).catch(() => undefined))?.ino === (await handle.stat()).ino
  const leave = () => {
    rmSync(unfinished, { force: true })
    process.exit(1)
  }
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, leave)
  try {
    await write(handle, config, env, url)
    await handle.sync()
    // Read back from disk: only a file that can be restored gets its final name.
    const { media } = await checkArchive(handle)
    const { size } = await handle.stat()
    await assertAbsent(file)
    if (!(await isOurs())) throw new CommandError(t('cli.backup.other_started', { file }))
    await rename(unfinished, file)
    await syncFolder(file)
    printResult(file, size, media)
  } catch (error) {
    if (await isOurs()) await rm(unfinished)
    throw error
  } finally {
    await handle.close()
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, leave)
  }
}

async function assertAbsent(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new CommandError(t('cli.backup.exists', { file }))
}

const cannotWrite = (file: string) => (error: Error) => {
  throw new CommandError(t('cli.file_unwritable', { file, reason: error.message }))
}

async function write(handle: FileHandle, config: Config, env: Environment, url: string): Promise<void> {
  const client = await openWhole(url)
  const created = new Date()
  const tar = tarInto(handle, created)
  try {
    await client.query('begin isolation level repeatable read, read only')
    const major = await majorOf(client)
    await assertProgram(env, 'pg_dump', major)
    await assertMigrated(client)
    console.log(t('cli.backup.started', { name: config.SITE_NAME, address: config.BASE_URL, major: String(major) }))
    const database = await writeDatabase(tar, client, env, url)
    const tables = await sumTables(client)
    const sizes = { tables: tables.length, rows: totalRows(tables), size: formatBytes(database.size) }
    console.log(t('cli.backup.database', sizes))
    const manifest: Manifest = {
      ...(await describe(client, config, tables)),
      created_at: created.toISOString(),
      postgresql: major,
      database: { bytes: database.size, sha256: database.sha256 },
      media: await writeMedia(tar, client, config),
    }
    const written = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
    await tar.add(manifestName, written)
    await tar.add(sumName, Buffer.from(digest('sha256', written)))
    await tar.end()
  } finally {
    await client.end()
  }
}

async function describe(client: pg.Client, config: Config, tables: TableSum[]) {
  return {
    format: 1 as const,
    standfirst: version,
    site: { name: config.SITE_NAME, base_url: config.BASE_URL },
    database_rights: await databaseRights(client),
    migrations: await appliedMigrations(client),
    tables,
    keys: keysOf(config),
  }
}

async function assertMigrated(client: pg.Client): Promise<void> {
  const missing = await missingMigrations(client)
  if (missing.length > 0)
    throw new CommandError(t('cli.backup.not_migrated', { count: missing.length, command: 'standfirst migrate' }))
}

/** In the same snapshot as the checksums and the list of images. */
async function writeDatabase(tar: TarWriter, client: pg.Client, env: Environment, url: string): Promise<Written> {
  const { rows } = await client.query<{ snapshot: string; byPolicies: boolean }>(
    `select pg_export_snapshot() as snapshot, current_setting('row_security')::boolean as "byPolicies"`,
  )
  const { bytes, ended } = dumpOf(env, url, rows[0]!)
  const written = await tar.stream(dumpName, bytes)
  await ended
  return written
}

/** One image in memory at a time. Images missing from the store do not stop the backup. */
async function writeMedia(tar: TarWriter, client: pg.Client, { MEDIA_URL }: Config): Promise<Manifest['media']> {
  const { rows } = await client.query<{ hash: string }>('select distinct hash from app.media order by hash')
  await client.query('commit')
  if (rows.length > 0 && !MEDIA_URL) throw new CommandError(t('cli.backup.no_media_url', { count: rows.length }))
  const store = MEDIA_URL && openMediaStore(MEDIA_URL)
  const line = progress(t('cli.images'))
  const media = { count: 0, bytes: 0, missing: [] as string[] }
  for (const [at, { hash }] of rows.entries()) {
    line.step(at / rows.length, t('cli.done_of', { done: at, total: rows.length }))
    const content = await store?.get(hash)
    const bytes = content && Buffer.concat(await Array.fromAsync(content as AsyncIterable<Buffer>))
    if (!bytes || digest('sha256', bytes) !== hash) {
      media.missing.push(hash)
      continue
    }
    await tar.add(mediumName(hash), bytes)
    media.count += 1
    media.bytes += bytes.length
  }
  if (rows.length > 0) line.done()
  console.log(t('cli.backup.images', { count: media.count, size: formatBytes(media.bytes) }))
  return media
}

async function syncFolder(file: string): Promise<void> {
  const folder = await open(dirname(file))
  await folder.sync()
  await folder.close()
}

function printResult(file: string, size: number, { missing }: Manifest['media']): void {
  if (missing.length > 0)
    console.error(
      [t('cli.backup.images_missing', { count: missing.length }), ...missing.map((hash) => `  ${hash}`)].join('\n'),
    )
  console.log(t('cli.backup.done', { file, size: formatBytes(size) }))
  console.log(t('cli.backup.keep_safe'))
}
