import { mailNeeded, type Purpose } from './required-settings.ts'
import { isGuessable } from './setting.ts'

/** What is demanded where others come in, beyond what each setting demands for itself. */

/** For a site on one's own machine; written here, it is no secret. */
export const developmentSecret = 'no-secret-at-all-for-development-only'

type Given = (name: string) => boolean

/** As much of the configuration as is looked at here. */
interface Guarded {
  readonly NODE_ENV?: string
  readonly BASE_URL?: string
  readonly AUTH_SECRET?: string
  readonly SECRETS_KEY?: readonly string[]
  readonly RECEIPT_KEY?: string | undefined
}

/** Of a configuration some of which may be lacking, since it was wrong. */
export function problemsForOthers(config: Guarded, { jobs }: Purpose, given: Given): string[] {
  const isProduction = config.NODE_ENV === 'production'
  const isForOthers = isProduction || isHttps(config)
  const hasDesk = given('DATABASE_URL') || given('DESK_DATABASE_URL')
  const hasJobs = given('WORKER_DATABASE_URL')
  const required = (name: string) =>
    `${name} is required in production and wherever BASE_URL is https. Make one: openssl rand -base64 32`
  return [
    ...(isProduction && !given('BASE_URL') ? ['BASE_URL is required in production, such as https://example.org'] : []),
    ...(isProduction && isOverheard(config) ? ['BASE_URL must begin with https:// in production'] : []),
    ...(isForOthers && hasDesk && hasKnownSecret(config) ? [required('AUTH_SECRET')] : []),
    ...(isForOthers && (hasDesk || hasJobs) && hasKnownKey(config) ? [required('SECRETS_KEY')] : []),
    ...(isProduction ? guessableSecrets(config) : []).map(
      (name) => `${name} can be guessed. Make another: openssl rand -base64 32`,
    ),
    ...(jobs && isProduction && !given('SMTP_URL') ? [mailNeeded] : []),
  ]
}

export const isHttps = ({ BASE_URL = '' }: Pick<Guarded, 'BASE_URL'>): boolean => /^https:/i.test(BASE_URL)

/** By http, unless it is this machine's own address. */
function isOverheard({ BASE_URL = '' }: Guarded): boolean {
  if (!/^http:/i.test(BASE_URL)) return false
  return !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(BASE_URL).hostname)
}

/** Whether it is the one that everybody can read here. */
export const hasKnownSecret = ({ AUTH_SECRET }: Guarded): boolean => AUTH_SECRET === developmentSecret
export const hasKnownKey = ({ SECRETS_KEY }: Guarded): boolean => SECRETS_KEY?.includes(developmentSecret) ?? false

/** The names of those that were made by hand: repeated, or in rows. */
export function guessableSecrets({ AUTH_SECRET, SECRETS_KEY = [], RECEIPT_KEY }: Guarded): string[] {
  const given = { AUTH_SECRET: [AUTH_SECRET], SECRETS_KEY, RECEIPT_KEY: [RECEIPT_KEY] }
  return Object.entries(given)
    .filter(([, all]) => all.some((one) => one !== undefined && isGuessable(one)))
    .map(([name]) => name)
}
