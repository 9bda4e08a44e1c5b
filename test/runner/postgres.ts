import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'
import type { Started } from '../../server/dev/postgres.ts'
import { startPgBouncer } from '../../testkit/engines/postgres.ts'

/**
 * Tests use the PostgreSQL of TEST_DATABASE_URL or of this machine. Without either, starts the one that `npm run dev`
 * uses, with a separate data folder. Returns a function that stops it.
 */
export async function ensurePostgres(root: string): Promise<() => Promise<void>> {
  if (process.env['TEST_DATABASE_URL'] || (await answers(5432))) return async () => {}
  console.log('No PostgreSQL answers at 127.0.0.1:5432: starting one in .data/test-postgres')
  const folder = join(root, '.data/test-postgres')
  const child = fork(join(root, 'server/dev/postgres.ts'), [folder], { detached: true })
  const [started] = (await once(child, 'message')) as [Started]
  if ('refused' in started) throw new Error(started.refused)
  const url = new URL(started.url)
  url.pathname = '/postgres'
  await trustLoopback(url.href, folder)
  process.env['TEST_DATABASE_URL'] = url.href
  return async () => {
    child.disconnect()
    await once(child, 'exit')
  }
}

/** Tests sign in as each role of the service, without passwords, and nothing here must survive a power cut. */
async function trustLoopback(url: string, folder: string): Promise<void> {
  writeFileSync(join(folder, 'pg_hba.conf'), 'local all all trust\nhost all,replication all 127.0.0.1/32 trust\n')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('alter system set fsync = off')
  await client.query('select pg_reload_conf()')
  await client.end()
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Starts PgBouncer in front of the tests' PostgreSQL (testkit/database.ts). Returns a function that stops it. */
export async function startPooler(): Promise<() => Promise<void>> {
  const { port } = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://127.0.0.1:5432')
  // Hundreds of databases come and go, so idle connections are closed soon.
  const settings = { max_client_conn: 4000, server_idle_timeout: 2 }
  const pooler = await startPgBouncer({ port: Number(port || 5432), settings })
  process.env['TEST_POOLER'] = pooler.urlOf('DATABASE', 'ROLE')
  return () => pooler.stop()
}
