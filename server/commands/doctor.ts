import { Redis } from 'ioredis'
import pg from 'pg'
import { type Config, ConfigError, isHttps, readConfig } from '../platform/config.ts'
import { missingMigrations } from '../platform/db/migrate.ts'

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
  const url = config.DATABASE_URL ?? config.PUBLIC_DATABASE_URL ?? config.REPLICA_DATABASE_URL!
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 })
  try {
    await client.connect()
  } catch (error) {
    return [
      bad(
        `The database does not answer: ${(error as Error).message || 'no connection'}. Check DATABASE_URL and that PostgreSQL runs.`,
      ),
    ]
  }
  try {
    return [await version(client), ...(config.DATABASE_URL ? await schema(client, config) : [])]
  } finally {
    await client.end()
  }
}

async function version(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ number: number }>(
    "select current_setting('server_version_num')::integer as number",
  )
  const major = Math.floor(rows[0]!.number / 10_000)
  return major >= 15 ? good(`PostgreSQL ${major}.`) : bad(`PostgreSQL ${major} is too old: 15 to 18 are supported.`)
}

async function schema(client: pg.Client, config: Config): Promise<Finding[]> {
  const missing = await missingMigrations(client)
  if (missing.length > 0) return [bad(`${missing.length} migrations are missing. Run: standfirst migrate`)]
  const findings = [good('The database is up to date.'), ...(await rights(client))]
  if (!config.PUBLIC_DATABASE_URL && !config.REPLICA_DATABASE_URL) {
    findings.push(
      odd(
        'Public reads use the owner’s credential with SET ROLE. In production give them PUBLIC_DATABASE_URL (user svc_public).',
      ),
    )
  }
  return findings
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
