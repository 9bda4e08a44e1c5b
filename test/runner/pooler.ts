import { startPgBouncer } from '../../testkit/engines/pgbouncer.ts'

/** PgBouncer before the PostgreSQL of the tests, for what they start (testkit/pooler.ts). Returns what ends it. */
export async function startPooler(): Promise<() => Promise<void>> {
  const { port } = new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://127.0.0.1:5432')
  // Hundreds of databases come and go: a connection that nobody uses makes room for others.
  const settings = { max_client_conn: 4000, server_idle_timeout: 2 }
  const pooler = await startPgBouncer({ port: Number(port || 5432), settings })
  process.env['TEST_POOLER'] = pooler.urlOf('DATABASE', 'ROLE')
  return () => pooler.stop()
}
