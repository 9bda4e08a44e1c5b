import pg from 'pg'
import type { Config, Environment } from '#config/config.ts'
import { keyUse } from '#features/followers/reseal.ts'
import { readIndexerStatus } from '#features/pieces/search/index-stats.ts'
import { maxClockSkew } from '#features/webhooks/delivery-queue.ts'
import { cliTranslator } from '#messages/cli.ts'
import { createSealer } from '#platform/crypto.ts'
import {
  type Access,
  accessFor,
  connectionOptions,
  openingError,
  type Role,
  replicaAccess,
  roleSettings,
  verifyConnection,
  WrongConnection,
} from '#platform/db/access.ts'
import { type Compatibility, compatibilityOf, incompatibilityOf } from '#sql/migrate.ts'
import { assertAllRowsVisible, majorOf } from '../backup/checksums.ts'
import { assertProgram } from '../backup/pg-tools.ts'
import { CommandError } from '../command-support.ts'
import { formatDuration } from '../format.ts'

const t = cliTranslator()

/** One result of doctor: fine, odd or broken. */
export interface Finding {
  readonly mark: '✓' | '!' | '✗'
  readonly text: string
}
export const good = (text: string): Finding => ({ mark: '✓', text })
export const odd = (text: string): Finding => ({ mark: '!', text })
export const bad = (text: string): Finding => ({ mark: '✗', text })

/**
 * Checks the database at every configured address: reachable, up to date, and with the right privileges for each role.
 */
export async function database(config: Config, env: Environment): Promise<Finding[]> {
  const findings: Finding[] = []
  if (config.DATABASE_URL) {
    const lacking = Object.entries(roles).filter(
      ([name]) => name !== 'REPLICA_DATABASE_URL' && !config[name as keyof typeof roles],
    )
    findings.push(
      ...(await ask({ url: config.DATABASE_URL, address: 'DATABASE_URL' }, async (client) => [
        await version(client),
        await clock(client),
        ...(await schema(client, config, config.POOLER === 'none' ? lacking.map(([, role]) => role) : [])),
        await backups(client, env),
      ])),
    )
    if (lacking.length > 0) findings.push(lackingAddresses(config, lacking))
  }
  for (const [name, role] of Object.entries(roles)) {
    const urls = [config[name as keyof typeof roles] ?? []].flat()
    for (const url of urls) {
      const access = name === 'REPLICA_DATABASE_URL' ? replicaAccess(config, url) : { ...accessFor(config, role)!, url }
      findings.push(...(await ask(access, (client) => ownAddress(name, role, client))))
    }
  }
  return [...findings, ...(await direct(config))]
}

/** The role of each address. */
const roles = {
  PUBLIC_DATABASE_URL: 'svc_public',
  REPLICA_DATABASE_URL: 'svc_public',
  API_DATABASE_URL: 'svc_api',
  DESK_DATABASE_URL: 'svc_desk',
  WORKER_DATABASE_URL: 'svc_worker',
} as const

function lackingAddresses({ POOLER }: Config, lacking: readonly (readonly [string, string])[]): Finding {
  const names = t.list(lacking.map(([name]) => name))
  const roles = t.list(lacking.map(([, role]) => role))
  return odd(t(POOLER === 'none' ? 'cli.doctor.shared_address' : 'cli.doctor.no_pooled_address', { roles, names }))
}

/** The address for LISTEN. */
async function direct(config: Config): Promise<Finding[]> {
  const { POOLER, DIRECT_DATABASE_URL: url, WORKER_DATABASE_URL } = config
  if (POOLER === 'none') return url ? [odd(t('cli.doctor.direct_unused'))] : []
  if (!url) return [odd(t('cli.doctor.no_direct'))]
  const address = 'DIRECT_DATABASE_URL'
  const access = { url, address, ...(WORKER_DATABASE_URL ? { role: 'svc_worker' } : {}) }
  return ask(access, async () => [good(t('cli.doctor.direct', { name: address }))])
}

/** Runs over its own connection, opened and verified like those of the pools, or reports that there is none. */
async function ask(access: Access, questions: (client: pg.Client) => Promise<Finding[]>): Promise<Finding[]> {
  const { url, address, role } = access
  const settings = role === undefined ? {} : roleSettings(role as Role, 1)
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 3000,
    ...connectionOptions(access, settings),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await verifyConnection(client, access, settings, 3000)
    return await questions(client)
  } catch (error) {
    const wrong = openingError(error, access)
    if (wrong instanceof WrongConnection) return [bad(wrong.message)]
    const reason = (error as Error).message || String((error as { code?: string }).code)
    return [bad(t('cli.doctor.database_down', { name: address ?? '', reason }))]
  } finally {
    await client.end().catch(() => {})
  }
}

async function ownAddress(name: string, role: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ user: string; ready: boolean }>(
    "select session_user as user, has_schema_privilege(case when current_user = 'svc_public' then 'pub' else 'app' end, 'usage') as ready",
  )
  const { user, ready } = rows[0]!
  if (user !== role) return [bad(t('cli.doctor.wrong_user', { name, user, role }))]
  if (!ready) return [bad(t('cli.doctor.no_rights', { name, command: 'standfirst migrate' }))]
  const incompatibility = incompatibilityOf(await fitOf(client))
  return [incompatibility ? bad(`${name}: ${incompatibility}`) : good(t('cli.doctor.right_user', { name, role }))]
}

