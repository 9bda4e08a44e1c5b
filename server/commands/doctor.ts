import { existsSync, readFileSync } from 'node:fs'
import { Redis } from 'ioredis'
import { createTransport } from 'nodemailer'
import { type Config, ConfigError, type Environment, isGiven, readConfig } from '#config/config.ts'
import { readProofRecord } from '#config/proof-record.ts'
import {
  guessableSecrets,
  isHttps,
  usesDevelopmentAuthSecret,
  usesDevelopmentSecretsKey,
} from '#config/required-settings.ts'
import { readSiteInfo } from '#config/site-info.ts'
import { cliTranslator } from '#messages/cli.ts'
import { nameOf } from '#platform/cdn/address.ts'
import { purgeAt } from '#platform/cdn/purge.ts'
import { createSigner, hashOf } from '#platform/crypto.ts'
import { type MediaAddress, openMediaStore } from '#platform/media/store.ts'
import { bad, database, type Finding, good, odd } from './doctor/database.ts'

const t = cliTranslator()

/** Reports what is fine, odd or broken, each with what to do about it. Exits with 1 if anything is broken. */
export async function doctor(env: Environment): Promise<void> {
  const findings = await examine(env)
  for (const { mark, text } of findings) console.log(`${mark} ${text}`)
  const broken = findings.filter(({ mark }) => mark === '✗').length
  console.log(broken === 0 ? t('cli.doctor.healthy') : t('cli.doctor.problems', { count: broken }))
  if (broken > 0) process.exitCode = 1
}

async function examine(env: Environment): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(env, { jobs: isGiven(env, 'DATABASE_URL') || isGiven(env, 'WORKER_DATABASE_URL') })
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(bad)
    throw error
  }
  return [
    good(t('cli.doctor.config_valid')),
    ...address(config),
    ...secret(config),
    ...(await database(config, env)),
    ...(await cache(config)),
    ...(await edges(config)),
    await mail(config),
    ...signing(config),
    await media(config),
    ...deskApplication(config),
    ...siteFiles(config),
    ...outside(config),
  ]
}

function address(config: Config): Finding[] {
  return [
    isHttps(config)
      ? good(t('cli.doctor.base_url', { address: config.BASE_URL }))
      : odd(t('cli.doctor.base_url_http', { address: config.BASE_URL })),
  ]
}

/** In production the configuration is already rejected without them. */
function secret(config: Config): Finding[] {
  if (!config.DATABASE_URL && !config.DESK_DATABASE_URL) return []
  const guessable = guessableSecrets(config)
  const own = (name: string, words: string): Finding =>
    guessable.includes(name) ? odd(t('cli.doctor.secret_guessable', { name, command: newSecret })) : good(words)
  return [
    usesDevelopmentSecretsKey(config)
      ? odd(t('cli.doctor.secret_default', { name: 'SECRETS_KEY', command: newSecret }))
      : own('SECRETS_KEY', t('cli.doctor.secrets_key')),
    usesDevelopmentAuthSecret(config)
      ? odd(t('cli.doctor.secret_default', { name: 'AUTH_SECRET', command: newSecret }))
      : own('AUTH_SECRET', t('cli.doctor.auth_secret')),
    config.RECEIPT_KEY
      ? own('RECEIPT_KEY', t('cli.doctor.receipt_key', { key: keyOf(config.RECEIPT_KEY), name: 'RECEIPT_KEY' }))
      : good(t('cli.doctor.receipt_key', { key: keyOf(config.AUTH_SECRET), name: 'AUTH_SECRET' })),
  ]
}

const newSecret = 'openssl rand -base64 32'

const keyOf = (secret: string): string => createSigner(secret).keyId

async function cache({ REDIS_URL }: Config): Promise<Finding[]> {
  if (!REDIS_URL) return [odd(t('cli.doctor.no_redis'))]
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
    return [good(t('cli.doctor.redis'))]
  } catch {
    return [bad(t('cli.doctor.redis_down'))]
  } finally {
    redis.disconnect()
  }
}

