import type pg from 'pg'

/** Kept whole or not at all, on a connection of one's own; pools have `Database.transaction`. */
export async function inTransaction(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
