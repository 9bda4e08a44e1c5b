import { existsSync, readFileSync } from 'node:fs'
import { cliTranslator } from '#messages/cli.ts'
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
  oneOf,
  optional,
  proxies,
  type Setting,
  secret,
  secrets,
  text,
  Wrong,
  wrong,
} from './setting.ts'
import {
  abuseSettings,
  awsRoleSettings,
  databaseSettings,
  mailSettings,
  tracingSettings,
  withRole,
} from './setting-groups.ts'

/**
 * Configuration, read once from the environment; all problems are reported together. docs/configuration.md is generated
 * from this table.
 */

const t = cliTranslator()

const publishProofs = ['session', 'recent', 'passkey'] as const
export type PublishProof = (typeof publishProofs)[number]

const onOff = ['on', 'off']
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'silent']

export const settings = {
  ...databaseSettings,
  BASE_URL: address(
    'http://localhost:8080',
    'The public address of the site, used in every link. Required in production.',
    'http:',
    'https:',
  ),
  HOST: text('127.0.0.1', 'The address to listen on; `0.0.0.0` for all interfaces.'),
  PORT: number('8080', 'The port to listen on.', 0, 65_535),
  ADMIN_HOST: text(
    '127.0.0.1',
    'The address that `ADMIN_PORT` listens on. For proxies and Prometheus on other machines, choose an address that readers cannot reach.',
  ),
  ADMIN_PORT: number(
    '0',
    'The port for `/healthz`, `/readyz` and `/metrics` of a server or worker, which are not available elsewhere; 0 for none. Each process on a machine needs its own.',
    0,
    65_535,
  ),
  AUTH_SECRET: secret(
    developmentSecret,
    'At least 32 random characters, the same for every process, that protect passkeys and known devices. After changing it, run `standfirst passkeys reseal`. Required in production, and whenever `BASE_URL` is https, together with `DATABASE_URL` or `DESK_DATABASE_URL`.',
  ),
  SECRETS_KEY: secrets(
    developmentSecret,
    "At least 32 random characters, the same for every process, that encrypt writers' webhook secrets, those of subscribers of feeds, readers' email addresses and the private keys of actors of the fediverse. To change it, put the new key before the old one, separated by a comma. Required like `AUTH_SECRET`, and where jobs run.",
  ),
  RECEIPT_KEY: optional(
    secret(
      '',
      'At least 32 random characters, the same for every process that serves the desk or runs jobs, that sign the receipts of publications. Without it, the key is derived from `AUTH_SECRET`; required, like it, where jobs run without `AUTH_SECRET`. It can be replaced at any time: receipts signed with the old key can still be verified.',
    ),
  ),
  REDIS_URL: confidential(
    optional(
      address('', 'Shares rate limits between processes. Without it, each process has its own.', 'redis:', 'rediss:'),
    ),
  ),
  TRUST_PROXY: proxies(
    '',
    'The exact addresses or networks of the proxies in front, separated by commas. `X-Forwarded-For` is trusted only from these.',
  ),
  ...mailSettings,
  PURGE_URL: confidential({
    about:
      'The edge caches to purge when public content changes, separated by commas: `http://…` or `https://…` gets `PURGE` requests with the tags in the header `xkey`, as Varnish expects; `fastly://:TOKEN@SERVICE` and `cloudflare://:TOKEN@ZONE` use their APIs. Without it, caches keep content for 30 s.',
    fallback: '',
    parse: (given: string) =>
      given === ''
        ? undefined
        : (readPurgeUrl(given) ??
          wrong((name) =>
            t('cli.config.purge_url', {
              name,
              schemes: 'http://…, https://…, fastly://:TOKEN@SERVICE, cloudflare://:TOKEN@ZONE',
            }),
          )),
  }),
  MEDIA_URL: confidential({
    about:
      'Where images are stored, the same for every process: a folder such as `file:///var/lib/standfirst/media`, or an S3 bucket, `s3://KEY:SECRET@host:port/bucket?region=eu-1` (`&tls=off` for http). Without `KEY:SECRET@`, the AWS role of the process is used. Default: `.data/media` in development; in production, uploads are disabled without it.',
    fallback: '',
    parse: (given: string) =>
      given === ''
        ? undefined
        : (readMediaUrl(given) ??
          wrong((name) => t('cli.config.media_url', { name, folder: 'file:…', bucket: 's3://…/bucket' }))),
  }),
  ...awsRoleSettings,
  OUTBOUND_ALLOW: {
    about:
      'host:port pairs, separated by commas, that the site may call even though they are not public addresses. For development and tests; leave it empty in production.',
    fallback: '',
    parse: (given: string) => readAllowList(given) ?? wrong((name) => t('cli.config.host_ports', { name })),
  },
  LINK_CARDS: {
    about:
      'Whether a link alone on a line becomes a card with the title and picture of the page it leads to: `on`, or `off`. The worker fetches them once, when a piece is published.',
    fallback: 'on',
    parse: (given: string): boolean => (onOff.includes(given) ? given === 'on' : wrong(oneOf(onOff))),
  },
  MCP_ALLOWED_HOSTS: hostNames(
    '',
    'Host names, separated by commas, that requests to the MCP server over a loopback socket may use, besides `localhost`, `127.0.0.1`, `[::1]` and the host of `BASE_URL`.',
  ),
  SITE_NAME: text('Standfirst', 'The name of the site.'),
  SITE_DESCRIPTION: text(
    'Pieces by independent writers, open to every reader.',
    'What the site is about, in one sentence: for page footers, search engines and feeds.',
  ),
  SITE_LANGUAGE: {
    about:
      'The language of the public pages, as a language tag: one of those in `server/messages`. Also of emails to people who chose none. Pieces can be in any language.',
    fallback: 'en',
    parse: (given: string) => nearestLanguage(given) ?? wrong(oneOf(languages)),
  },
  SITE_FOLDER: text(
    '',
    'A folder with files of the site, all optional: `about.md`, `imprint.md`, `privacy.md`, `mark.svg`. Without `imprint.md` there is no imprint; the others have defaults.',
  ),
  PROOF_FILE: text(
    '',
    'The file that `npm run proof -- --keep` wrote, for the page /trust. Default: the file that came with this version.',
  ),
  CONTACT: text('', 'An email address for questions about the API and reports of listings.'),
  PUBLISH_PROOF: {
    about:
      'What a writer needs to publish or update a piece: `session`: being signed in; `recent`: a sign-in or confirmation within the last 12 hours; `passkey`: a passkey confirmation of exactly the text being published. Moderators need at least `recent`, and a passkey once they have one.',
    fallback: 'recent',
    parse: (given: string): PublishProof => publishProofs.find((one) => one === given) ?? wrong(oneOf(publishProofs)),
  },
  BREACHED_PASSWORDS: {
    about:
      'A file with the SHA-1 hashes of passwords from known breaches, sorted, one per line, as provided by Have I Been Pwned. These passwords are refused. Without it, a short built-in list is used.',
    fallback: '',
    parse: (given: string): string | undefined =>
      given === '' ? undefined : existsSync(given) ? given : wrong((name) => t('cli.config.existing_file', { name })),
  },
  ...abuseSettings,
  LOG_LEVEL: {
    about: `One of ${levels.join(', ')}.`,
    fallback: 'info',
    parse: (given: string) => (levels.includes(given) ? given : wrong(oneOf(levels))),
  },
  ...tracingSettings,
  INSTANCE: text(
    '',
    'The name of this process in logs, metrics and traces. Default: the host name and process ID, as in `web1:4242`.',
  ),
  PUBLIC_CONNECTIONS: number('10', 'Database connections per process for public reads.', 1, 200),
  SEARCH_CONNECTIONS: number(
    '4',
    'Database connections per process for searches, so that slow searches do not delay other requests.',
    1,
    200,
  ),
  PRIMARY_CONNECTIONS: number(
    '5',
    'With `REPLICA_DATABASE_URL`: database connections per process to the primary, for public reads that the replica cannot answer, and half as many for searches.',
    1,
    200,
  ),
  API_CONNECTIONS: number('10', 'Database connections per process for the write API.', 1, 200),
  DESK_CONNECTIONS: number('5', 'Database connections per process for the desk.', 1, 200),
  RATE_READ: number('1200', 'Public reads per minute and IP address.', 1, 1_000_000_000),
  RATE_SEARCH: number(
    '300',
    'Searches per minute and IP address; generated images count as searches.',
    1,
    1_000_000_000,
  ),
  RATE_TOOLS: number(
    '600',
    'Messages to the MCP server per minute and IP address; its searches also count as searches.',
    1,
    1_000_000_000,
  ),
  RATE_SIGN_IN: number(
    '20',
    'Attempts to sign up, sign in, reset a password, report a piece, follow by email or subscribe to a feed (WebSub) per minute and IP address.',
    1,
    1_000_000_000,
  ),
  RATE_WRITE: number('120', 'Creations, changes and deletions per minute and API key.', 1, 1_000_000_000),
  DRAFTS_PER_DAY: number(
    '2000',
    'Drafts and changes per day and API key. Repeated requests do not count.',
    1,
    1_000_000_000,
  ),
  FIRST_DAY_PIECES: number(
    '3',
    'Pieces that a new account can publish on its first day. Accounts added by the operator have no such limit.',
    0,
    1_000_000,
  ),
  FIRST_WEEK_PIECES: number('10', 'The same, per day, for the rest of the first week.', 0, 1_000_000),
  SEARCH_BUDGET: number(
    '500',
    'Milliseconds before a search returns what it has found so far (`"partial": true`).',
    0,
    5_000,
  ),
  LOAD_FACTOR: number(
    '1',
    'Multiplies the number of concurrent requests (40 to 136, by kind) and the event loop delay (0.3 to 1 s) beyond which a process refuses requests. Raise it on a machine that stalls.',
    1,
    1_000,
  ),
  TIMEOUT_FACTOR: number(
    '1',
    'Multiplies every timeout: waiting for a connection (1 s), a lock (1 s), a statement (2 to 2.5 s), an idle transaction (5 s) and a whole request (8 s). Raise it on a machine that stalls.',
    1,
    60,
  ),
  SHUTDOWN_DELAY: number(
    '3',
    'Seconds between reporting "not ready" and closing, so that the load balancer notices.',
    0,
    60,
  ),
  NODE_ENV: text(
    'development',
    '`production` requires `BASE_URL`, `AUTH_SECRET` and `SECRETS_KEY`, rejects secrets that are easy to guess, and rejects http except on this machine.',
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
    super([t('cli.config.problems'), ...problems.map((problem) => `  ${problem}`)].join('\n'))
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
      const given = secretNames.includes(name) ? [] : [t('cli.config.given', { value: String(env[name]) })]
      problems.push([error.problem(name), ...given].join(' '))
    }
  }
  const given = (name: string): boolean => isGiven(environment, name)
  problems.push(...missingSettings(purpose, given, config['POOLER'] !== undefined && config['POOLER'] !== 'none'))
  const replicas = config['REPLICA_DATABASE_URL'] as string[] | undefined
  if (replicas && replicas.length > 1 && purpose.surfaces?.includes('public')) problems.push(oneReplicaOnly())
  if (config['ADMIN_PORT'] !== 0 && config['ADMIN_PORT'] === config['PORT']) problems.push(t('cli.config.admin_port'))
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
      unread.set(name, t('cli.config.set_twice', { name, file: fileOf(name) }))
      continue
    }
    try {
      const text = readFileSync(file, 'utf8').trim()
      if (text === '') unread.set(name, t('cli.config.file_empty', { name: fileOf(name), file }))
      else read[name] = text
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException
      unread.set(name, t('cli.config.file_unreadable', { name: fileOf(name), file, code: code ?? '', reason: message }))
    }
  }
  return { env: read as Environment, unread: unread as ReadonlyMap<string, string> }
}
