import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import inspector from 'node:inspector'
import type { AddressInfo, Server } from 'node:net'
import pg from 'pg'

/**
 * The server of `npm run dev`, started before it is needed: loading packages, which do not change, is half of the start
 * time, and happens while it waits. Our own files are loaded when the message to go arrives.
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

/** Packages loaded at start. A missing one is only loaded later. */
const packages = [
  ...['@fastify/fast-json-stringify-compiler', '@fastify/swagger', 'ajv'],
  ...['ajv-formats', 'commander', 'fastify', 'ioredis', 'kysely', 'markdown-it', 'nodemailer', 'pg', 'pg-boss'],
  ...['pino', 'prom-client', 'sanitize-html', 'typebox', 'typebox/value'],
]

async function serve({ databaseUrl, migrates, inspects, printsStatements }: Go): Promise<void> {
  if (inspects !== undefined) inspector.open(inspects)
  if (printsStatements) printStatements()
  if (migrates) await (await import('#sql/migrate.ts')).migrate(databaseUrl)
  const { addPseudoLanguages } = await import('#messages/pseudo.ts')
  addPseudoLanguages()
  process.argv = [process.execPath, 'standfirst', 'serve', '--worker']
  await import('../commands/cli.ts')
}

if (import.meta.main) {
  const message = once(process, 'message')
  // Also if `npm run dev` was killed.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
  await Promise.all(packages.map((name) => import(name)))
  const [go] = (await message) as [Go]
  process.channel!.unref()
  subscribe('tracing:net.server.listen:asyncEnd', (message) => {
    const { port } = (message as { server: Server }).server.address() as AddressInfo
    if (process.connected) process.send!({ port } satisfies Listening)
  })
  await serve(go)
}

/** `npm run dev -- --sql`: prints every statement with its values, except for polling. */

const isPolling = (client: object, text: string): boolean =>
  ('connectionParameters' in client &&
    (client.connectionParameters as { application_name?: string }).application_name === 'standfirst jobs') ||
  /^select 1$|\bclaim_deliveries\b/.test(text)

interface Statement {
  readonly text?: string
  readonly values?: readonly unknown[]
}

function printStatements(): void {
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first, second] = given
    const { text, values } = typeof first === 'string' ? { text: first, values: second } : ((first ?? {}) as Statement)
    if (text && !isPolling(this, text)) console.log(shownStatement(text, Array.isArray(values) ? values : []))
    return Reflect.apply(query, this, given)
  } as typeof query
}

function shownStatement(text: string, values: readonly unknown[]): string {
  const lines = text.trim().replaceAll(/\s*\n\s*/g, '\n      ')
  const shown = values.map((value, at) => `$${at + 1} = ${JSON.stringify(value)?.slice(0, 200)}`).join(', ')
  return `  SQL ${lines}${shown && `\n      ${shown}`}`
}
