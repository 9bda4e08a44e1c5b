import { hash as digest } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type pg from 'pg'
import { type Config, type Environment, readConfig } from '#config/config.ts'
import { reindex } from '#features/pieces/search/indexer.ts'
import { cliTranslator } from '#messages/cli.ts'
import { openMediaStore } from '#platform/media/store.ts'
import { progress } from '#seed/progress.ts'
import { isOfLaterRelease, makeRoles, migrate, readMigrations, recordMigrations } from '#sql/migrate.ts'
import { inTransaction } from '#sql/migration-steps.ts'
import { checkArchive, dumpIn, type Manifest, mediaIn, otherKeys } from './backup/archive.ts'
import { differences, grantDatabaseRights, openWhole, sumTables, totalRows } from './backup/checksums.ts'
import { assertProgram, restoreInto } from './backup/pg-tools.ts'
import { CommandError, ownerUrl } from './command-support.ts'
import { formatBytes } from './format.ts'

const t = cliTranslator()

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
    throw new CommandError(t('cli.file_unreadable', { file: path, reason: error.message }))
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
    if (wrong.length > 0) throw new CommandError(t('cli.restore.differs', { differences: wrong.join('; ') }))
    await grantDatabaseRights(client, manifest.database_rights)
    await recordMigrations(client, manifest.migrations)
    const sizes = { tables: manifest.tables.length, rows: totalRows(manifest.tables) }
    console.log(t('cli.restore.database', sizes))
  } finally {
    await client.end()
  }
  const applied = await migrate(url)
  if (applied.length > 0) console.log(t('cli.restore.migrated', { count: applied.length }))
  await orderMediaVariants(url)
  await prepare(url)
}

/** A backup has no smaller copies of images: the worker makes them once more. */
async function orderMediaVariants(url: string): Promise<void> {
  const client = await openWhole(url)
  try {
    await client.query('update app.media_variants set tries = 0, failures = 0, made_at = null')
  } finally {
    await client.end()
  }
}

/** A later release has data that this one does not know. */
async function assertKnownRelease({ migrations, standfirst }: Manifest): Promise<void> {
  const isLater = isOfLaterRelease(await readMigrations())
  if (migrations.some(({ name }) => isLater(name)))
    throw new CommandError(t('cli.restore.later_release', { release: standfirst }))
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
      t('cli.restore.not_empty', {
        name,
        create: `create database ${name}_restored`,
        option: `--into ${name}_restored`,
      }),
    )
  if (version < postgresql)
    throw new CommandError(t('cli.restore.old_postgresql', { needed: postgresql, found: version }))
}

/** The only type that app.media allows. */
const mediaType = 'image/webp'

async function restoreMedia(file: FileHandle, { media }: Manifest, { MEDIA_URL }: Config): Promise<void> {
  if (media.count === 0) return
  if (!MEDIA_URL) throw new CommandError(t('cli.restore.no_media_url', { count: media.count }))
  const store = openMediaStore(MEDIA_URL)
  const isThere = async (hash: string): Promise<boolean> => {
    const content = await store.get(hash)
    return content !== undefined && digest('sha256', Buffer.concat(await Array.fromAsync(content))) === hash
  }
  const line = progress(t('cli.images'))
  let count = 0
  for await (const { hash, bytes } of mediaIn(file)) {
    line.step(count / media.count, t('cli.done_of', { done: count, total: media.count }))
    if (!(await isThere(hash))) {
      await store.put(hash, bytes, mediaType)
      if (!(await isThere(hash))) throw new CommandError(t('cli.restore.image_not_kept', { hash }))
    }
    count += 1
  }
  line.done()
  console.log(t('cli.restore.images', { count, size: formatBytes(media.bytes) }))
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
    t('cli.restore.contents', {
      file: path,
      name: site.name,
      address: site.base_url,
      created: created_at,
      release: standfirst,
      postgresql,
      rows: totalRows(tables),
      images: media.count,
    }),
  )
  if (media.missing.length > 0) console.error(t('cli.restore.images_missing', { count: media.missing.length }))
}

function printNextSteps(manifest: Manifest, config: Config): void {
  const others = otherKeys(manifest, config)
  if (others.length > 0) console.error(t('cli.restore.other_keys', { names: t.list(others), count: others.length }))
  if (others.includes('AUTH_SECRET'))
    console.error(t('cli.restore.reseal_passkeys', { command: 'standfirst passkeys reseal' }))
  if (others.includes('SECRETS_KEY')) console.error(t('cli.restore.new_webhook_secrets'))
  console.log(t('cli.restore.done'))
  console.log(`  1. ${t('cli.restore.next_check', { command: 'standfirst doctor' })}`)
  console.log(`  2. ${t('cli.restore.next_passwords')}`)
  console.log(`  3. ${t('cli.restore.next_revisit', { created: manifest.created_at })}`)
  console.log(`  4. ${t('cli.restore.next_start')}`)
}
