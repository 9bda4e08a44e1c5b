import { Redis } from 'ioredis'
import pg from 'pg'
import { type Config, ConfigError, isHttps, readConfig } from '#platform/config.ts'
import { missingMigrations } from '#platform/db/migrate.ts'

interface Finding {
  readonly mark: '✓' | '!' | '✗'
  readonly text: string
}
const good = (text: string): Finding => ({ mark: '✓', text })
const odd = (text: string): Finding => ({ mark: '!', text })
const bad = (text: string): Finding => ({ mark: '✗', text })

/** Says what is well, what is odd and what is broken, each with what to do about it. Exits 1 if anything is broken. */
export async function doctor(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const findings = await examine(env)
  for (const { mark, text } of findings) console.log(`${mark} ${text}`)
  const broken = findings.filter(({ mark }) => mark === '✗').length
  console.log(broken === 0 ? 'The house is well.' : `${broken} to mend.`)
  if (broken > 0) process.exitCode = 1
}

async function examine(env: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(bad)
    throw error
  }
  return [
    good('The configuration can be read.'),
    ...address(config),
    ...(await database(config)),
    ...(await cache(config)),
  ]
}

function address(config: Config): Finding[] {
  return [
    isHttps(config)
      ? good(`People reach the house at ${config.BASE_URL}.`)
      : odd(`BASE_URL is ${config.BASE_URL}: without https there is no HSTS. Fine on your own machine.`),
  ]
}

async function database(config: Config): Promise<Finding[]> {
  const findings: Finding[] = []
  if (config.DATABASE_URL) {
    findings.push(
      ...(await ask('DATABASE_URL', config.DATABASE_URL, async (client) => [
        await version(client),
        ...(await schema(client)),
      ])),
    )
    if (!config.PUBLIC_DATABASE_URL && !config.REPLICA_DATABASE_URL) {
      findings.push(
        odd(
          'Public reads use the owner’s credential with SET ROLE. In production give them PUBLIC_DATABASE_URL (user svc_public).',
        ),
      )
    }
  }
  for (const name of ['PUBLIC_DATABASE_URL', 'REPLICA_DATABASE_URL'] as const) {
    const url = config[name]
    if (url) findings.push(...(await ask(name, url, (client) => publicAddress(name, client))))
  }
  return findings
}

/** Asks over a connection of its own, or says that there is none to be had. */
async function ask(
  name: string,
  url: string,
  questions: (client: pg.Client) => Promise<Finding[]>,
): Promise<Finding[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
    return await questions(client)
  } catch (error) {
    return [
      bad(
        `The database of ${name} does not answer: ${(error as Error).message || 'no connection'}. Check the address and that PostgreSQL runs.`,
      ),
    ]
  } finally {
    await client.end().catch(() => {})
  }
}

async function publicAddress(name: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ user: string; reads: boolean }>(
    "select current_user as user, has_table_privilege('pub.pieces', 'select') as reads",
  )
  const { user, reads } = rows[0]!
  if (user !== 'svc_public')
    return [bad(`${name} signs in as ${user}. It must be svc_public, who can read nothing else.`)]
  return [reads ? good(`${name} signs in as svc_public.`) : bad(`${name} may not read. Run: standfirst migrate`)]
}

async function version(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: number }>(
    "select current_setting('server_version_num')::integer as number",
  )
  const major = Math.floor(rows[0]!.number / 10_000)
  return major >= 15 ? good(`PostgreSQL ${major}.`) : bad(`PostgreSQL ${major} is too old: 15 to 18 are supported.`)
}

async function schema(client: pg.Client): Promise<Finding[]> {
  const missing = await missingMigrations(client)
  if (missing.length > 0) return [bad(`${missing.length} migrations are missing. Run: standfirst migrate`)]
  return [good('The database is up to date.'), ...(await rights(client)), await indexes(client)]
}

/** A seed that was interrupted leaves the house without them: slow, and otherwise silent. */
const searchIndexes = [
  'pieces_by_recency',
  'pieces_by_headline',
  'pieces_by_sub',
  'pieces_by_head_keys',
  'pieces_by_body_keys',
  'piece_texts_by_body',
  'piece_texts_by_recency',
]

async function indexes(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>(
    "select name from unnest($1::text[]) as name where to_regclass('pub.' || name) is null",
    [searchIndexes],
  )
  const missing = rows.map(({ name }) => name).join(', ')
  return missing
    ? bad(
        `Indexes are missing: ${missing}. If a seed was interrupted, drop the database and begin anew; else create them as in server/platform/db/migrations.`,
      )
    : good('The indexes are there.')
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

async function cache({ REDIS_URL }: Config): Promise<Finding[]> {
  if (!REDIS_URL) return [odd('No REDIS_URL: each process counts rate limits for itself. Fine for one process.')]
  const redis = new Redis(REDIS_URL, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    connectTimeout: 2000,
    retryStrategy: null,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return [good('Redis answers.')]
  } catch {
    return [bad('Redis does not answer. Check REDIS_URL; until it does, each process counts for itself.')]
  } finally {
    redis.disconnect()
  }
}
