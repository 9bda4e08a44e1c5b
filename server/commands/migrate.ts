import type { Config } from '#platform/config.ts'
import { migrate } from '#platform/db/migrate.ts'
import { ownerUrl } from './owner.ts'

export async function migrateHouse(config: Config): Promise<void> {
  const applied = await migrate(ownerUrl(config), (name) => console.log(`applied ${name}`))
  console.log(
    applied.length === 0 ? 'The database is up to date.' : `The database is up to date: ${applied.length} applied.`,
  )
}