/** Purges a tag that nothing has. */
const edges = ({ PURGE_URL = [] }: Config): Promise<Finding[]> =>
  Promise.all(
    PURGE_URL.map(async (address) => {
      try {
        await purgeAt([address])(['doctor'])
        return good(t('cli.doctor.purge', { cache: nameOf(address) }))
      } catch (error) {
        const { message, cause } = error as Error
        const reason = (cause as Error)?.message ?? message
        return bad(t('cli.doctor.purge_failed', { cache: nameOf(address), reason }))
      }
    }),
  )

async function mail({ SMTP_URL }: Config): Promise<Finding> {
  if (!SMTP_URL) return odd(t('cli.doctor.no_smtp'))
  const transport = createTransport({ url: SMTP_URL, connectionTimeout: 3000, greetingTimeout: 3000 })
  try {
    await transport.verify()
    return good(t('cli.doctor.smtp'))
  } catch (error) {
    return bad(t('cli.doctor.smtp_failed', { reason: (error as Error).message }))
  } finally {
    transport.close()
  }
}

/** Whether emails are signed where one of the two settings says they should be. */
function signing({ DKIM_KEY, DKIM_SELECTOR }: Config): Finding[] {
  const [given, missing] = DKIM_KEY ? ['DKIM_KEY', 'DKIM_SELECTOR'] : ['DKIM_SELECTOR', 'DKIM_KEY']
  return Boolean(DKIM_KEY) === Boolean(DKIM_SELECTOR) ? [] : [odd(t('cli.doctor.dkim_incomplete', { given, missing }))]
}

/** Stores and deletes a test object. */
async function media({ MEDIA_URL }: Config): Promise<Finding> {
  if (!MEDIA_URL) return odd(t('cli.doctor.no_media', { example: 'file:///var/lib/standfirst/media' }))
  const place = MEDIA_URL.kind === 'folder' ? MEDIA_URL.path : bucketOf(MEDIA_URL)
  const trial = Buffer.from('standfirst doctor')
  const hash = hashOf(trial).toString('hex')
  try {
    const store = openMediaStore(MEDIA_URL)
    await store.put(hash, trial, 'text/plain')
    await store.delete(hash)
    return good(t('cli.doctor.media', { place }))
  } catch (error) {
    return bad(t('cli.doctor.media_failed', { place, reason: (error as Error).message }))
  }
}

const bucketOf = ({ bucket, endpoint, access }: Extract<MediaAddress, { kind: 's3' }>): string =>
  access.kind === 'keys'
    ? t('cli.doctor.bucket', { bucket, endpoint })
    : t('cli.doctor.bucket_by_role', { bucket, endpoint, role: access.kind })

function outside({ OUTBOUND_ALLOW }: Config): Finding[] {
  return OUTBOUND_ALLOW.size === 0 ? [] : [odd(t('cli.doctor.outbound_allow'))]
}

/** Files a process reads at its start. */

const built = new URL('../../desk/dist/', import.meta.url)

/** The server starts without it and answers 503 at /desk, which otherwise only writers would notice. */
export function deskApplication(config: Config, dist = built): Finding[] {
  if (!config.DATABASE_URL && !config.DESK_DATABASE_URL) return []
  return [
    isWhole(dist)
      ? good(t('cli.doctor.desk'))
      : bad(t('cli.doctor.no_desk', { install: 'npm ci --include=dev', build: 'npm run desk' })),
  ]
}

/** Whether all files in its manifest exist. */
function isWhole(dist: URL): boolean {
  try {
    const manifest: Record<string, { file: string }> = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'))
    return Object.values(manifest).every(({ file }) => existsSync(new URL(file, dist)))
  } catch {
    return false
  }
}

/** The site's own files. One that cannot be read keeps a server from starting. */
export function siteFiles(config: Config): Finding[] {
  return [readSiteInfo, readProofRecord].flatMap((read) => {
    try {
      read(config)
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.problems.map(bad)
      throw error
    }
  })
}
