import { createPrivateKey, createPublicKey } from 'node:crypto'
import { cliTranslator } from '#messages/cli.ts'
import { type AccessSource, instanceEndpoint, taskEndpoint } from '#platform/media/aws-credentials.ts'
import type { MediaAddress } from '#platform/media/store.ts'
import {
  address,
  confidential,
  database,
  databases,
  number,
  oneOf,
  optional,
  type Setting,
  sender,
  text,
  wrong,
} from './setting.ts'

const t = cliTranslator()

/** Who can sign up, how many sign-up emails go out, and which pieces need review before publication. */

const signUps = ['open', 'invited', 'closed'] as const
export type SignUp = (typeof signUps)[number]

const reviews = ['off', 'first', 'required'] as const
export type Review = (typeof reviews)[number]

export const abuseSettings = {
  SIGN_UP: {
    about:
      'Who can sign up as a writer: `open`: anyone with an email address; `invited`: anyone invited by a moderator or the operator; `closed`: only people added by the operator.',
    fallback: 'open',
    parse: (given: string): SignUp => signUps.find((one) => one === given) ?? wrong(oneOf(signUps)),
  },
  SIGN_UP_EMAILS_PER_HOUR: number(
    '100',
    'The number of sign-up emails per hour, for all addresses together. Beyond it, no emails are sent, and the log says so.',
    0,
    1_000_000_000,
  ),
  SIGN_UP_EMAILS_PER_DAY: number('500', 'The same, per 24 hours.', 0, 1_000_000_000),
  REVIEW: {
    about:
      '`off`: publishing makes a piece public. `first`: the first pieces of a new writer are submitted to a moderator for approval. `required`: all pieces are.',
    fallback: 'off',
    parse: (given: string): Review => reviews.find((one) => one === given) ?? wrong(oneOf(reviews)),
  },
  REVIEW_FIRST_PIECES: number(
    '3',
    'With `REVIEW=first`: the number of pieces that need approval before a new writer can publish directly.',
    1,
    1_000,
  ),
}

/** Outgoing email, and what comes back. */

/** With a token of 48 characters after a plus sign, the part before the @ may have 64. */
const longestBounceName = 15

export const mailSettings = {
  SMTP_URL: confidential(
    optional(
      address(
        '',
        'The mail server for outgoing email, such as `smtps://user:password@mail.example:465`. Without it, emails are written to the log; in production, jobs do not run without it.',
        'smtp:',
        'smtps:',
      ),
    ),
  ),
  MAIL_FROM: sender(
    '',
    'The sender of emails, such as `Example <post@example.org>`. Default: `SITE_NAME`, at the host of `BASE_URL`.',
  ),
  BOUNCE_ADDRESS: {
    about:
      'Where emails to followers that cannot be delivered come back to, such as `bounces@mail.example.org`. Each has an address of its own, `bounces+…@mail.example.org`, so the mail server there must accept plus addressing and pass these messages to `standfirst bounces` or to `BOUNCE_MAILDIR`. Default: the address of `MAIL_FROM`.',
    fallback: '',
    parse: (given: string): string | undefined => {
      if (given === '') return undefined
      const [name = '', domain = '', ...rest] = given.split('@')
      const isFit = /^[\w.-]+$/.test(name) && name.length <= longestBounceName && /^[\w.-]+$/.test(domain)
      return isFit && rest.length === 0
        ? given
        : wrong((name) =>
            t('cli.config.bounce_address', { name, most: longestBounceName, example: 'bounces@mail.example.org' }),
          )
    },
  },
  BOUNCE_MAILDIR: text(
    '',
    'A Maildir with emails that came back, which the worker reads every minute. Without it, pipe them to `standfirst bounces`.',
  ),
  BOUNCE_SES_TOPIC: ofProvider(
    'If Amazon SES sends the emails: the ARN of the SNS topic to which it reports bounces and complaints, which posts them to `/desk/bounces/ses`.',
    'arn:aws:sns:eu-west-1:123456789012:bounces',
    (given) => /^arn:aws[a-z-]*:sns:[a-z0-9-]{5,30}:\d{12}:[\w.-]+$/.test(given),
  ),
  BOUNCE_POSTMARK_PASSWORD: confidential(
    ofProvider(
      'If Postmark sends them: `name:password` of the basic authentication with which its webhook posts to `/desk/bounces/postmark`. Workers need it too.',
      'name:a-password-of-twenty-characters',
      (given) => /^[^:\s]+:\S{20,}$/.test(given),
    ),
  ),
  BOUNCE_MAILGUN_KEY: confidential(
    ofProvider(
      'If Mailgun sends them: the webhook signing key of its webhooks to `/desk/bounces/mailgun`.',
      'key-0123456789abcdef0123',
      (given) => /^\S{20,}$/.test(given),
    ),
  ),
  BOUNCE_SENDGRID_VERIFICATION: ofProvider(
    'If SendGrid sends them: the verification key of its signed event webhook to `/desk/bounces/sendgrid`.',
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…',
    isVerificationKey,
  ),
  DKIM_KEY: confidential({
    about:
      'The RSA key that signs all emails (DKIM), as PEM or as base64 of PKCS #8. Leave it empty if the mail server signs them.',
    fallback: '',
    parse: (given: string): string | undefined =>
      given === '' ? undefined : (rsaKey(given) ?? wrong((name) => t('cli.config.dkim_key', { name }))),
  }),
  DKIM_SELECTOR: text('', 'The selector of that key: its public part is at `SELECTOR._domainkey.DOMAIN` in the DNS.'),
  DKIM_DOMAIN: text('', 'The domain that signs. Default: the domain of `MAIL_FROM`.'),
} satisfies Record<string, Setting<unknown>>

