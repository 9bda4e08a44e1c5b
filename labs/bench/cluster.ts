import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { asPostgres } from '../../testkit/engines/engine.ts'

/**
 * A PostgreSQL of the benches' own, with stated settings, beside the one the machine runs. Its data stay in
 * .data/bench, so that a million pieces are seeded once.
 */

const directory = fileURLToPath(new URL('../../.data/bench', import.meta.url))
const binaries = process.env['POSTGRES_BIN'] ?? '/usr/lib/postgresql/15/bin'
const port = 25_432

/** What differs from PostgreSQL's defaults. fsync stays on. */
export const clusterSettings = {
  shared_buffers: '6GB',
  effective_cache_size: '16GB',
  maintenance_work_mem: '2GB',
  max_wal_size: '12GB',
  checkpoint_timeout: '30min',
  wal_level: 'minimal',
  max_wal_senders: '0',
  random_page_cost: '1.1',
  max_connections: '100',
} as const

/** Starts it unless it runs. PostgreSQL refuses to run as root, so root switches to the user postgres. */
export function startCluster(): void {
  if (!existsSync(`${directory}/PG_VERSION`)) {
    mkdirSync(directory, { recursive: true })
    if (isRoot) {
      execFileSync('chown', ['postgres', directory])
      // Node's compile cache is in the same folder and makes it unreadable for other users.
      execFileSync('chmod', ['o+x', dirname(directory)])
    }
    run('initdb', ['-D', directory, '-E', 'UTF8', '--locale=C.UTF-8', '-A', 'trust', '-U', 'postgres'])
  }
  if (run('pg_ctl', ['-D', directory, 'status']).status === 0) return
  const options = Object.entries({
    ...clusterSettings,
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
  })
  const flags = options.map(([name, value]) => `-c ${name}='${value}'`).join(' ')
  const { status, stderr } = run('pg_ctl', [
    '-D',
    directory,
    '-w',
    '-t',
    '60',
    '-l',
    `${directory}/log`,
    '-o',
    flags,
    'start',
  ])
  if (status !== 0) throw new Error(`the bench's PostgreSQL did not start: ${stderr}; see ${directory}/log`)
}

export function stopCluster(): void {
  run('pg_ctl', ['-D', directory, '-m', 'fast', 'stop'])
}

export const databaseUrl = (name: string): string => `postgres://postgres@127.0.0.1:${port}/${name}`

export const hasDatabase = (name: string): Promise<boolean> =>
  asAdmin(async (client) => (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1)

/** Drops an existing database of this name first. */
export const createDatabase = (name: string): Promise<void> =>
  asAdmin(async (client) => {
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name}`)
  })

export const renameDatabase = (from: string, to: string): Promise<void> =>
  asAdmin(async (client) => {
    await client.query(`alter database ${from} rename to ${to}`)
  })

async function asAdmin<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl('postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const isRoot = process.getuid?.() === 0

function run(program: string, args: readonly string[]) {
  const [file, ...rest] = asPostgres(program, args)
  return spawnSync(file, rest, { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' })
}

/** Pins PostgreSQL and all later connections to one core, or unpins it. */
export function pinCluster(core: number | undefined): void {
  const [pid] = readFileSync(`${directory}/postmaster.pid`, 'utf8').split('\n')
  spawnSync('taskset', ['-cp', core === undefined ? '0-1' : String(core), pid!])
}

/** Prepared statements per second, over as many connections as a server has. */
export function pgbench(database: string, statements: readonly string[], seconds: number): number {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const files = statements.flatMap((statement, index) => {
    const file = join(folder, `${index}.sql`)
    writeFileSync(file, `${statement};\n`)
    return ['-f', file]
  })
  const { stdout, stderr } = spawnSync(
    'taskset',
    [
      '-c',
      '1',
      `${binaries}/pgbench`,
      '-n',
      '-M',
      'prepared',
      '-c',
      '10',
      '-T',
      String(seconds),
      ...files,
      databaseUrl(database),
    ],
    { encoding: 'utf8', env: { ...process.env, PGOPTIONS: '-c role=svc_public -c jit=off' } },
  )
  const rate = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (Number.isNaN(rate)) throw new Error(`pgbench failed: ${stderr}`)
  return rate
}
