import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seededWriter } from '#seed/people.ts'
import { NotEmpty, seedSite } from '#seed/seed.ts'
import { migrate } from '#sql/migrate.ts'
import type { Started } from './postgres.ts'
import { type DevProxy, openProxy } from './proxy.ts'
import { changesDatabase, keepServer, type Servers, watchFolders } from './restart.ts'

/**
 * `npm run dev`: a local site that needs nothing but Node. Without DATABASE_URL it starts a private PostgreSQL in
 * .data/, migrates, seeds and serves; changes stay until the folder is deleted. Saving a file restarts the server, not
 * the database. docs/debugging.md describes the flags.
 */

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values: flags } = parseArgs({ options: { inspect: { type: 'boolean' }, sql: { type: 'boolean' } } })
const wantedPort = Number(process.env['PORT'] ?? 8080)

const served = Promise.withResolvers<Servers>()
let stopPostgres = async (): Promise<void> => {}

const proxy: DevProxy = await openProxy({
  host: process.env['HOST'] ?? '127.0.0.1',
  port: wantedPort,
  serverPort: async () => (await served.promise).port(),
  openDesk: async (server) => (await import('../../desk/dev.ts')).openDeskSources(server, new URL(base).hostname),
}).catch((error: NodeJS.ErrnoException) =>
  giveUp(
    error.code === 'EADDRINUSE'
      ? `Port ${wantedPort} is taken, perhaps by another site. Choose another: PORT=${wantedPort + 1} npm run dev`
      : error.message,
  ),
)
const base: string = process.env['BASE_URL'] ?? `http://localhost:${proxy.port}`
const databaseUrl = process.env['DATABASE_URL'] ?? (await startPostgres())
await migrate(databaseUrl)
/** For a site on this machine only; `standfirst seed` generates random ones. */
const password = 'the kettle tells the truth'
let apiKey: string | undefined
try {
  const seeded = await seedSite(databaseUrl, { authors: 16, pieces: 60, rng: 1, until: new Date() }, password)
  apiKey = seeded.people.apiKey
} catch (error) {
  if (!(error instanceof NotEmpty)) throw error
}

console.log(`
  Your site is at ${base}

  The newest pieces   ${base}/api/public/pieces/recent
  A search            ${base}/api/public/pieces/search?q=tea
  The reference       ${base}/developers/reference
  Debugging           ${base}/developers/debugging

  The desk            ${base}/desk
    writer@site.example and moderator@site.example sign in with: ${password}
    Emails, such as the one that confirms an address, ${process.env['SMTP_URL'] ? 'leave by SMTP_URL' : 'appear here, in this terminal'}.

  The database        ${databaseUrl}
  ${await aboutKeys()}

  A saved file restarts the server. Ctrl+C ends it; npm run dev starts it again as you left it.
`)
const servers = keepServer({
  env: {
    LOG_LEVEL: 'warn',
    SHUTDOWN_DELAY: '0',
    // Where the receivers of docs/webhooks.md listen.
    OUTBOUND_ALLOW: '127.0.0.1:9000',
    NODE_COMPILE_CACHE: join(root, '.data/compile-cache'),
    ...process.env,
    DATABASE_URL: databaseUrl,
    BASE_URL: base,
    // Behind the proxy, on any free port.
    HOST: '127.0.0.1',
    PORT: '0',
  },
  go: { databaseUrl, inspects: flags.inspect ? 9229 : undefined, printsStatements: flags.sql ?? false },
  onStart: () => proxy.reloadPages(),
})
served.resolve(servers)
servers.restart(false)
let isEnding = false
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
watchFolders(root, ['server', 'docs', 'sdk', 'embed/dist'], (paths) => {
  if (isEnding) return
  console.log(`  Saved: ${paths.join(', ')}. Restarting.`)
  servers.restart(paths.some(changesDatabase))
})

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

async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  proxy.close()
  await servers.stop()
  await stopPostgres()
  process.exit()
}

/** In a separate process that Ctrl+C does not reach, so that a stopping server still has its database. */
async function startPostgres(): Promise<string> {
  console.log('  Starting a PostgreSQL of your own …')
  const keeper = fork(join(root, 'server/dev/postgres.ts'), [join(root, '.data/postgres')], { detached: true })
  const [message] = (await once(keeper, 'message')) as [Started]
  if ('refused' in message) giveUp(message.refused)
  stopPostgres = async () => {
    keeper.disconnect()
    await once(keeper, 'exit')
  }
  return message.url
}
