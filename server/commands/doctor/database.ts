import pg from 'pg'
import { behindIn } from '#features/pieces/search/index-stats.ts'
import { mostOff } from '#features/webhooks/delivery-queue.ts'
import type { Config } from '#platform/config.ts'
import { type Access, accessFor, type Role, replicaAccess, roleSettings, startingWith } from '#platform/db/access.ts'
import { misfitOf, type ReleaseFit, releaseFitOf } from '#platform/db/release-fit.ts'
import { openingError, verifyConnection, WrongConnection } from '#platform/db/verify.ts'
import type { Environment } from '#platform/secret-files.ts'
import { demandSight, majorOf } from '../backup/checksums.ts'
import { demandProgram } from '../backup/pg-tools.ts'
import { CommandError } from '../command-error.ts'
import { bad, type Finding, good, odd } from './finding.ts'
import { sealedSecrets } from './secrets.ts'

/** The database at every address that is given: there, up to date, and open to each role for its own work alone. */
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

/** Who signs in at which address. */
const roles = {
  PUBLIC_DATABASE_URL: 'svc_public',
  REPLICA_DATABASE_URL: 'svc_public',
  API_DATABASE_URL: 'svc_api',
  DESK_DATABASE_URL: 'svc_desk',
  WORKER_DATABASE_URL: 'svc_worker',
} as const

function lackingAddresses({ POOLER }: Config, lacking: readonly (readonly [string, string])[]): Finding {
  const names = lacking.map(([name]) => name).join(', ')
  const lackingRoles = lacking.map(([, role]) => role).join(', ')
  return odd(
    POOLER === 'none'
      ? `These roles use the owner’s credential with SET ROLE: ${lackingRoles}. In production give each its own address: ${names}.`
      : `With POOLER no process here can act as ${lackingRoles}: the owner’s credential is not used through a pooler. Set ${names} where they are needed.`,
  )
}

/** What is heard as it happens. */
async function direct(config: Config): Promise<Finding[]> {
  const { POOLER, DIRECT_DATABASE_URL: url, WORKER_DATABASE_URL } = config
  if (POOLER === 'none')
    return url ? [odd('DIRECT_DATABASE_URL is not used: it is for what stands behind a POOLER.')] : []
  if (!url)
    return [odd('Without DIRECT_DATABASE_URL nothing is heard as it happens: jobs and webhooks look once a second.')]
  const address = 'DIRECT_DATABASE_URL'
  const access = { url, address, ...(WORKER_DATABASE_URL ? { role: 'svc_worker' } : {}) }
  return ask(access, async () => [good(`${address} leads to PostgreSQL itself.`)])
}

/** Asks over a connection of its own, opened and verified as those of the pools are, or says that there is none to be had. */
async function ask(access: Access, questions: (client: pg.Client) => Promise<Finding[]>): Promise<Finding[]> {
  const { url, address, role } = access
  const settings = role === undefined ? {} : roleSettings(role as Role, 1)
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 3000,
    ...startingWith(access, settings),
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await verifyConnection(client, access, settings, 3000)
    return await questions(client)
  } catch (error) {
    const wrong = openingError(error, access)
    if (wrong instanceof WrongConnection) return [bad(wrong.message)]
    return [
      bad(
        `The database of ${address} does not answer: ${(error as Error).message || 'no connection'}. Check the address and that PostgreSQL runs.`,
      ),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

async function ownAddress(name: string, role: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ user: string; ready: boolean }>(
    "select session_user as user, has_schema_privilege(case when current_user = 'svc_public' then 'pub' else 'app' end, 'usage') as ready",
  )
  const { user, ready } = rows[0]!
  if (user !== role) return [bad(`${name} signs in as ${user}. It must be ${role}, who may do that work and no other.`)]
  if (!ready) return [bad(`${name} has no rights yet. Run: standfirst migrate`)]
  const misfit = misfitOf(await fitOf(client))
  return [misfit ? bad(`${name}: ${misfit}`) : good(`${name} signs in as ${role}.`)]
}

/** Better known today than on the day a backup is needed. */
async function backups(client: pg.Client, env: Environment): Promise<Finding> {
  try {
    await demandSight(client)
    await demandProgram(env, 'pg_dump', await majorOf(client))
    return good('Backups can be made from here: standfirst backup <file>')
  } catch (error) {
    if (error instanceof CommandError) return odd(`No backup can be made from here. ${error.message}`)
    throw error
  }
}

async function clock(client: pg.Client): Promise<Finding> {
  const before = Date.now()
  const { rows } = await client.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::double precision * 1000 as now',
  )
  // Between the question and the answer lies the moment that was told.
  const ahead = Math.round(((before + Date.now()) / 2 - rows[0]!.now) / 1000)
  if (Math.abs(ahead) <= mostOff) return good('The clock here and that of the database agree.')
  return bad(
    `The clock here is ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that of the database: a worker here sends no webhooks. Set it by NTP.`,
  )
}

