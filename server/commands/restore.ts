import { hash as digest } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type pg from 'pg'
import { type Config, type Environment, readConfig } from '#config/config.ts'
import { reindex } from '#features/pieces/search/indexer.ts'
import { openMediaStore } from '#platform/media/store.ts'
import { progress } from '#seed/progress.ts'
import { isOfLaterRelease, makeRoles, migrate, readMigrations, recordMigrations } from '#sql/migrate.ts'
import { inTransaction } from '#sql/migration-steps.ts'
import { checkArchive, dumpIn, type Manifest, mediaIn, otherKeys } from './backup/archive.ts'
import {
  differences,
  grantDatabaseRights,
  inNumbers,
  openWhole,
  sizeInWords,
  sumTables,
  totalRows,
} from './backup/checksums.ts'
import { assertProgram, restoreInto } from './backup/pg-tools.ts'
import { CommandError, ownerUrl } from './command-support.ts'

export interface Restoring {
  /** Another database than that of DATABASE_URL: its name on the same server, or a URL. */
  readonly into?: string
  /** Only verify the file. */
  readonly check?: true
}

/**
 * `standfirst restore <file>`: into an empty database and the media store. The file is verified before anything is
 * changed; images come first, since storing them is repeatable; the database is restored in one transaction and
 * compared, row by row, with the manifest.
 */
export async function restore(env: Environment, path: string, { into, check }: Restoring): Promise<void> {
  const file = await open(path).catch((error: Error) => {
    throw new CommandError(`${path} cannot be read: ${error.message}.`)
  })
  try {
    const manifest = await checkArchive(file)
    printContents(path, manifest)
    if (check) return
    const config = readConfig(env)
    await restoreSite(file, manifest, config, env, into ? databaseAt(ownerUrl(config), into) : ownerUrl(config))
    printNextSteps(manifest, config)
  } finally {
    await file.close()
  }
}