/** Better found today than when a backup is needed. */
async function backups(client: pg.Client, env: Environment): Promise<Finding> {
  try {
    await assertAllRowsVisible(client)
    await assertProgram(env, 'pg_dump', await majorOf(client))
    return good(t('cli.doctor.backup', { command: 'standfirst backup <file>' }))
  } catch (error) {
    if (error instanceof CommandError) return odd(t('cli.doctor.no_backup', { reason: error.message }))
    throw error
  }
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const { rows } = await client.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::double precision * 1000 as now',
  )
  // The server's time lies between query and answer.
  const ahead = Math.round(((before + Date.now()) / 2 - rows[0]!.now) / 1000)
  if (Math.abs(ahead) <= maxClockSkew) return good(t('cli.doctor.clock'))
  const direction = ahead > 0 ? 'ahead' : 'behind'
  return bad(t('cli.doctor.clock_wrong', { seconds: Math.abs(ahead), direction }))
}

async function version(client: pg.Client): Promise<Finding> {
  const major = await majorOf(client)
  return major >= 15 ? good(t('cli.doctor.postgresql', { major })) : bad(t('cli.doctor.postgresql_old', { major }))
}

async function schema(client: pg.Client, config: Config, borrowed: readonly string[]): Promise<Finding[]> {
  const fit = await fitOf(client)
  const { missing, unknown } = fit
  const incompatibility = incompatibilityOf(fit)
  if (incompatibility)
    return [
      bad(
        missing.length > 0
          ? t('cli.doctor.not_migrated', { count: missing.length, command: 'standfirst migrate' })
          : incompatibility,
      ),
    ]
  const isNewer = unknown.length > 0
  return [
    isNewer ? newer(unknown) : good(t('cli.migrate.up_to_date', { count: 0 })),
    ...(await rights(client)),
    ...(await roleMembership(client, borrowed)),
    // Which indexes exist is defined by the release that migrated the database.
    ...(isNewer ? [] : [await indexes(client)]),
    await searchIndex(client),
    ...(await sealedSecrets(client, config)),
  ]
}

const fitOf = (client: pg.Client): Promise<Compatibility> =>
  compatibilityOf(async (query) => (await client.query(query)).rows)

const newer = (unknown: Compatibility['unknown']): Finding =>
  good(t('cli.doctor.newer_database', { migrations: t.list(unknown), command: 'standfirst doctor' }))

/** A surface cannot work if the owner may not take its role. */
async function roleMembership(client: pg.Client, borrowed: readonly string[]): Promise<Finding[]> {
  const refused: string[] = []
  for (const role of borrowed) {
    await client.query('begin')
    await client.query(`set local role ${role}`).catch(() => refused.push(role))
    await client.query('rollback')
  }
  if (refused.length === 0) return []
  const { rows } = await client.query<{ me: string }>('select quote_ident(current_user) as me')
  const roles = refused.join(', ')
  return [bad(t('cli.doctor.no_membership', { roles, statement: `grant ${roles} to ${rows[0]!.me}` }))]
}

/** An interrupted seed leaves the site without them: slow, and otherwise unnoticed. */
const searchIndexes = ['pieces_by_recency', 'pieces_by_category', 'piece_texts_by_recency']

async function indexes(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>(
    "select name from unnest($1::text[]) as name where to_regclass('pub.' || name) is null",
    [searchIndexes],
  )
  const missing = rows.map(({ name }) => name).join(', ')
  return missing
    ? bad(t('cli.doctor.no_indexes', { indexes: missing, folder: 'server/sql/migrations' }))
    : good(t('cli.doctor.indexes'))
}

/** Seconds. A worker indexes everything that has waited for a minute. */
const longestWait = 600

async function searchIndex(client: pg.Client): Promise<Finding> {
  await client.query('begin; set local role svc_owner')
  const { pieces, longest, running } = await readIndexerStatus(client)
  await client.query('rollback')
  if (longest < longestWait) return good(t('cli.doctor.search'))
  const late = { count: pieces, time: formatDuration(longest) }
  return running
    ? odd(t('cli.doctor.search_late', { ...late, command: 'standfirst search status' }))
    : bad(t('cli.doctor.search_stopped', { ...late, command: 'standfirst search build' }))
}

async function rights(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ reads: boolean; leaks: boolean; writes: boolean }>(`
    select has_table_privilege('svc_public', 'pub.pieces', 'select') as reads,
           has_schema_privilege('svc_public', 'app', 'usage') as leaks,
           has_column_privilege('svc_api', 'app.pieces', 'editor_status', 'update') as writes`)
  const { reads, leaks, writes } = rows[0]!
  return [
    reads && !leaks
      ? good(t('cli.doctor.rights'))
      : bad(t('cli.doctor.rights_changed', { file: 'server/platform/db/rights.txt' })),
    writes
      ? bad(t('cli.doctor.key_can_publish', { statement: 'revoke update (editor_status) on app.pieces from svc_api' }))
      : good(t('cli.doctor.key_cannot_publish')),
  ]
}

/** Which keys of `SECRETS_KEY` are still needed. */
async function sealedSecrets(client: pg.Client, { SECRETS_KEY }: Config): Promise<Finding[]> {
  await client.query('begin; set local role svc_owner')
  const { byKey, byOthers } = await keyUse(client, createSealer(SECRETS_KEY))
  await client.query('rollback')
  const [, ...former] = byKey
  const formerly = former.reduce((total, count) => total + count, 0)
  if (byOthers > 0) return [bad(t('cli.doctor.unknown_secrets_key', { count: byOthers }))]
  if (former.length === 0) return [good(t('cli.doctor.secrets_decrypted'))]
  return [
    formerly > 0
      ? odd(t('cli.doctor.old_secrets_key', { count: formerly, command: 'standfirst secrets reseal' }))
      : odd(t('cli.doctor.unused_secrets_key')),
  ]
}
