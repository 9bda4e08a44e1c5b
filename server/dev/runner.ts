import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import inspector from 'node:inspector'
import type { AddressInfo, Server } from 'node:net'
import { printStatements } from './sql-log.ts'

/**
 * The server of `npm run dev`, started before it is needed: packages, which do not change, are half of the time a
 * start takes, and are loaded while it waits. Our own files are loaded when it is told to go, as they are then.
 */

export interface Go {
  readonly databaseUrl: string
  readonly migrates: boolean
  /** The port of the debugger. */
  readonly inspects: number | undefined
  readonly printsStatements: boolean
}

export interface Listening {
  readonly port: number
}

/** What a start loads. One that is missing here is loaded later, no more. */
const packages = [
  ...['@fastify/fast-json-stringify-compiler', '@fastify/swagger', '@scalar/fastify-api-reference', 'ajv'],
  ...['ajv-formats', 'commander', 'fastify', 'ioredis', 'kysely', 'markdown-it', 'nodemailer', 'pg', 'pg-boss'],
  ...['pino', 'prom-client', 'sanitize-html', 'typebox', 'typebox/value'],
]

async function serve({ databaseUrl, migrates, inspects, printsStatements }: Go): Promise<void> {
  if (inspects !== undefined) inspector.open(inspects)
  if (printsStatements) printStatements()
  if (migrates) await (await import('#platform/db/migrate.ts')).migrate(databaseUrl)
  process.argv = [process.execPath, 'standfirst', 'serve', '--worker']
  await import('../commands/cli.ts')
}

if (import.meta.main) {
  const told = once(process, 'message')
  // Also when `npm run dev` was killed.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  await Promise.all(packages.map((name) => import(name)))
  const [go] = (await told) as [Go]
  process.channel!.unref()
  subscribe('tracing:net.server.listen:asyncEnd', (message) => {
    const { port } = (message as { server: Server }).server.address() as AddressInfo
    if (process.connected) process.send!({ port } satisfies Listening)
  })
  await serve(go)
}
