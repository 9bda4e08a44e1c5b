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
import { nameOf } from '#platform/cdn/address.ts'
import { purgeAt } from '#platform/cdn/purge.ts'
import { createSigner, hashOf } from '#platform/crypto.ts'
import { type MediaAddress, openMediaStore } from '#platform/media/store.ts'
import { bad, database, type Finding, good, odd } from './doctor/database.ts'

/** Reports what is fine, odd or broken, each with what to do about it. Exits with 1 if anything is broken. */
export async function doctor(env: Environment): Promise<void> {
  const findings = await examine(env)
  for (const { mark, text } of findings) console.log(`${mark} ${text}`)
  const broken = findings.filter(({ mark }) => mark === '✗').length
  console.log(broken === 0 ? 'The site is well.' : `${broken} to mend.`)
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
    good('The configuration can be read.'),
    ...address(config),
    ...secret(config),
    ...(await database(config, env)),
    ...(await cache(config)),
    ...(await edges(config)),
    await mail(config),
    await media(config),
    ...deskApplication(config),
    ...siteFiles(config),
    ...outside(config),
  ]
}

function address(config: Config): Finding[] {
  return [
    isHttps(config)
      ? good(`People reach the site at ${config.BASE_URL}.`)
      : odd(
          `BASE_URL is ${config.BASE_URL}: without https there is no HSTS, and the desk's cookie is not kept to https. Fine on your own machine.`,
        ),
  ]
}

/** In production the configuration is already rejected without them. */
function secret(config: Config): Finding[] {
  if (!config.DATABASE_URL && !config.DESK_DATABASE_URL) return []
  const guessable = guessableSecrets(config)
  const own = (name: string, words: string): Finding =>
    guessable.includes(name)
      ? odd(`${name} can be guessed. Production refuses it. Make another: openssl rand -base64 32`)
      : good(words)
  return [
    usesDevelopmentSecretsKey(config)
      ? odd(
          "SECRETS_KEY is not set, so the one that stands in the code seals writers' webhook secrets. Fine on your own machine; https and production demand your own: openssl rand -base64 32",
        )
      : own('SECRETS_KEY', 'SECRETS_KEY is your own. Every process needs the same one, and so does a restored backup.'),
    usesDevelopmentAuthSecret(config)
      ? odd(
          'AUTH_SECRET is not set, so the one that stands in the code vouches for passkeys and devices. Fine on your own machine; https and production demand your own: openssl rand -base64 32',
        )
      : own('AUTH_SECRET', 'AUTH_SECRET is your own. Every process needs the same one.'),
    config.RECEIPT_KEY
      ? own('RECEIPT_KEY', `Receipts are signed with the key ${keyOf(config.RECEIPT_KEY)}, made from RECEIPT_KEY.`)
      : good(`Receipts are signed with the key ${keyOf(config.AUTH_SECRET)}, made from AUTH_SECRET.`),
  ]
}

const keyOf = (secret: string): string => createSigner(secret).keyId

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

/** Purges a tag that nothing has. */
const edges = ({ PURGE_URL = [] }: Config): Promise<Finding[]> =>
  Promise.all(
    PURGE_URL.map(async (address) => {
      try {
        await purgeAt([address])(['doctor'])
        return good(`Purges reach ${nameOf(address)}.`)
      } catch (error) {
        const { message, cause } = error as Error
        return bad(`Purges do not reach ${nameOf(address)}: ${(cause as Error)?.message ?? message}. Check PURGE_URL.`)
      }
    }),
  )

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

/** Stores and deletes a test object. */
async function media({ MEDIA_URL }: Config): Promise<Finding> {
  if (!MEDIA_URL)
    return odd('No MEDIA_URL: nobody can upload pictures. Give them a place, such as file:///var/lib/standfirst/media')
  const place = MEDIA_URL.kind === 'folder' ? MEDIA_URL.path : bucketOf(MEDIA_URL)
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

const bucketOf = ({ bucket, endpoint, access }: Extract<MediaAddress, { kind: 's3' }>): string =>
  `the bucket ${bucket} at ${endpoint}${access.kind === 'keys' ? '' : `, by a role (${access.kind})`}`

function outside({ OUTBOUND_ALLOW }: Config): Finding[] {
  return OUTBOUND_ALLOW.size === 0
    ? []
    : [
        odd(
          'OUTBOUND_ALLOW is set: writers can make the site call these addresses, private or not. Empty it in production.',
        ),
      ]
}

/** Files a process reads at its start. */

const built = new URL('../../desk/dist/', import.meta.url)

/** The server starts without it and answers 503 at /desk, which otherwise only writers would notice. */
export function deskApplication(config: Config, dist = built): Finding[] {
  if (!config.DATABASE_URL && !config.DESK_DATABASE_URL) return []
  return [
    isWhole(dist)
      ? good('The desk is built.')
      : bad(
          'The desk is not built, so nobody can sign in. Run npm ci --include=dev, which builds it, or bring desk/dist from a machine that has; npm run desk says what hinders it.',
        ),
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
