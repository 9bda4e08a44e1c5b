import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { asPostgres, demandPrograms, runToEnd, scratchFolder } from './engine.ts'
import { type Postgres, startPrimary } from './postgres.ts'

/** PostgreSQL and a repository, by the files of deploy/pgbackrest: only places and ports are the run's own. */

const deployed = (name: string): string =>
  readFileSync(new URL(`../../deploy/pgbackrest/${name}`, import.meta.url), 'utf8')

export interface Archived {
  readonly primary: Postgres
  /** What pgBackRest reads to find the repository. */
  readonly env: Readonly<Record<string, string>>
  /** Runs pgBackRest as an operator does, and answers what it said. */
  pgbackrest(...args: readonly string[]): Promise<string>
}

export async function startArchived(): Promise<Archived> {
  demandPrograms('pgbackrest')
  const repository = scratchFolder('repository', 'postgres')
  const places = Object.fromEntries(
    ['repo1', 'spool', 'lock', 'log', 'socket', 'conf.d'].map((name) => [name, join(repository, name)]),
  )
  for (const place of Object.values(places)) mkdirSync(place)
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', 'postgres:postgres', repository])

  const file = join(repository, 'pgbackrest.conf')
  const env = { PGBACKREST_CONFIG: file, PGBACKREST_CONFIG_INCLUDE_PATH: places['conf.d']! }
  // PostgreSQL hands its own environment to the archive command, and its starter hands it ours.
  Object.assign(process.env, env)
  const primary = await startPrimary({ unix_socket_directories: places['socket']! })
  writeFileSync(
    file,
    withValues(deployed('pgbackrest.conf'), {
      'repo1-path': places['repo1']!,
      'spool-path': places['spool']!,
      'lock-path': places['lock']!,
      'log-path': places['log']!,
      'pg1-path': primary.folder,
      'pg1-port': String(primary.port),
      'pg1-socket-path': places['socket']!,
    }),
  )
  return { primary, env, pgbackrest: (...args) => runToEnd(asPostgres('/usr/bin/pgbackrest', args), env) }
}

/** What deploy/pgbackrest/archive.conf sets, from the next start on. */
export function installArchiveSettings({ folder }: Postgres): void {
  appendFileSync(join(folder, 'postgresql.auto.conf'), deployed('archive.conf'))
}

function withValues(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((all, [name, value]) => {
    const line = new RegExp(`^${name}=.*$`, 'm')
    if (!line.test(all)) throw new Error(`deploy/pgbackrest/pgbackrest.conf does not say ${name}`)
    return all.replace(line, `${name}=${value}`)
  }, text)
}
