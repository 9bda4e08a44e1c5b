import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cliTranslator } from '#messages/cli.ts'
import { addPseudoLanguages } from '#messages/pseudo.ts'
import { openMediaStore, readMediaUrl } from '#platform/media/store.ts'
import { seededWriter } from '#seed/people.ts'
import { NotEmpty, seedSite } from '#seed/seed.ts'
import { migrate } from '#sql/migrate.ts'
import { printTable } from '../commands/format.ts'
import type { Started } from './postgres.ts'
import { type DevProxy, openProxy } from './proxy.ts'
import { changesDatabase, keepServer, type Servers, watchFolders } from './restart.ts'

const t = cliTranslator()
addPseudoLanguages()

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
      ? t('cli.port_taken', { port: String(wantedPort), option: `PORT=${wantedPort + 1} npm run dev` })
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
  const address = readMediaUrl(process.env['MEDIA_URL'] ?? `file:${join(root, '.data/media')}`)
  const pictures = address && { store: openMediaStore(address), baseUrl: base }
  const plan = { authors: 16, pieces: 60, rng: 1, until: new Date() }
  const seeded = await seedSite(databaseUrl, plan, { password, pictures })
  apiKey = seeded.people.apiKey
} catch (error) {
  if (!(error instanceof NotEmpty)) throw error
}

console.log(`\n  ${t('cli.dev.running', { address: base })}\n`)
printTable([
  [t('cli.dev.recent'), `${base}/api/public/pieces/recent`],
  [t('cli.dev.search'), `${base}/api/public/pieces/search?q=tea`],
  [t('cli.dev.reference'), `${base}/developers/reference`],
  [t('cli.dev.debugging'), `${base}/developers/debugging`],
  [t('cli.dev.database'), databaseUrl],
  [t('cli.dev.desk'), `${base}/desk`],
])
console.log(`
  ${t('cli.dev.sign_in', { accounts: t.list(['writer@site.example', 'moderator@site.example']), password })}
  ${process.env['SMTP_URL'] ? t('cli.dev.emails_sent') : t('cli.dev.emails_here')}

  ${await aboutKeys()}

  ${t('cli.dev.restarts', { command: 'npm run dev' })}
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
  console.log(`  ${t('cli.dev.saved', { files: t.list(paths) })}`)
  servers.restart(paths.some(changesDatabase))
})

async function aboutKeys(): Promise<string> {
  if (apiKey)
    return `${t('cli.dev.key')}
    export KEY=${apiKey}`
  const writer = (await seededWriter(databaseUrl)) ?? '<writer>'
  return `${t('cli.dev.key_again')}
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
  console.log(`  ${t('cli.dev.starting_postgresql')}`)
  const keeper = fork(join(root, 'server/dev/postgres.ts'), [join(root, '.data/postgres')], { detached: true })
  const [message] = (await once(keeper, 'message')) as [Started]
  if ('refused' in message) giveUp(message.refused)
  stopPostgres = async () => {
    keeper.disconnect()
    await once(keeper, 'exit')
  }
  return message.url
}
