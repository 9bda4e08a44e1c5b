import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import pg from 'pg'
import { type Config, ConfigError, hasKnownKey, hasKnownSecret, isHttps, readConfig } from '#platform/config.ts'
import { missingMigrations } from '#platform/db/migrate.ts'
import { openMediaStore } from '#platform/media/open.ts'
import { hashOf } from '#platform/secret.ts'
import { createSigner } from '#platform/signing.ts'
import { demandProgram, type Environment } from './backup/programs.ts'
import { demandSight, majorOf } from './backup/tables.ts'
import { CommandError } from './command-error.ts'

interface Finding {
  readonly mark: '✓' | '!' | '✗'
  readonly text: string
}
const good = (text: string): Finding => ({ mark: '✓', text })
const odd = (text: string): Finding => ({ mark: '!', text })
const bad = (text: string): Finding => ({ mark: '✗', text })

/** Says what is well, what is odd and what is broken, each with what to do about it. Exits 1 if anything is broken. */
export async function doctor(env: Environment): Promise<void> {
  const findings = await examine(env)
  for (const { mark, text } of findings) console.log(`${mark} ${text}`)
  const broken = findings.filter(({ mark }) => mark === '✗').length
  console.log(broken === 0 ? 'The house is well.' : `${broken} to mend.`)
  if (broken > 0) process.exitCode = 1
}

async function examine(env: Environment): Promise<Finding[]> {
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
    ...secret(config),
    ...(await database(config, env)),
    ...(await cache(config)),
    await mail(config),
    await media(config),
    ...outside(config),
  ]
}

function address(config: Config): Finding[] {
  return [
    isHttps(config)
      ? good(`People reach the house at ${config.BASE_URL}.`)
      : odd(
          `BASE_URL is ${config.BASE_URL}: without https there is no HSTS, and the desk's cookie is not kept to https. Fine on your own machine.`,
        ),
  ]
}

/** Without them where others come in, the configuration could not be read. */
function secret(config: Config): Finding[] {
  if (!config.DATABASE_URL && !config.DESK_DATABASE_URL) return []
  return [
    hasKnownKey(config)
      ? odd(
          "SECRETS_KEY is not set, so the one that stands in the code seals writers' webhook secrets. Fine on your own machine; https and production demand your own: openssl rand -base64 32",
        )
      : good('SECRETS_KEY is your own. Every process needs the same one, and so does a restored backup.'),
    hasKnownSecret(config)
      ? odd(
          'AUTH_SECRET is not set, so the one that stands in the code vouches for passkeys and devices. Fine on your own machine; https and production demand your own: openssl rand -base64 32',
        )
      : good('AUTH_SECRET is your own. Every process needs the same one.'),
    good(
      config.RECEIPT_KEY
        ? `Receipts are signed with the key ${keyOf(config.RECEIPT_KEY)}, made from RECEIPT_KEY.`
        : `Receipts are signed with the key ${keyOf(config.AUTH_SECRET)}, made from AUTH_SECRET.`,
    ),
  ]
}

const keyOf = (secret: string): string => createSigner(secret).keyId

async function database(config: Config, env: Environment): Promise<Finding[]> {
  const findings: Finding[] = []
  if (config.DATABASE_URL) {
    findings.push(
      ...(await ask('DATABASE_URL', config.DATABASE_URL, async (client) => [
        await version(client),
        ...(await schema(client)),
        await backups(client, env),
      ])),
    )
    const lacking = Object.entries(roles).filter(
      ([name]) => name !== 'REPLICA_DATABASE_URL' && !config[name as keyof typeof roles],
    )
    if (lacking.length > 0) {
      findings.push(
        odd(
          `These roles use the owner’s credential with SET ROLE: ${lacking.map(([, role]) => role).join(', ')}. In production give each its own address: ${lacking.map(([name]) => name).join(', ')}.`,
        ),
      )
    }
  }
  for (const [name, role] of Object.entries(roles)) {
    const url = config[name as keyof typeof roles]
    if (url) findings.push(...(await ask(name, url, (client) => ownAddress(name, role, client))))
  }
  return findings
}

/** Who signs in at which address. */
const roles = {
  PUBLIC_DATABASE_URL: 'svc_public',
  REPLICA_DATABASE_URL: 'svc_public',
  API_DATABASE_URL: 'svc_api',
  DESK_DATABASE_URL: 'svc_desk',
  WORKER_DATABASE_URL: 'svc_worker',
} as const

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

async function ownAddress(name: string, role: string, client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{ user: string; ready: boolean }>(
    "select current_user as user, has_schema_privilege(case when current_user = 'svc_public' then 'pub' else 'app' end, 'usage') as ready",
  )
  const { user, ready } = rows[0]!
  if (user !== role) return [bad(`${name} signs in as ${user}. It must be ${role}, who may do that work and no other.`)]
  return [ready ? good(`${name} signs in as ${role}.`) : bad(`${name} has no rights yet. Run: standfirst migrate`)]
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

async function version(client: pg.Client): Promise<Finding> {
  const major = await majorOf(client)
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

async function mail({ SMTP_URL }: Config): Promise<Finding> {
  if (!SMTP_URL) return odd('No SMTP_URL: letters are written to the log. In production jobs do not start without it.')
  const transport = createTransport({ url: SMTP_URL, connectionTimeout: 3000, greetingTimeout: 3000 })
  try {
    await transport.verify()
    return good('The mail server answers.')
  } catch (error) {
    return bad(`The mail server does not take us: ${(error as Error).message}. Check SMTP_URL.`)
  } finally {
    transport.close()
  }
}

/** Puts something there, and takes it away again. */
async function media({ MEDIA_URL }: Config): Promise<Finding> {
  if (!MEDIA_URL)
    return odd('No MEDIA_URL: nobody can upload pictures. Give them a place, such as file:///var/lib/standfirst/media')
  const place = MEDIA_URL.kind === 'folder' ? MEDIA_URL.path : `the bucket ${MEDIA_URL.bucket} at ${MEDIA_URL.endpoint}`
  const trial = Buffer.from('standfirst doctor')
  const hash = hashOf(trial).toString('hex')
  try {
    const store = openMediaStore(MEDIA_URL)
    await store.put(hash, trial, 'text/plain')
    await store.delete(hash)
    return good(`Pictures lie in ${place}.`)
  } catch (error) {
    return bad(`Pictures cannot be kept in ${place}: ${(error as Error).message}. Check MEDIA_URL.`)
  }
}

function outside({ OUTBOUND_ALLOW }: Config): Finding[] {
  return OUTBOUND_ALLOW.size === 0
    ? []
    : [
        odd(
          'OUTBOUND_ALLOW is set: writers can make the house call these addresses, private or not. Empty it in production.',
        ),
      ]
}
