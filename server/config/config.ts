import { existsSync, readFileSync } from 'node:fs'
import { languages, nearestLanguage } from '#messages/translator.ts'
import { readPurgeUrl } from '#platform/cdn/address.ts'
import { type MediaAddress, readMediaUrl } from '#platform/media/store.ts'
import { readAllowList } from '#platform/outbound/rules.ts'
import {
  developmentSecret,
  missingSettings,
  oneReplicaOnly,
  type Purpose,
  productionProblems,
} from './required-settings.ts'
import {
  address,
  confidential,
  hostNames,
  number,
  optional,
  proxies,
  type Setting,
  secret,
  secrets,
  sender,
  text,
  Wrong,
  wrong,
} from './setting.ts'
import { abuseSettings, awsRoleSettings, databaseSettings, tracingSettings, withRole } from './setting-groups.ts'

/**
 * Configuration, read once from the environment; all problems are reported together. docs/configuration.md is generated
 * from this table.
 */

const publishProofs = ['session', 'recent', 'passkey'] as const
export type PublishProof = (typeof publishProofs)[number]

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']

export const settings = {
  ...databaseSettings,
  BASE_URL: address(
    'http://localhost:8080',
    'The address people use; every link is made from it. Required in production.',
    'http:',
    'https:',
  ),
  HOST: text('127.0.0.1', 'Where to listen; `0.0.0.0` for all interfaces.'),
  PORT: number('8080', 'The port to listen on.', 0, 65_535),
  ADMIN_HOST: text(
    '127.0.0.1',
    'Where `ADMIN_PORT` listens: for proxies and Prometheus on other machines, an address that readers cannot reach.',
  ),
  ADMIN_PORT: number(
    '0',
    'The port where a server or a worker answers `/healthz`, `/readyz` and `/metrics`, which are nowhere else; 0 for none. Each process of a machine needs its own.',
    0,
    65_535,
  ),
  AUTH_SECRET: secret(
    developmentSecret,
    'At least 32 random characters, the same for every process, that vouch for passkeys and known devices; after a change run `standfirst passkeys reseal`. Required in production, and wherever `BASE_URL` is https, beside `DATABASE_URL` or `DESK_DATABASE_URL`.',
  ),
  SECRETS_KEY: secrets(
    developmentSecret,
    "At least 32 random characters that seal writers' webhook secrets, the same for every process. To change it, put the new one before the old, by a comma. Required like `AUTH_SECRET`, and where jobs run.",
  ),
  RECEIPT_KEY: optional(
    secret(
      '',
      'At least 32 random characters that sign the receipts of what is published, the same for every process with a desk. Without it the key is made from `AUTH_SECRET`. Another one may take its place at any time: what the old one signed can still be verified.',
    ),
  ),
  REDIS_URL: confidential(
    optional(
      address(
        '',
        'Shares rate limits between processes. Without it each process counts for itself.',
        'redis:',
        'rediss:',
      ),
    ),
  ),
  TRUST_PROXY: proxies(
    '',
    'The exact addresses or networks of the proxies in front, by commas. Only their `X-Forwarded-For` is believed.',
  ),
  SMTP_URL: confidential(
    optional(
      address(
        '',
        'Where letters leave, such as `smtps://user:password@mail.example:465`. Without it they are written to the log; in production no process runs jobs without it.',
        'smtp:',
        'smtps:',
      ),
    ),
  ),
  MAIL_FROM: sender(
    '',
    'Who letters are from, such as `Example <post@example.org>`. Without it: `SITE_NAME`, at the host of `BASE_URL`.',
  ),
  PURGE_URL: confidential({
    about:
      'The edge caches to tell when something public changes, by commas: `http://…` or `https://…` gets `PURGE` with the tags in the header `xkey`, as Varnish takes it; `fastly://:TOKEN@SERVICE` and `cloudflare://:TOKEN@ZONE` are told by their APIs. Without it no cache is told, and each keeps what it has for its 30 s.',
    fallback: '',
    parse: (given: string) =>
      given === ''
        ? undefined
        : (readPurgeUrl(given) ??
          wrong('http://…, https://…, fastly://:TOKEN@SERVICE or cloudflare://:TOKEN@ZONE, by commas')),
  }),
  MEDIA_URL: confidential({
    about:
      'Where pictures lie: a folder such as `file:///var/lib/standfirst/media`, or a bucket of an S3 API, `s3://KEY:SECRET@host:port/bucket?region=eu-1` (`&tls=off` for http); without `KEY:SECRET@` the bucket is asked by the role that the process has at AWS. The same for every process. Without it: `.data/media` in development; in production nobody can upload.',
    fallback: '',
    parse: (given: string) => (given === '' ? undefined : (readMediaUrl(given) ?? wrong('file:… or s3://…/bucket'))),
  }),
  ...awsRoleSettings,
  OUTBOUND_ALLOW: {
    about:
      'host:port pairs, by commas, that the site may call although they are not public addresses. For development and tests; empty in production.',
    fallback: '',
    parse: (given: string) => readAllowList(given) ?? wrong('host:port pairs, by commas'),
  },
  MCP_ALLOWED_HOSTS: hostNames(
    '',
    'Names of hosts, by commas, at which the tool server may be asked over a loopback socket, beside `localhost`, `127.0.0.1`, `[::1]` and the host of `BASE_URL`.',
  ),
  SITE_NAME: text('Standfirst', 'The name of this site, wherever it speaks of itself.'),
  SITE_DESCRIPTION: text(
    'Pieces by independent writers, open to every reader.',
    'What this site is, in a sentence: at the foot of pages, for search engines and in feeds.',
  ),
  SITE_LANGUAGE: {
    about:
      'The language of the public pages, as a language tag: one of those in `server/messages`. Pieces may be in any language.',
    fallback: 'en',
    parse: (given: string) => nearestLanguage(given) ?? wrong(`one of ${languages.join(', ')}`),
  },
  SITE_FOLDER: text(
    '',
    "A folder with what is the site's own, each file as it likes: `about.md`, `imprint.md`, `privacy.md`, `mark.svg`. What is not there has a default.",
  ),
  PROOF_FILE: text(
    '',
    'What `npm run proof -- --keep` wrote: the page /trust shows it. Without it the file that came with this version is shown.',
  ),
  CONTACT: text('', 'An e-mail address for people with questions about the API, and for reports of listings.'),
  PUBLISH_PROOF: {
    about:
      'What Publish and Update ask of a writer: `session`: that they are signed in; `recent`: a sign-in or confirmation of the last 12 hours; `passkey`: a passkey shown for exactly the text that is published. Moderators need at least `recent`, and a passkey once they have one.',
    fallback: 'recent',
    parse: (given: string): PublishProof =>
      publishProofs.find((one) => one === given) ?? wrong(publishProofs.join(', ')),
  },
  BREACHED_PASSWORDS: {
    about:
      'A file of SHA-1 hashes of passwords that were published in breaches, sorted, one a line, as Have I Been Pwned gives them out: nobody can choose one of them. Without it a short list is asked.',
    fallback: '',
    parse: (given: string): string | undefined =>
      given === '' ? undefined : existsSync(given) ? given : wrong('a file that is there'),
  },
  ...abuseSettings,
  LOG_LEVEL: {
    about: `One of ${levels.join(', ')}.`,
    fallback: 'info',
    parse: (given: string) => (levels.includes(given) ? given : wrong(`one of ${levels.join(', ')}`)),
  },
  ...tracingSettings,
  INSTANCE: text(
    '',
    'What this process is called in its log, metrics and traces. Without it: the name of the machine and the number of the process, as in `web1:4242`.',
  ),
  PUBLIC_CONNECTIONS: number('10', 'Database connections of a process for public reads.', 1, 200),
  SEARCH_CONNECTIONS: number(
    '4',
    'Database connections of a process for searches, so that slow ones hold up nothing else.',
    1,
    200,
  ),
  PRIMARY_CONNECTIONS: number(
    '5',
    'With `REPLICA_DATABASE_URL`: database connections of a process at the primary, for public reads the replica cannot answer, and half as many for searches.',
    1,
    200,
  ),
  API_CONNECTIONS: number('10', 'Database connections of a process for the write API.', 1, 200),
  DESK_CONNECTIONS: number('5', 'Database connections of a process for the desk.', 1, 200),
  RATE_READ: number('1200', 'Public reads a minute from one address.', 1, 1_000_000_000),
  RATE_SEARCH: number(
    '300',
    'Searches a minute from one address; generated pictures count as searches.',
    1,
    1_000_000_000,
  ),
  RATE_TOOLS: number(
    '600',
    'Messages a minute to the tool server from one address; its searches count as searches too.',
    1,
    1_000_000_000,
  ),
  RATE_SIGN_IN: number(
    '20',
    'Tries a minute to sign up, sign in, reset a password or report a piece, from one address.',
    1,
    1_000_000_000,
  ),
  RATE_WRITE: number('120', 'Creates, changes and deletions a minute with one key.', 1, 1_000_000_000),
  DRAFTS_PER_DAY: number(
    '2000',
    'Drafts and changes a day with one key. Repetitions of a request do not count.',
    1,
    1_000_000_000,
  ),
  FIRST_DAY_PIECES: number(
    '3',
    'Pieces that a new account can publish on its first day. Accounts that the operator added have no such limit.',
    0,
    1_000_000,
  ),
  FIRST_WEEK_PIECES: number('10', 'The same, a day, for the rest of its first week.', 0, 1_000_000),
  SEARCH_BUDGET: number(
    '500',
    'Milliseconds a search may take before it answers with what it found (`"partial": true`).',
    0,
    5_000,
  ),
  LOAD_FACTOR: number(
    '1',
    'Multiplies how many requests may be under way (40 to 136, by their kind) and how late a process may be (0.3 to 1 s) before it refuses others. Raise it on a machine that stalls by itself.',
    1,
    1_000,
  ),
  TIMEOUT_FACTOR: number(
    '1',
    'Multiplies every limit of time: waiting for a connection (1 s), a lock (1 s), a statement (2 to 2.5 s), an idle transaction (5 s) and a whole request (8 s). Raise it on a machine that stalls by itself.',
    1,
    60,
  ),
  SHUTDOWN_DELAY: number(
    '3',
    'Seconds between saying "not ready" and closing, for the load balancer to notice.',
    0,
    60,
  ),
  NODE_ENV: text(
    'development',
    '`production` makes `BASE_URL`, `AUTH_SECRET` and `SECRETS_KEY` required, refuses secrets that can be guessed, and http unless it is this machine.',
  ),
} satisfies Record<string, Setting<unknown>>

