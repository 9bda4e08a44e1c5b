import { hash as digest } from 'node:crypto'
import { rmSync } from 'node:fs'
import { access, type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type pg from 'pg'
import { type Config, type Environment, readConfig } from '#config/config.ts'
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
import {
  databaseRights,
  majorOf,
  openWhole,
  sizeInWords,
  sumTables,
  type TableSum,
  totalRows,
} from './backup/checksums.ts'
import { assertProgram, dumpOf } from './backup/pg-tools.ts'
import { CommandError, ownerUrl } from './command-support.ts'

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
    if (!(await isOurs()))
      throw new CommandError(
        `Another backup to ${file} was begun meanwhile. Wait for that one, or choose another name.`,
      )
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
  if (isThere)
    throw new CommandError(`${file} is there already, and a backup takes no other's place. Choose another name.`)
}

const cannotWrite = (file: string) => (error: Error) => {
  throw new CommandError(`${file} cannot be written: ${error.message}.`)
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
    console.log(`Backing up ${config.SITE_NAME} (${config.BASE_URL}) from PostgreSQL ${major}.`)
    const database = await writeDatabase(tar, client, env, url)
    const tables = await sumTables(client)
    console.log(`Database: ${tables.length} tables with ${totalRows(tables)} rows, ${sizeInWords(database.size)}.`)
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
    throw new CommandError(
      `${missing.length} migrations are missing, so this release does not know what it would back up. Use the release that the site runs, or run: standfirst migrate`,
    )
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
  if (rows.length > 0 && !MEDIA_URL)
    throw new CommandError(`The site has ${rows.length} pictures. Set MEDIA_URL to where they lie.`)
  const store = MEDIA_URL && openMediaStore(MEDIA_URL)
  const line = progress('Pictures')
  const media = { count: 0, bytes: 0, missing: [] as string[] }
  for (const [at, { hash }] of rows.entries()) {
    line.step(at / rows.length, `${at} of ${rows.length}`)
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
  console.log(`Pictures: ${media.count}, ${sizeInWords(media.bytes)}.`)
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
      `${missing.length} pictures that the database names are not in the store, or damaged there, and so not in the backup:\n${missing.map((hash) => `  ${hash}`).join('\n')}`,
    )
  console.log(`${file} is whole: ${sizeInWords(size)}, read again and compared.
It holds everything private of the site: keep it where nobody else reads. AUTH_SECRET and SECRETS_KEY are not inside;
keep them too, somewhere else. Without them passkeys and webhooks of a restored site do not work.`)
}
