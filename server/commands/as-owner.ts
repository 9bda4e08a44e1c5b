import pg from 'pg'
import type { Config } from '#platform/config.ts'
import { CommandError } from './command-error.ts'

export function ownerUrl({ DATABASE_URL }: Config): string {
  if (DATABASE_URL === undefined) throw new CommandError('This command acts as the owner: set DATABASE_URL.')
  return DATABASE_URL
}

/** One transaction as the owner of the site. */
export async function asOwner<T>(config: Config, work: (owner: pg.Client) => Promise<T>): Promise<T> {
  const owner = new pg.Client({ connectionString: ownerUrl(config), connectionTimeoutMillis: 5000 })
  await owner.connect()
  try {
    await owner.query('begin')
    await owner.query('set local role svc_owner')
    const result = await work(owner)
    await owner.query('commit')
    return result
  } finally {
    await owner.end()
  }
}
