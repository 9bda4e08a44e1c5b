import { cliTranslator } from '#messages/cli.ts'

const t = cliTranslator()

/** Types of settings. Each parses a string, or throws a description of what is expected. */

export interface Setting<Value> {
  readonly about: string
  readonly fallback: string
  /** Never repeated in messages; may be given by a file: `NAME_FILE`. */
  readonly isSecret?: true
  parse(text: string): Value
}

/** What a setting takes, as a sentence with its name. */
type Problem = (name: string) => string

/** A value that a setting does not take. */
export class Wrong extends Error {
  readonly problem: Problem
  constructor(problem: Problem) {
    super()
    this.problem = problem
  }
}
export const wrong = (problem: Problem): never => {
  throw new Wrong(problem)
}

/** For settings that take one of a few words. */
export const oneOf =
  (words: readonly string[]): Problem =>
  (name) =>
    t('cli.config.one_of', { name, words: words.join(', ') })

export const text = (fallback: string, about: string): Setting<string> => ({ about, fallback, parse: (given) => given })

export const optional = <Value>(setting: Setting<Value>): Setting<Value | undefined> => ({
  ...setting,
  parse: (given) => (given === '' ? undefined : setting.parse(given)),
})

export const confidential = <Value>(setting: Setting<Value>): Setting<Value> => ({ ...setting, isSecret: true })

export const number = (fallback: string, about: string, least: number, most: number): Setting<number> => ({
  about,
  fallback,
  parse: (given) => {
    const value = /^\d+$/.test(given) ? Number(given) : Number.NaN
    return value >= least && value <= most
      ? value
      : wrong((name) => t('cli.config.number', { name, least: String(least), most: String(most) }))
  },
})

export const address = (fallback: string, about: string, ...schemes: string[]): Setting<string> => ({
  about,
  fallback,
  parse: (given) => {
    const url = URL.canParse(given)
      ? new URL(given)
      : wrong((name) => t('cli.config.address', { name, example: `${schemes[0]}//…` }))
    // They would silently override the role and the timeouts we connect with.
    if (url.searchParams.has('options'))
      wrong((name) => t('cli.config.address_options', { name, parameter: '?options=' }))
    return schemes.includes(url.protocol)
      ? given
      : wrong((name) =>
          t('cli.config.address_scheme', {
            name,
            schemes: schemes.map((scheme) => `${scheme}//`).join(', '),
          }),
        )
  },
})

const networkShape = /^(loopback|linklocal|uniquelocal|[0-9a-fA-F:.]+(\/\d{1,3})?)$/

export const proxies = (fallback: string, about: string): Setting<string[]> => ({
  about,
  fallback,
  parse: (given) => {
    const networks = given
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
    return networks.every((one) => networkShape.test(one))
      ? networks
      : wrong((name) => t('cli.config.networks', { name }))
  },
})

export const hostNames = (fallback: string, about: string): Setting<string[]> => ({
  about,
  fallback,
  parse: (given) => {
    const names = given
      .toLowerCase()
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
    return names.every((one) => /^[a-z0-9._-]+$/.test(one))
      ? names
      : wrong((name) => t('cli.config.host_names', { name }))
  },
})

/** `Name <address>` or an address alone. */
const senderShape = /^(?:(?<name>[^<>@\r\n]+?)\s*<(?<inBrackets>[^<>@\s]+@[^<>@\s]+)>|(?<alone>[^<>@\s]+@[^<>@\s]+))$/

export const sender = (fallback: string, about: string): Setting<{ name: string; address: string } | undefined> => ({
  about,
  fallback,
  parse: (given) => {
    if (given === '') return undefined
    const { name = '', inBrackets, alone } = senderShape.exec(given)?.groups ?? {}
    const address =
      inBrackets ?? alone ?? wrong((name) => t('cli.config.sender', { name, example: 'Example <post@example.org>' }))
    return { name, address }
  },
})

export const database = (about: string) => confidential(optional(address('', about, 'postgres:', 'postgresql:')))

/** Any number, comma-separated. */
export const databases = (about: string): Setting<string[]> => ({
  about,
  fallback: '',
  isSecret: true,
  parse: (given) =>
    given
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean)
      .map((one) => database(about).parse(one)!),
})

/** Makes a secret. */
export const newSecret = 'openssl rand -base64 32'

export const secret = (fallback: string, about: string): Setting<string> => ({
  about,
  fallback,
  isSecret: true,
  parse: (given) =>
    given.length >= 32 ? given : wrong((name) => t('cli.config.secret', { name, least: 32, command: newSecret })),
})

/** Fewer distinct character pairs than a random secret has, or mostly sequences such as `abcd` and `4321`. */
export function isGuessable(secret: string): boolean {
  const pairs = Array.from({ length: secret.length - 1 }, (_, at) => secret.slice(at, at + 2))
  const steps = pairs.filter((pair) => Math.abs(pair.charCodeAt(0) - pair.charCodeAt(1)) <= 1)
  return new Set(pairs).size < 20 || steps.length > pairs.length / 2
}

/** Comma-separated: the first is in use, the others are older ones. */
export const secrets = (fallback: string, about: string): Setting<string[]> => ({
  about,
  fallback,
  isSecret: true,
  parse: (given) => given.split(',').map((one) => secret(fallback, about).parse(one.trim())),
})
