import { type AccessSource, instanceEndpoint, taskEndpoint } from '#platform/media/aws-credentials.ts'
import type { MediaAddress } from '#platform/media/store.ts'
import { address, confidential, database, databases, number, optional, type Setting, text, wrong } from './setting.ts'

/** Who can sign up, how many sign-up emails go out, and which pieces need review before publication. */

const signUps = ['open', 'invited', 'closed'] as const
export type SignUp = (typeof signUps)[number]

const reviews = ['off', 'first', 'required'] as const
export type Review = (typeof reviews)[number]

export const abuseSettings = {
  SIGN_UP: {
    about:
      'Who can become a writer: `open`: everybody with an email address; `invited`: whoever has an invitation of a moderator or the operator; `closed`: nobody but whom the operator adds.',
    fallback: 'open',
    parse: (given: string): SignUp => signUps.find((one) => one === given) ?? wrong(signUps.join(', ')),
  },
  SIGN_UP_EMAILS_PER_HOUR: number(
    '100',
    'Emails an hour to addresses that were written into the sign-up form, all together. Beyond it none goes out, and the log says so.',
    0,
    1_000_000_000,
  ),
  SIGN_UP_EMAILS_PER_DAY: number('500', 'The same, for 24 hours.', 0, 1_000_000_000),
  REVIEW: {
    about:
      '`off`: Publish makes a piece public. `first`: Publish submits the first pieces of a new writer, and a moderator approves. `required`: so with every piece.',
    fallback: 'off',
    parse: (given: string): Review => reviews.find((one) => one === given) ?? wrong(reviews.join(', ')),
  },
  REVIEW_FIRST_PIECES: number(
    '3',
    'With `REVIEW=first`: how many pieces of a new writer a moderator approves before they publish by themselves.',
    1,
    1_000,
  ),
}

/** Settings: where the database is, and whether a pooler is in front of it. */

const poolers = ['none', 'transaction', 'prepared'] as const

export const databaseSettings = {
  DATABASE_URL: database(
    'The database, as its owner: migrations, seeding, the commands for operators; and, by SET ROLE, whatever has no address of its own below. Always PostgreSQL itself, never a pooler. Required.',
  ),
  PUBLIC_DATABASE_URL: database('Signs in as `svc_public`. In production, the only address a public process needs.'),
  REPLICA_DATABASE_URL: databases(
    'A streaming replica for public reads, signing in as `svc_public`: one for a server; for a worker all that servers read from, by commas. Beside it a server needs the address of the primary, which knows what the replica lacks and counts reads; with this one alone readers may see what was, and no read is counted.',
  ),
  API_DATABASE_URL: database('Signs in as `svc_api`: what the write API may do.'),
  DESK_DATABASE_URL: database('Signs in as `svc_desk`: what people at the desk may do.'),
  WORKER_DATABASE_URL: database('Signs in as `svc_worker`: what jobs may do.'),
  POOLER: {
    about:
      'What is between this process and the database at the addresses above: `none`, or a connection pooler: `transaction` for PgBouncer in transaction mode, `prepared` where it also knows named statements (PgBouncer from 1.21 on, with `max_prepared_statements`). With a pooler each role needs its own address, and `migrate` the same value.',
    fallback: 'none',
    parse: (given: string): (typeof poolers)[number] =>
      poolers.find((one) => one === given) ?? wrong(`one of ${poolers.join(', ')}`),
  },
  DIRECT_DATABASE_URL: database(
    'With `POOLER`: PostgreSQL itself, for what is heard as it happens, which no pooler hands on: signs in as `svc_worker` where jobs run, else as `svc_public`. Without it jobs and webhooks look once a second. Required beside `REPLICA_DATABASE_URL` where public pages are served.',
  ),
} satisfies Record<string, Setting<unknown>>

/** Settings with OpenTelemetry's standard names. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: confidential({
    about:
      'The collector that gets traces of requests, SQL, jobs and webhooks, by OTLP over HTTP as JSON, such as `http://127.0.0.1:4318`; `/v1/traces` is added. Without it nothing is traced.',
    fallback: '',
    parse: (given: string): string | undefined => {
      if (given === '') return undefined
      const url = URL.canParse(given) ? new URL(given) : undefined
      const isFit = url && /^https?:$/.test(url.protocol) && !url.username && !url.search
      return isFit ? given : wrong('http://… or https://…, without a password: headers carry it')
    },
  }),
  OTEL_EXPORTER_OTLP_HEADERS: confidential({
    about:
      'Headers for the collector, by commas: `authorization=Bearer%20…,x-team=web`. Values may be percent-encoded.',
    fallback: '',
    parse: (given: string): Readonly<Record<string, string>> =>
      Object.fromEntries(given.split(',').filter(Boolean).map(headerOf)),
  }),
  OTEL_TRACES_SAMPLER_ARG: {
    about:
      'Which share of traces is kept, from 0 to 1, by their ids: every process keeps the same. What its caller does not sample is not kept either.',
    fallback: '1',
    parse: (given: string): number =>
      /^(?:0|1|0?\.\d{1,9}|1\.0*)$/.test(given) ? Number(given) : wrong('a number from 0 to 1'),
  },
  OTEL_SERVICE_NAME: text('standfirst', 'What the service is called in traces.'),
} satisfies Record<string, Setting<unknown>>

function headerOf(pair: string): [string, string] {
  const [, name, value] = /^\s*([\w-]+)\s*=\s*(.+?)\s*$/.exec(pair) ?? wrong('name=value pairs, by commas')
  try {
    return [name!.toLowerCase(), decodeURIComponent(value!)]
  } catch {
    return wrong('name=value pairs, by commas')
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
      const url = URL.canParse(given) ? new URL(given) : wrong('an address such as http://169.254.170.23/…')
      const isAllowed = url.protocol === 'https:' || (url.protocol === 'http:' && agents.test(url.hostname))
      return isAllowed ? given : wrong('an https address, or the http address of an agent on this machine')
    },
  })

export const awsRoleSettings = {
  AWS_ROLE_ARN: text('', 'The role to take on for `MEDIA_URL` without a key. EKS sets it (IRSA), with the next one.'),
  AWS_WEB_IDENTITY_TOKEN_FILE: text(
    '',
    'The token that STS takes for it, read anew each time. Before any other way, if both are set.',
  ),
  AWS_ENDPOINT_URL_STS: optional(
    address(
      '',
      'Another STS than `https://sts.REGION.amazonaws.com`, with the region of `MEDIA_URL`; also of a store of your own, such as MinIO.',
      'https:',
      'http:',
    ),
  ),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: agentAddress(
    'Where an agent gives out the keys of a role. EKS Pod Identity sets it, with `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE`.',
  ),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: {
    about: 'The same at ECS, which sets it: a path at `http://169.254.170.2`.',
    fallback: '',
    parse: (given: string): string | undefined =>
      given === '' ? undefined : /^\/[\w./~-]*$/.test(given) ? given : wrong('a path such as /v2/credentials/…'),
  },
  AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: text('', 'What is shown to that agent, read anew each time.'),
  AWS_EC2_METADATA_SERVICE_ENDPOINT: address(
    instanceEndpoint,
    'Where an EC2 machine gives out the keys of its own role (IMDSv2), which are taken if none of the above is set.',
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
