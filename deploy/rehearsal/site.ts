import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Compose, Service } from '../../testkit/file-formats.ts'

/**
 * Starts the services of a compose file on this machine: third-party ones from installed programs, ours from the built
 * image.
 */

export interface Stage {
  /** The system of the image, read-only. */
  readonly system: string
  /** For data. */
  readonly place: string
  /** What the image starts, and what it sets. */
  readonly entrypoint: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly compose: Compose
}

/** The emails received. */
export const caught: string[] = []

export async function until(what: string, isSo: () => boolean | Promise<boolean>, seconds = 30): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (Date.now() < end) {
    if (await isSo()) return
    await pause(100)
  }
  throw new Error(`${what}: not within ${seconds} s`)
}

const succeeds = (command: string, args: readonly string[], env: Record<string, string> = {}): boolean => {
  try {
    execFileSync(command, args, { stdio: 'ignore', env: { PATH: process.env['PATH'], ...env } })
    return true
  } catch {
    return false
  }
}

const programs = '/usr/lib/postgresql/15/bin'

/** Like the first start of its image: a cluster with one superuser, whose password is in the env file. */
export async function startPostgres({ place }: Stage, { environment = {} }: Service): Promise<void> {
  const data = join(place, 'postgres')
  const { POSTGRES_USER: user = '', POSTGRES_PASSWORD: password = '', POSTGRES_DB: name = '' } = environment
  const passwordFile = join(place, 'password')
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(passwordFile, password, { mode: 0o600 })
  execFileSync('chown', ['postgres:postgres', data, passwordFile])
  const asPostgres = (...args: string[]) => ['--reuid=postgres', '--regid=postgres', '--clear-groups', ...args]
  const args = [
    `--pgdata=${data}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--no-sync',
    '--auth-local=reject',
  ]
  execFileSync(
    'setpriv',
    asPostgres(`${programs}/initdb`, ...args, ...environment['POSTGRES_INITDB_ARGS']!.split(' ')),
    {
      cwd: data,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  spawn(
    'setpriv',
    asPostgres(`${programs}/postgres`, '-D', data, '-c', 'unix_socket_directories=', '-c', 'fsync=off'),
    {
      cwd: data,
      stdio: 'ignore',
    },
  )
  const env = { PGHOST: '127.0.0.1', PGUSER: user, PGPASSWORD: password }
  await until('PostgreSQL', () => succeeds('createdb', [name], env))
}

export async function startRedis({ command = [] }: Service): Promise<void> {
  spawn(command[0]!, [...command.slice(1), '--bind', '127.0.0.1'], { stdio: 'ignore' })
  await until('Redis', () => succeeds('redis-cli', ['ping']))
}

/** Just enough SMTP to receive an email. */
export async function startMailCatcher(): Promise<void> {
  const server = createServer((socket) => {
    let inMessage = false
    socket.on('error', () => {}).write('220 mail\r\n')
    socket.setEncoding('utf8').on('data', (text: string) => {
      caught.push(text)
      if (inMessage) {
        inMessage = !text.endsWith('\r\n.\r\n')
        if (!inMessage) socket.write('250 kept\r\n')
      } else if (/^DATA/i.test(text)) {
        inMessage = true
        socket.write('354 go on\r\n')
      } else if (/^QUIT/i.test(text)) socket.end('221 bye\r\n')
      else socket.write('250 yes\r\n')
    })
  })
  server.listen(1025, '127.0.0.1')
  await once(server, 'listening')
}

/** Runs in the image's root filesystem as its user, without privileges and without this machine's environment. */
export function startOurs(
  stage: Stage,
  service: Service,
  command: readonly string[],
  more: Record<string, string> = {},
): ChildProcess {
  const { system, entrypoint, variables } = stage
  const env = { ...variables, ...service.environment, ...more, PATH: '/usr/local/bin:/usr/bin:/bin' }
  const pairs = Object.entries(env).map(([name, value]) => `${name}=${value ?? ''}`)
  const nobody = [
    '--reuid=1000',
    '--regid=1000',
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
    '--inh-caps=-all',
  ]
  return spawn(
    'chroot',
    [system, 'setpriv', ...nobody, 'env', '--ignore-environment', '--chdir=/site', ...pairs, ...entrypoint, ...command],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
}

/** Runs it to the end and returns its output. */
export async function runOurs(stage: Stage, service: Service, command: readonly string[]): Promise<string> {
  const child = startOurs(stage, service, command)
  const said = [child.stdout!, child.stderr!].map(async (stream) =>
    Buffer.concat(await Array.fromAsync(stream)).toString(),
  )
  const [code] = await once(child, 'close')
  const words = (await Promise.all(said)).join('')
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${words}`)
  return words
}
