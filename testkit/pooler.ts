import type pg from 'pg'
import { type Config, readConfig } from '../server/platform/config.ts'
import { giveRolesTheirSettings } from '../server/platform/db/access.ts'

/**
 * `npm test -- --pooler` runs the same tests through PgBouncer: whatever a test starts as shipped signs in there, with the
 * credential of each role, and only tests themselves and the listener reach PostgreSQL past it.
 */

/** Where the pooler is: `postgres://ROLE:password-of-ROLE@127.0.0.1:…/DATABASE`, with ROLE and DATABASE to be put in. */
const pooler = process.env['TEST_POOLER']

/** That of `testApp`: one for each database, since roles have the settings of one. */
const factor = '60'

/** What `standfirst migrate` does with POOLER, for a database that was copied from a template. */
export async function preparePooled(admin: pg.Pool): Promise<void> {
  if (!pooler) return
  const client = await admin.connect()
  await giveRolesTheirSettings(client, Number(factor)).finally(() => client.release())
}

type Env = Readonly<Record<string, string>>

/** As `readConfig`, through the pooler where there is one and the test does not say otherwise. */
export const testConfig = (env: Env): Config => readConfig({ ...env, ...throughPooler(env) })

/** Not where a test has other limits of time, or put something of its own before the database. */
function throughPooler({ DATABASE_URL, TIMEOUT_FACTOR = factor, ...others }: Env): Env {
  if (!pooler || !DATABASE_URL || TIMEOUT_FACTOR !== factor) return {}
  if (Object.keys(others).some((name) => name === 'POOLER' || name.endsWith('_DATABASE_URL'))) return {}
  const { host, pathname } = new URL(DATABASE_URL)
  if (host !== new URL(process.env['TEST_DATABASE_URL'] ?? 'postgres://127.0.0.1:5432').host) return {}
  const urlOf = (role: string) => pooler.replaceAll('ROLE', role).replace('/DATABASE', pathname)
  return {
    POOLER: 'transaction',
    TIMEOUT_FACTOR,
    PUBLIC_DATABASE_URL: urlOf('svc_public'),
    API_DATABASE_URL: urlOf('svc_api'),
    DESK_DATABASE_URL: urlOf('svc_desk'),
    WORKER_DATABASE_URL: urlOf('svc_worker'),
    DIRECT_DATABASE_URL: `postgres://svc_worker@${host}${pathname}`,
  }
}