async function version(client: pg.Client): Promise<Finding> {
  const major = await majorOf(client)
  return major >= 15 ? good(`PostgreSQL ${major}.`) : bad(`PostgreSQL ${major} is too old: 15 to 18 are supported.`)
}

async function schema(client: pg.Client, config: Config, borrowed: readonly string[]): Promise<Finding[]> {
  const fit = await fitOf(client)
  const { missing, unknown } = fit
  const misfit = misfitOf(fit)
  if (misfit) return [bad(missing.length > 0 ? `${missing.length} migrations are missing. ${misfit}` : misfit)]
  const isNewer = unknown.length > 0
  return [
    isNewer ? newer(unknown) : good('The database is up to date.'),
    ...(await rights(client)),
    ...(await takesOn(client, borrowed)),
    // Which ones there are is for the release to say that made the database what it is.
    ...(isNewer ? [] : [await indexes(client)]),
    await filing(client),
    ...(await sealedSecrets(client, config)),
  ]
}

const fitOf = (client: pg.Client): Promise<ReleaseFit> =>
  releaseFitOf(async (query) => (await client.query(query)).rows)

const newer = (unknown: ReleaseFit['unknown']): Finding =>
  good(
    `The database is of a later release than this one (${unknown.join(', ')}) and works with it. Its own doctor says whether it is whole.`,
  )

/** No door opens for an owner who may not be the role that opens it. */
async function takesOn(client: pg.Client, borrowed: readonly string[]): Promise<Finding[]> {
  const refused: string[] = []
  for (const role of borrowed) {
    await client.query('begin')
    await client.query(`set local role ${role}`).catch(() => refused.push(role))
    await client.query('rollback')
  }
  if (refused.length === 0) return []
  const { rows } = await client.query<{ me: string }>('select quote_ident(current_user) as me')
  const roles = refused.join(', ')
  return [bad(`The owner may not act as ${roles}. A superuser runs: grant ${roles} to ${rows[0]!.me}`)]
}

/** A seed that was interrupted leaves the site without them: slow, and otherwise silent. */
const searchIndexes = ['pieces_by_recency', 'pieces_by_category', 'piece_texts_by_recency']

async function indexes(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>(
    "select name from unnest($1::text[]) as name where to_regclass('pub.' || name) is null",
    [searchIndexes],
  )
  const missing = rows.map(({ name }) => name).join(', ')
  return missing
    ? bad(
        `Indexes are missing: ${missing}. Create them as in server/sql/migrations. If a seed of a new site was interrupted, seed another, empty database instead.`,
      )
    : good('The indexes are there.')
}

/** Seconds. A worker files whatever has waited for a minute. */
const longestWait = 600

async function filing(client: pg.Client): Promise<Finding> {
  await client.query('begin; set local role svc_owner')
  const { pieces, longest, filing: isHeld } = await behindIn(client)
  await client.query('rollback')
  if (longest < longestWait) return good('What is public is filed for search.')
  const late = `${pieces.toLocaleString('en')} pieces wait to be filed for search, the first for ${Math.round(longest / 60)} minutes`
  return isHeld
    ? odd(`${late}. A worker has it in hand: standfirst search status shows how far it is.`)
    : bad(`${late}, and nobody files them. Is a worker running? Start one, or run: standfirst search build`)
}

async function rights(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ reads: boolean; leaks: boolean; writes: boolean }>(`
    select has_table_privilege('svc_public', 'pub.pieces', 'select') as reads,
           has_schema_privilege('svc_public', 'app', 'usage') as leaks,
           has_column_privilege('svc_api', 'app.pieces', 'editor_status', 'update') as writes`)
  const { reads, leaks, writes } = rows[0]!
  return [
    reads && !leaks
      ? good('Public processes read what is public and nothing else.')
      : bad('The rights of svc_public are not as shipped. Compare them with server/platform/db/rights.txt.'),
    writes
      ? bad('A key may change the status of a piece. Run: revoke update (editor_status) on app.pieces from svc_api')
      : good('No key can change the status of a piece.'),
  ]
}
