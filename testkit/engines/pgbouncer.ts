import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { freePort } from '../free-port.ts'
import { answers, asPostgres, demandPrograms, scratchFolder, startEngine, stopEngine, until } from './engine.ts'

const sample = new URL('../../deploy/pgbouncer/pgbouncer.ini', import.meta.url)
const roles = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']

export interface PgBouncer {
  readonly port: number
  readonly log: string
  /** Signs in as the role, with its password. */
  urlOf(database: string, role: string): string
  stop(): Promise<void>
}

interface PgBouncerSettings {
  /** Where PostgreSQL listens. */
  readonly port: number
  /** Lines that take the place of those of the same name in deploy/pgbouncer/pgbouncer.ini, or are added. */
  readonly settings?: Readonly<Record<string, string | number>>
  /** Added to the line of every database, such as ` user=postgres`. */
  readonly connecting?: string
  /** The lines of userlist.txt; else every role, with `passwordOf`. */
  readonly users?: string
}

export const passwordOf = (role: string): string => `password-of-${role}`

/** The pooler of deploy/pgbouncer in front of every database of a PostgreSQL. Answers when this returns. */
export async function startPgBouncer({
  port: serverPort,
  settings = {},
  connecting = '',
  users,
}: PgBouncerSettings): Promise<PgBouncer> {
  demandPrograms('pgbouncer')
  const folder = scratchFolder('pgbouncer', 'postgres')
  const port = await freePort()
  const list = users ?? [...roles, 'pgbouncer'].map((role) => `"${role}" "${passwordOf(role)}"\n`).join('')
  writeFileSync(`${folder}/userlist.txt`, list)
  let text = readFileSync(sample, 'utf8').replace(
    /^standfirst = .*$/m,
    `* = host=127.0.0.1 port=${serverPort}${connecting}`,
  )
  const ours = { listen_port: port, auth_file: `${folder}/userlist.txt`, ...settings }
  for (const [name, value] of Object.entries(ours)) {
    const line = new RegExp(`^${name} =.*$`, 'm')
    text = line.test(text) ? text.replace(line, `${name} = ${value}`) : `${text}${name} = ${value}\n`
  }
  writeFileSync(`${folder}/pgbouncer.ini`, text)
  for (const name of ['', '/userlist.txt', '/pgbouncer.ini']) chmodSync(`${folder}${name}`, name ? 0o644 : 0o755)
  const log = `${folder}/log`
  const child = startEngine(asPostgres('/usr/sbin/pgbouncer', [`${folder}/pgbouncer.ini`]), { log })
  await until(`pgbouncer at ${port}`, async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${readFileSync(log, 'utf8').slice(-2000)}`)
    return answers(port)
  })
  return {
    port,
    log,
    urlOf: (database, role) => `postgres://${role}:${passwordOf(role)}@127.0.0.1:${port}/${database}`,
    stop: () => stopEngine(child, 'SIGINT', 5000),
  }
}
