import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { asPostgres } from '../bench/cluster.ts'
import { freePort } from '../test/free-port.ts'

/** `immediate` is PostgreSQL's own crash: nothing is written out, and the next start recovers from the log. */
type StopMode = 'fast' | 'immediate'

export interface Cluster {
  /** A new, empty database; its address as a superuser, or as another one. */
  createDatabase(name: string): Promise<(user?: string) => string>
  restart(mode: StopMode): Promise<void>
}

/** What differs from PostgreSQL's defaults. Processes die here and machines do not, so nothing waits for the disk. */
const settings = { fsync: 'off', shared_buffers: '256MB', max_connections: '200', max_wal_size: '2GB' }

/** A PostgreSQL of one run's own, which goes with this process, and its folder with it. */
export async function startCluster(): Promise<Cluster> {
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'standfirst-chaos-'))
  if (process.getuid?.() === 0) execFileSync('chown', ['postgres', directory])
  const options = { ...settings, port, listen_addresses: '127.0.0.1', unix_socket_directories: '' }
  const flags = Object.entries(options).map(([name, value]) => `-c ${name}='${value}'`)
  const start = () =>
    run('pg_ctl', ['-D', directory, '-w', '-t', '60', '-l', `${directory}/log`, '-o', flags.join(' '), 'start'])
  const stop = (mode: StopMode) => run('pg_ctl', ['-D', directory, '-w', '-m', mode, 'stop'])
  const addressOf = (name: string, user = 'postgres') => `postgres://${user}@127.0.0.1:${port}/${name}`

  // Whatever ends the run, nothing of it stays behind.
  process.once('exit', () => {
    const [file, ...rest] = asPostgres('pg_ctl', ['-D', directory, '-m', 'immediate', 'stop'])
    spawnSync(file, rest, { stdio: 'ignore', cwd: '/' })
    rmSync(directory, { recursive: true, force: true })
  })
  await run('initdb', ['-D', directory, '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '-U', 'postgres', '-N'])
  await start()
  return {
    createDatabase: async (name) => {
      const client = new pg.Client({ connectionString: addressOf('postgres') })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return (user) => addressOf(name, user)
    },
    restart: async (mode) => {
      await stop(mode)
      await start()
    },
  }
}

/** Without blocking: receivers go on answering meanwhile. */
async function run(program: string, args: readonly string[]): Promise<void> {
  const [file, ...rest] = asPostgres(program, args)
  const child = spawn(file, rest, { stdio: ['ignore', 'ignore', 'inherit'], cwd: '/' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${program} ${args.at(-1)} failed with ${code}`)
}