function ofProvider(about: string, example: string, isFit: (given: string) => boolean): Setting<string | undefined> {
  return {
    about,
    fallback: '',
    parse: (given) =>
      given === ''
        ? undefined
        : isFit(given)
          ? given
          : wrong((name) => t('cli.config.bounce_provider', { name, example })),
  }
}

/** SubjectPublicKeyInfo of P-256 in base64. */
function isVerificationKey(given: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(given, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

/** As PEM; undefined if it is none. */
function rsaKey(given: string): string | undefined {
  const isPem = given.startsWith('-----')
  try {
    const key = isPem
      ? createPrivateKey(given.replaceAll('\\n', '\n'))
      : createPrivateKey({ key: Buffer.from(given, 'base64'), format: 'der', type: 'pkcs8' })
    return key.asymmetricKeyType === 'rsa' ? String(key.export({ type: 'pkcs8', format: 'pem' })) : undefined
  } catch {
    return undefined
  }
}

/** Settings: where the database is, and whether a pooler is in front of it. */

const poolers = ['none', 'transaction', 'prepared'] as const

export const databaseSettings = {
  DATABASE_URL: database(
    'The database, as its owner: for migrations, seeding and commands of operators, and (with SET ROLE) for every role without its own address below. Must connect to PostgreSQL directly, never through a pooler. Required.',
  ),
  PUBLIC_DATABASE_URL: database(
    'Signs in as `svc_public`. In production, the only address that a public process needs.',
  ),
  REPLICA_DATABASE_URL: databases(
    'A streaming replica for public reads, signing in as `svc_public`. A server takes one; a worker takes all that servers read from, separated by commas. A server also needs the address of the primary, to detect what the replica lacks and to count reads; without it, readers may see old content, and reads are not counted.',
  ),
  API_DATABASE_URL: database('Signs in as `svc_api`, with the privileges of the write API.'),
  DESK_DATABASE_URL: database('Signs in as `svc_desk`, with the privileges of people at the desk.'),
  WORKER_DATABASE_URL: database('Signs in as `svc_worker`, with the privileges of background jobs.'),
  POOLER: {
    about:
      'The connection pooler at the addresses above: `none`, `transaction` (PgBouncer in transaction mode) or `prepared` (the same with named prepared statements: PgBouncer 1.21 or later with `max_prepared_statements`). With a pooler, each role needs its own address, and `migrate` needs the same value.',
    fallback: 'none',
    parse: (given: string): (typeof poolers)[number] => poolers.find((one) => one === given) ?? wrong(oneOf(poolers)),
  },
  DIRECT_DATABASE_URL: database(
    'With `POOLER`: a direct connection to PostgreSQL for notifications (LISTEN), which poolers do not pass on. Signs in as `svc_worker` where jobs run, otherwise as `svc_public`. Without it, jobs and webhooks poll once a second. Required with `REPLICA_DATABASE_URL` where public pages are served.',
  ),
} satisfies Record<string, Setting<unknown>>

/** Settings with OpenTelemetry's standard names. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: confidential({
    about:
      'The OpenTelemetry collector for traces of requests, SQL, jobs and webhooks (OTLP over HTTP as JSON), such as `http://127.0.0.1:4318`; `/v1/traces` is added. Without it, tracing is off.',
    fallback: '',
    parse: (given: string): string | undefined => {
      if (given === '') return undefined
      const url = URL.canParse(given) ? new URL(given) : undefined
      const isFit = url && /^https?:$/.test(url.protocol) && !url.username && !url.search
      return isFit ? given : wrong((name) => t('cli.config.collector', { name, headers: 'OTEL_EXPORTER_OTLP_HEADERS' }))
    },
  }),
  OTEL_EXPORTER_OTLP_HEADERS: confidential({
    about:
      'Headers for the collector, separated by commas: `authorization=Bearer%20…,x-team=web`. Values can be percent-encoded.',
    fallback: '',
    parse: (given: string): Readonly<Record<string, string>> =>
      Object.fromEntries(given.split(',').filter(Boolean).map(headerOf)),
  }),
  OTEL_TRACES_SAMPLER_ARG: {
    about:
      'The share of traces to keep, from 0 to 1, chosen by trace ID, so that every process keeps the same ones. Traces that the caller did not sample are not kept.',
    fallback: '1',
    parse: (given: string): number =>
      /^(?:0|1|0?\.\d{1,9}|1\.0*)$/.test(given) ? Number(given) : wrong((name) => t('cli.config.share', { name })),
  },
  OTEL_SERVICE_NAME: text('standfirst', 'The service name in traces.'),
} satisfies Record<string, Setting<unknown>>

function headerOf(pair: string): [string, string] {
  const [, name, value] =
    /^\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? wrong((name) => t('cli.config.headers', { name }))
  try {
    return [name!.toLowerCase(), decodeURIComponent(value!)]
  } catch {
    return wrong((name) => t('cli.config.headers', { name }))
  }
}

/** AWS's own names; most are set by AWS. Only used for a bucket without a key in `MEDIA_URL`. */

/** The agents of ECS and EKS Pod Identity, and this machine: where a token may be sent over http. */
const agents = /^(127(\.\d+){3}|localhost|\[::1\]|169\.254\.170\.(2|23)|\[fd00:ec2::23\])$/

const agentAddress = (about: string): Setting<string | undefined> =>
  optional({
    about,
    fallback: '',
    parse: (given) => {
      const url = URL.canParse(given)
        ? new URL(given)
        : wrong((name) => t('cli.config.address', { name, example: 'http://169.254.170.23/…' }))
      const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && agents.test(url.hostname))
      return isAllowed ? given : wrong((name) => t('cli.config.agent', { name }))
    },
  })

export const awsRoleSettings = {
  AWS_ROLE_ARN: text(
    '',
    'The role to assume for `MEDIA_URL` without a key. Set by EKS (IRSA), together with the next setting.',
  ),
  AWS_WEB_IDENTITY_TOKEN_FILE: text(
    '',
    'The file with the token for STS, read each time. If both are set, they take precedence over all other ways.',
  ),
  AWS_ENDPOINT_URL_STS: optional(
    address(
      '',
      'The STS endpoint, if not `https://sts.REGION.amazonaws.com` with the region of `MEDIA_URL`; for example of your own store, such as MinIO.',
      'https:',
      'http:',
    ),
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: agentAddress(
    'The agent that provides the credentials of a role. Set by EKS Pod Identity, together with `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE`.',
  ),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: {
    about: 'The same for ECS, which sets it: a path at `http://169.254.170.2`.',
    fallback: '',
    parse: (given: string): string | undefined =>
      given === ''
        ? undefined
        : /^\/[\w./~-]*$/.test(given)
          ? given
          : wrong((name) => t('cli.config.path', { name, example: '/v2/credentials/…' })),
  },
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: text('', 'The file with the token for that agent, read each time.'),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: address(
    instanceEndpoint,
    'The EC2 instance metadata service (IMDSv2), which provides the credentials if none of the above is set.',
    'http:',
    'https:',
  ),
}

type RoleConfig = {
  readonly [Key in keyof typeof awsRoleSettings]?: ReturnType<(typeof awsRoleSettings)[Key]['parse']>
}

/** Uses the role of this process for a bucket without a key. */
export function withRole<Given extends MediaAddress | undefined>(media: Given, config: RoleConfig): Given {
  return media?.kind === 's3' && media.access.kind !== 'keys'
    ? { ...media, access: roleOf(config, media.region) }
    : media
}

function roleOf(config: RoleConfig, region: string): AccessSource {
  const { AWS_ROLE_ARN: role, AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile } = config
  if (role && tokenFile) return { kind: 'web identity', role, tokenFile, endpoint: stsOf(config, region) }
  const relative = config.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI
  const url = relative ? `${taskEndpoint}${relative}` : config.AWS_CONTAINER_CREDENTIALS_FULL_URI
  if (url) return { kind: 'container', url, tokenFile: config.AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE || undefined }
  return { kind: 'instance', endpoint: config.AWS_EC2_METADATA_SERVICE_ENDPOINT ?? instanceEndpoint }
}

const stsOf = ({ AWS_ENDPOINT_URL_STS }: RoleConfig, region: string): string =>
  AWS_ENDPOINT_URL_STS ?? `https://sts.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