function databaseAt(owner: string, into: string): string {
  if (/^postgres(ql)?:\/\//.test(into)) return into
  const url = new URL(owner)
  url.pathname = `/${encodeURIComponent(into)}`
  return url.href
}

async function restoreSite(
  file: FileHandle,
  manifest: Manifest,
  config: Config,
  env: Environment,
  url: string,
): Promise<void> {
  await assertKnownRelease(manifest)
  const client = await openWhole(url)
  try {
    await assertEmpty(client, manifest)
    await assertProgram(env, 'pg_restore', manifest.postgresql)
    await restoreMedia(file, manifest, config)
    await makeRoles(url)
    await restoreDatabase(client, () => dumpIn(file).then((dump) => restoreInto(env, url, dump)))
    const wrong = differences(manifest.tables, await sumTables(client))
    if (wrong.length > 0)
      throw new CommandError(`The database is not what was backed up: ${wrong.join('; ')}. Drop it and do not use it.`)
    await grantDatabaseRights(client, manifest.database_rights)
    await recordMigrations(client, manifest.migrations)
    console.log(`Database: ${manifest.tables.length} tables with ${totalRows(manifest.tables)} rows, compared.`)
  } finally {
    await client.end()
  }
  const applied = await migrate(url)
  if (applied.length > 0) console.log(`Brought up to this release: ${applied.length} migrations applied.`)
  await prepare(url)
}

/** A later release has data that this one does not know. */
async function assertKnownRelease({ migrations, standfirst }: Manifest): Promise<void> {
  const isLater = isOfLaterRelease(await readMigrations())
  if (migrations.some(({ name }) => isLater(name)))
    throw new CommandError(
      `This backup is of a later release, ${standfirst}. Install that one, or a newer, and try again.`,
    )
}

async function assertEmpty(client: pg.Client, { postgresql }: Manifest): Promise<void> {
  const { rows } = await client.query<{ name: string; things: number; version: number }>(`
    select current_database() as name, current_setting('server_version_num')::integer / 10000 as version,
           ((select count(*) from pg_class rel join pg_namespace ns on ns.oid = relnamespace
              where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'm', 'S', 'f'))
          + (select count(*) from pg_namespace where nspname in ('app', 'pub', 'jobs', 'search')))::integer as things`)
  const { name, things, version } = rows[0]!
  if (things > 0)
    throw new CommandError(
      `The database ${name} is not empty, and a restore never overwrites. Create an empty one (create database ${name}_restored) and name it: --into ${name}_restored`,
    )
  if (version < postgresql)
    throw new CommandError(
      `The backup is of PostgreSQL ${postgresql}, and this is ${version}: it takes ${postgresql} or later.`,
    )
}

/** The only type that app.media allows. */
const mediaType = 'image/webp'

async function restoreMedia(file: FileHandle, { media }: Manifest, { MEDIA_URL }: Config): Promise<void> {
  if (media.count === 0) return
  if (!MEDIA_URL)
    throw new CommandError(`The backup has ${media.count} pictures. Set MEDIA_URL to where they shall lie.`)
  const store = openMediaStore(MEDIA_URL)
  const isThere = async (hash: string): Promise<boolean> => {
    const content = await store.get(hash)
    return content !== undefined && digest('sha256', Buffer.concat(await Array.fromAsync(content))) === hash
  }
  const line = progress('Pictures')
  let count = 0
  for await (const { hash, bytes } of mediaIn(file)) {
    line.step(count / media.count, `${count} of ${media.count}`)
    if (!(await isThere(hash))) {
      await store.put(hash, bytes, mediaType)
      if (!(await isThere(hash)))
        throw new CommandError(`The store of MEDIA_URL did not keep the picture ${hash} as it is.`)
    }
    count += 1
  }
  line.done()
  console.log(`Pictures: ${inNumbers(count)}, ${sizeInWords(media.bytes)}, each read again.`)
}

/**
 * Functions can be given to svc_publisher only while it may create objects in their schema, which normally it may not.
 * A superuser would not need this; an owner does.
 */
async function restoreDatabase(client: pg.Client, load: () => Promise<void>): Promise<void> {
  await client.query('alter default privileges grant create on schemas to svc_publisher')
  try {
    await load()
    const { rows } = await client.query<{ made: string }>(
      "select string_agg(quote_ident(nspname), ', ') as made from pg_namespace where nspname in ('app', 'pub', 'jobs', 'search')",
    )
    await client.query(`revoke create on schema ${rows[0]!.made} from svc_publisher`)
  } finally {
    await client.query('alter default privileges revoke create on schemas from svc_publisher')
  }
}

/** Without statistics the first searches would have bad plans; the search index is not in backups. */
async function prepare(url: string): Promise<void> {
  const client = await openWhole(url)
  try {
    await client.query('set role svc_owner')
    await inTransaction(client, () => reindex(client))
    await client.query('reset role')
    await client.query('analyze')
  } finally {
    await client.end()
  }
}

function printContents(path: string, { site, created_at, standfirst, postgresql, tables, media }: Manifest): void {
  console.log(
    `${path} is whole: ${site.name} (${site.base_url}) as it was at ${created_at}, release ${standfirst}, PostgreSQL ${postgresql}, ${totalRows(tables)} rows and ${inNumbers(media.count)} pictures.`,
  )
  if (media.missing.length > 0) console.error(`${media.missing.length} pictures were missing already when it was made.`)
}

function printNextSteps(manifest: Manifest, config: Config): void {
  const others = otherKeys(manifest, config)
  if (others.length > 0)
    console.error(
      `${others.join(' and ')} here: not as in the site that was backed up. Start the restored one with its own, or ${others.includes('AUTH_SECRET') ? 'run standfirst passkeys reseal, and ' : ''}let writers make new webhook secrets.`,
    )
  console.log(`The site is restored. Next:
  1. standfirst doctor
  2. On a new cluster give svc_public, svc_api, svc_desk and svc_worker their passwords.
  3. Keys revoked, sessions ended and pieces unpublished since ${manifest.created_at} are as they were then: go over them.
  4. Start it. Letters and webhooks that waited then go out with the first worker, which also files the pieces for
     search: until it is done, searches say that they are partial.`)
}
