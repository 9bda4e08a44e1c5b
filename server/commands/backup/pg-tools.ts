import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Environment } from '#config/config.ts'
import { cliTranslator } from '#messages/cli.ts'
import { CommandError } from '../command-support.ts'

const t = cliTranslator()

/** PostgreSQL's own client programs for dump and restore. */

/** The schemas and extensions of the site. */
const schemas = ['app', 'pub', 'jobs', 'search']
const extensions = ['pg_trgm']

export type Program = 'pg_dump' | 'pg_restore'

/** Requires at least this major version. */
export async function assertProgram(env: Environment, program: Program, least: number): Promise<void> {
  const { child, ended } = start(env, program, ['--version'])
  const words = Buffer.concat(await Array.fromAsync(child.stdout as AsyncIterable<Buffer>)).toString()
  await ended.catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new CommandError(t('cli.backup.no_tool', { tool: program, least, package: packageOf(least) }))
  })
  const major = Number(/ (\d+)/.exec(words)?.[1] ?? 0)
  if (major < least)
    throw new CommandError(t('cli.backup.old_tool', { tool: program, major, least, package: packageOf(least) }))
}

/** Of Debian. */
const packageOf = (major: number): string => `postgresql-client-${major}`

/**
 * Dumps one snapshot in PostgreSQL's custom format. Visitor salts and marks are left out, and the search index, which
 * is rebuilt.
 */
export function dumpOf(
  env: Environment,
  url: string,
  { snapshot, byPolicies }: { snapshot: string; byPolicies: boolean },
): { bytes: Readable; ended: Promise<void> } {
  const { child, ended } = start(withPassword(env, url), 'pg_dump', [
    '--format=custom',
    '--no-password',
    '--no-unlogged-table-data',
    '--exclude-table-data=search.*',
    `--snapshot=${snapshot}`,
    ...(byPolicies ? ['--enable-row-security'] : []),
    ...schemas.map((name) => `--schema=${name}`),
    ...extensions.map((name) => `--extension=${name}`),
    `--dbname=${withoutPassword(url)}`,
  ])
  return { bytes: child.stdout, ended }
}

/** In one transaction. */
export async function restoreInto(env: Environment, url: string, dump: AsyncIterable<Buffer>): Promise<void> {
  const { child, ended } = start(withPassword(env, url), 'pg_restore', [
    '--single-transaction',
    '--exit-on-error',
    '--no-password',
    `--dbname=${withoutPassword(url)}`,
  ])
  // A program that has ended reads no more; its exit status says why.
  await Promise.all([ended, pipeline(dump, child.stdin).catch(() => {})])
}

function start(env: Environment, program: Program, args: readonly string[]) {
  const child = spawn(program, args, { env, stdio: 'pipe' })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2000)
  })
  const ended = new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) =>
      code === 0
        ? resolve()
        : reject(
            new CommandError(
              t('cli.backup.tool_failed', { tool: program, code: String(code ?? signal), output: said.trim() }),
            ),
          ),
    )
  })
  // The caller handles it; until then it must not count as unhandled.
  ended.catch(() => {})
  return { child, ended }
}

/** On a command line other users of the machine could read it. */
function withPassword(env: Environment, url: string): Environment {
  const { password } = new URL(url)
  return password ? { ...env, PGPASSWORD: decodeURIComponent(password) } : env
}

function withoutPassword(given: string): string {
  const url = new URL(given)
  url.password = ''
  // Parameters that only our driver knows.
  const { searchParams } = url
  if (/^(true|1)$/.test(searchParams.get('ssl') ?? '') && !searchParams.has('sslmode'))
    searchParams.set('sslmode', 'require')
  for (const name of ['uselibpqcompat', 'ssl']) searchParams.delete(name)
  return url.href
}