const secretNames = Object.entries<Setting<unknown>>(settings)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name)

type Name = keyof typeof settings
export type Config = { readonly [Key in Name]: ReturnType<(typeof settings)[Key]['parse']> }

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration needs attention:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** `purpose` adds the settings that this process requires. */
export function readConfig(environment: Environment, purpose: Purpose = {}): Config {
  const { env, unread } = readSecretFiles(environment, secretNames)
  const problems = [...unread.values()]
  const config: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    if (unread.has(name)) continue
    try {
      config[name] = setting.parse(env[name]?.trim() || setting.fallback)
    } catch (error) {
      if (!(error instanceof Wrong)) throw error
      const given = secretNames.includes(name) ? '' : `, not "${env[name]}"`
      problems.push(`${name} must be ${error.message}${given}`)
    }
  }
  const given = (name: string): boolean => isGiven(environment, name)
  problems.push(...missingSettings(purpose, given, config['POOLER'] !== undefined && config['POOLER'] !== 'none'))
  const replicas = config['REPLICA_DATABASE_URL'] as string[] | undefined
  if (replicas && replicas.length > 1 && purpose.surfaces?.includes('public')) problems.push(oneReplicaOnly)
  if (config['ADMIN_PORT'] !== 0 && config['ADMIN_PORT'] === config['PORT'])
    problems.push('ADMIN_PORT must be another port than PORT: readers shall not reach it')
  problems.push(...productionProblems(config, purpose, given))
  if (env['NODE_ENV'] !== 'production' && !given('MEDIA_URL')) config['MEDIA_URL'] = readMediaUrl('file:./.data/media')
  config['MEDIA_URL'] = withRole(config['MEDIA_URL'] as MediaAddress | undefined, config)
  if (problems.length > 0) throw new ConfigError(problems)
  return config as Config
}

