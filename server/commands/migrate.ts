import type { Config } from '#platform/config.ts'
import { migrate } from '#platform/db/migrate.ts'
import { WrongConnection } from '#platform/db/verify.ts'
import { ownerUrl } from './as-owner.ts'
import { CommandError } from './command-error.ts'

export async function migrateSite(config: Config): Promise<void> {
  const url = ownerUrl(config)
  const pooledBy = config.POOLER === 'none' ? undefined : config.TIMEOUT_FACTOR
  const applied = await migrate(url, (line) => console.log(line), pooledBy).catch((error: unknown) => {
    if (error instanceof WrongConnection) throw new CommandError(error.message)
    throw notPermitted(error, decodeURIComponent(new URL(url).username))
  })
  console.log(
    applied.length === 0 ? 'The database is up to date.' : `The database is up to date: ${applied.length} applied.`,
  )
}

/** Roles belong to the whole server: where another site made them, its owner may give them to nobody else. */
function notPermitted(error: unknown, owner: string): unknown {
  const { code, message } = error as { code?: string; message?: string }
  if (code !== '42501') return error
  return new CommandError(
    `PostgreSQL refuses the owner in DATABASE_URL: ${message}. It must own its database and may need to create roles: alter role "${owner}" createrole. Where a site on this server has made the roles already, a superuser hands them on: grant svc_owner, svc_publisher, svc_public, svc_api, svc_desk, svc_worker to "${owner}".`,
  )
}
