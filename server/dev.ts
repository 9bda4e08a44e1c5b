import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { migrate } from '#platform/db/migrate.ts'
import { seededWriter } from '#seed/people.ts'
import { NotEmpty, seedHouse } from '#seed/seed.ts'
import { shownLine } from './dev-log.ts'
import { freePort, type Started } from './dev-postgres.ts'

/**
 * `npm run dev`: a house of your own, with nothing installed but Node. Without DATABASE_URL it starts a private
 * PostgreSQL in .data/, migrates, seeds and serves; what you change stays until you delete the folder.
 */

const root = fileURLToPath(new URL('..', import.meta.url))
const port = Number(process.env['PORT'] ?? 8080)

if ((await freePort(port)) === undefined)
  giveUp(`Port ${port} is taken, perhaps by another house. Choose another: PORT=${port + 1} npm run dev`)
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
    Letters, such as the one that confirms an address, ${process.env['SMTP_URL'] ? 'leave by SMTP_URL' : 'appear here, in this terminal'}.

  ${await aboutKeys()}

  Ctrl+C ends it; npm run dev starts it again as you left it.
`)
const server = spawn(process.execPath, [join(root, 'server/cli.ts'), 'serve', '--worker'], {
  stdio: ['inherit', 'pipe', 'inherit'],
  // One signal from us, and none from the terminal: a second would end it at once.
  detached: true,
  env: {
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY: '0',
    // Where the receivers of docs/webhooks.md listen.
    OUTBOUND_ALLOW: '127.0.0.1:9000',
    ...process.env,
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    BASE_URL: base,
  },
})
createInterface({ input: server.stdout }).on('line', (line) => console.log(shownLine(line)))
server.on('exit', async (code) => {
  await stopPostgres()
  process.exit(code ?? 0)
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => server.kill('SIGTERM'))

async function aboutKeys(): Promise<string> {
  if (apiKey)
    return `A key for drafts, shown once. Paste this where you try the examples:
    export KEY=${apiKey}`
  const writer = (await seededWriter(databaseUrl)) ?? '<writer>'
  return `The key for drafts was shown at the first start. Another one:
    DATABASE_URL=${databaseUrl} npx standfirst key mint ${writer} --name mine`
}

function giveUp(words: string): never {
  console.error(`  ${words}`)
  process.exit(1)
}

/** In a process of its own, which Ctrl+C does not reach: a server that ends still has its database. */
async function startPostgres(): Promise<string> {
  console.log('  Starting a PostgreSQL of your own …')
  const keeper = fork(join(root, 'server/dev-postgres.ts'), [join(root, '.data/postgres')], { detached: true })
  const [told] = (await once(keeper, 'message')) as [Started]
  if ('refused' in told) giveUp(told.refused)
  stopPostgres = async () => {
    keeper.disconnect()
    await once(keeper, 'exit')
  }
  return told.url
}