export type Environment = Readonly<Record<string, string | undefined>>

const fileOf = (name: string): string => `${name}_FILE`
const textOf = (env: Environment, name: string): string | undefined => env[name]?.trim() || undefined

/** Set directly or by `NAME_FILE`. */
export const isGiven = (env: Environment, name: string): boolean =>
  Boolean(textOf(env, name) ?? textOf(env, fileOf(name)))

/**
 * Replaces secrets given as `NAME_FILE` (as containers and systemd provide them) by the content of that file. Files
 * that cannot be read, and secrets set twice, are reported without their content.
 */
function readSecretFiles(env: Environment, names: readonly string[]) {
  const read: Record<string, string | undefined> = { ...env }
  const unread = new Map<string, string>()
  for (const name of names) {
    const file = textOf(env, fileOf(name))
    if (file === undefined) continue
    if (textOf(env, name) !== undefined) {
      unread.set(name, `${name} and ${fileOf(name)} are both set. Keep one of them`)
      continue
    }
    const content = contentOf(file)
    if ('fault' in content) unread.set(name, `${fileOf(name)} names ${file}, which ${content.fault}`)
    else read[name] = content.text
  }
  return { env: read as Environment, unread: unread as ReadonlyMap<string, string> }
}

const faults: Readonly<Record<string, string>> = {
  ENOENT: 'is not there',
  EACCES: 'this process may not read',
  EISDIR: 'is a folder',
}

function contentOf(file: string): { text: string } | { fault: string } {
  try {
    const text = readFileSync(file, 'utf8').trim()
    return text === '' ? { fault: 'is empty' } : { text }
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    return { fault: faults[code] ?? `cannot be read: ${message}` }
  }
}
