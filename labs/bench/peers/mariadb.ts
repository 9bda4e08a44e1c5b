import { type ChildProcess, execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { peersFolder } from './install.ts'
import { start } from './processes.ts'

/** A MariaDB of Ghost's own, empty, on the core of the databases. Its data are thrown away by the next run. */

export const mariaPort = 23_306
const folder = join(peersFolder, 'mariadb')

export async function startMaria(): Promise<ChildProcess> {
  if (!existsSync('/usr/sbin/mariadbd'))
    throw new Error('Ghost needs a database; install one (apt-get install mariadb-server)')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const isRoot = process.getuid?.() === 0
  if (isRoot) {
    const [user, group] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' })))
    chownSync(folder, user!, group!)
  }
  const as = isRoot ? ['--user=mysql'] : []
  const where = ['--no-defaults', ...as, `--datadir=${join(folder, 'data')}`]
  execFileSync('mariadb-install-db', [...where, '--auth-root-authentication-method=normal', '--skip-test-db'], {
    stdio: 'ignore',
  })
  const server = start(
    1,
    [
      '/usr/sbin/mariadbd',
      ...where,
      `--port=${mariaPort}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--log-error=${join(folder, 'log')}`,
      '--character-set-server=utf8mb4',
    ],
    { stdio: 'ignore' },
  )
  for (let tries = 0; tries < 300; tries += 1) {
    if (server.exitCode !== null) break
    try {
      sql('', 'create database ghost')
      return server
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }
  throw new Error(`MariaDB did not start; see ${join(folder, 'log')}`)
}

/** What the statements answer, a row a line, cells by tabs. */
export function sql(database: string, statements: string): string {
  const to = ['--no-defaults', '-h127.0.0.1', `-P${mariaPort}`, '-uroot', '--default-character-set=utf8mb4', '-N']
  return execFileSync('mariadb', [...to, database], {
    input: statements,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
  }).trim()
}

/** Text as hexadecimal digits, which need no escape. */
export const quoted = (text: string): string => `_utf8mb4 x'${Buffer.from(text).toString('hex')}'`
