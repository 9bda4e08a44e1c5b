import { parse } from 'yaml'

/** A compose file as its services, with what the env file says put in its places. As much of it as ours uses. */

export interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly env_file?: readonly { readonly path: string; readonly required: boolean }[]
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly profiles?: readonly string[]
  readonly user?: string
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly mem_limit?: string
  readonly pids_limit?: number
  readonly restart?: string
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: { readonly disable?: boolean; readonly test?: readonly string[] }
  readonly stop_grace_period?: string
}

export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
}

export function readCompose(text: string, env: Readonly<Record<string, string>>): Compose {
  return parse(interpolated(text.replace(/^\s*#.*$/gm, ''), env), { merge: true })
}

/** `${NAME}`, `${NAME:-what else}` and `${NAME:?why not without}`. */
function interpolated(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string | undefined, more = '') => {
    const value = env[name] ?? ''
    if (value) return value
    if (kind === '?') throw new Error(`${name} is not set: ${more}`)
    return more
  })
}

/** As `deploy/secrets` prints it. */
export function readEnvFile(text: string): Record<string, string> {
  const pairs = text.split('\n').filter((line) => /^\w+=/.test(line))
  return Object.fromEntries(pairs.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** The order in which services start, dependencies first; services of a profile are left out. */
export function startOrder({ services }: Compose): string[] {
  const order: string[] = []
  const visit = (name: string) => {
    if (order.includes(name)) return
    for (const needed of Object.keys(services[name]?.depends_on ?? {})) visit(needed)
    order.push(name)
  }
  for (const [name, { profiles }] of Object.entries(services)) if (!profiles) visit(name)
  return order
}

/** A fenced block of a Markdown text. */
export interface CodeBlock {
  readonly language: string
  /** What follows the language: `run`, `serve`, or nothing. */
  readonly marker: string
  readonly code: string
  /** Where it begins, from 1. */
  readonly line: number
}

export function codeBlocksIn(markdown: string): CodeBlock[] {
  return [...markdown.matchAll(/^( *)```(\w*)(?: (\w+))?\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 2: language = '', 3: marker = '', 4: code = '' }) => ({
      language,
      marker,
      code,
      line: markdown.slice(0, index).split('\n').length,
    }),
  )
}
