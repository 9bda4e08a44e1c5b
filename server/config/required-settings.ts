import { cliTranslator } from '#messages/cli.ts'
import { isGuessable, newSecret } from './setting.ts'

const t = cliTranslator()

/** The surfaces a site can be split into, one process each; main/compose.ts mounts them. */
export const surfaceNames = ['public', 'write', 'desk'] as const
export type SurfaceName = (typeof surfaceNames)[number]

/** What a process will do, as far as it requires settings. */
export interface Purpose {
  readonly surfaces?: readonly SurfaceName[]
  readonly jobs?: boolean | undefined
}

/** The addresses each surface can use when the owner's is not set. */
const addresses = {
  public: ['PUBLIC_DATABASE_URL', 'REPLICA_DATABASE_URL'],
  write: ['API_DATABASE_URL'],
  desk: ['DESK_DATABASE_URL'],
} as const

export const mailNeeded = (): string => t('cli.config.mail_needed', { example: 'smtps://user:password@mail.example' })

export const jobsAddressNeeded = (pooled = false): string =>
  t(pooled ? 'cli.config.jobs_address_pooled' : 'cli.config.jobs_address', { name: 'WORKER_DATABASE_URL' })

export const surfaceAddressNeeded = (surface: SurfaceName, pooled = false): string =>
  t(pooled ? 'cli.config.surface_address_pooled' : 'cli.config.surface_address', {
    name: addresses[surface][0],
    surface,
  })

export const listenerNeeded = (): string => t('cli.config.listener_needed')

export const oneReplicaOnly = (): string => t('cli.config.one_replica')

/** Problems with required settings, independent of other problems. */
export function missingSettings(
  { surfaces = [], jobs }: Purpose,
  given: (name: string) => boolean,
  pooled = false,
): string[] {
  const isOwner = given('DATABASE_URL') && !pooled
  const known = ['DATABASE_URL', 'WORKER_DATABASE_URL', ...Object.values(addresses).flat()]
  if (!known.some(given))
    return [t('cli.config.database_needed', { example: 'postgres://owner@127.0.0.1:5432/standfirst' })]
  return [
    ...surfaces
      .filter((surface) => !isOwner && !addresses[surface].some(given))
      .map((surface) => surfaceAddressNeeded(surface, pooled)),
    ...(jobs && !isOwner && !given('WORKER_DATABASE_URL') ? [jobsAddressNeeded(pooled)] : []),
    ...(pooled && surfaces.includes('public') && given('REPLICA_DATABASE_URL') && !given('DIRECT_DATABASE_URL')
      ? [listenerNeeded()]
      : []),
  ]
}

/** Requirements on settings in production or behind https, beyond what each setting checks for itself. */

/** Default for development. It is public, so it is no secret. */
export const developmentSecret = 'no-secret-at-all-for-development-only'

type Given = (name: string) => boolean

/** The part of the configuration that is checked here. */
interface CheckedConfig {
  readonly NODE_ENV?: string
  readonly BASE_URL?: string
  readonly AUTH_SECRET?: string
  readonly SECRETS_KEY?: readonly string[]
  readonly RECEIPT_KEY?: string | undefined
}

/** Takes a partial configuration: invalid settings are missing from it. */
export function productionProblems(config: CheckedConfig, { jobs }: Purpose, given: Given): string[] {
  const isProduction = config.NODE_ENV === 'production'
  const isExposed = isProduction || isHttps(config)
  const hasDesk = given('DATABASE_URL') || given('DESK_DATABASE_URL')
  const hasJobs = given('WORKER_DATABASE_URL')
  const required = (name: string) => t('cli.config.secret_needed', { name, command: newSecret })
  return [
    ...(isProduction && !given('BASE_URL')
      ? [t('cli.config.base_url_needed', { example: 'https://example.org' })]
      : []),
    ...(isProduction && isPlainHttp(config) ? [t('cli.config.base_url_https', { scheme: 'https://' })] : []),
    ...(isExposed && hasDesk && usesDevelopmentAuthSecret(config) ? [required('AUTH_SECRET')] : []),
    ...(isExposed && (hasDesk || hasJobs) && usesDevelopmentSecretsKey(config) ? [required('SECRETS_KEY')] : []),
    // Where jobs run without the desk, what is scheduled is published, and its receipt signed, there.
    ...(isExposed && hasJobs && !hasDesk && !config.RECEIPT_KEY && usesDevelopmentAuthSecret(config)
      ? [required('RECEIPT_KEY')]
      : []),
    ...(isProduction ? guessableSecrets(config) : []).map((name) =>
      t('cli.config.secret_guessable', { name, command: newSecret }),
    ),
    ...(jobs && isProduction && !given('SMTP_URL') ? [mailNeeded()] : []),
  ]
}

export const isHttps = ({ BASE_URL = '' }: Pick<CheckedConfig, 'BASE_URL'>): boolean => /^https:/i.test(BASE_URL)

/** Plain http to another machine. */
function isPlainHttp({ BASE_URL = '' }: CheckedConfig): boolean {
  if (!/^http:/i.test(BASE_URL)) return false
  return !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(BASE_URL).hostname)
}

/** Whether it is the public development secret. */
export const usesDevelopmentAuthSecret = ({ AUTH_SECRET }: CheckedConfig): boolean => AUTH_SECRET === developmentSecret
export const usesDevelopmentSecretsKey = ({ SECRETS_KEY }: CheckedConfig): boolean =>
  SECRETS_KEY?.includes(developmentSecret) ?? false

/** Names of secrets that look typed by hand: repeated characters or sequences. */
export function guessableSecrets({ AUTH_SECRET, SECRETS_KEY = [], RECEIPT_KEY }: CheckedConfig): string[] {
  const given = { AUTH_SECRET: [AUTH_SECRET], SECRETS_KEY, RECEIPT_KEY: [RECEIPT_KEY] }
  return Object.entries(given)
    .filter(([, all]) => all.some((one) => one !== undefined && isGuessable(one)))
    .map(([name]) => name)
}
