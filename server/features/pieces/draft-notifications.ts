import type { Database } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'

/** Writes to writers whose keys have made drafts: once an hour at most, and not to those who turned it off. */
export async function tellOfDrafts(db: Database): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account_id: string; drafts: string }>('select * from app.writers_to_tell()')
    for (const { account_id: account, drafts } of rows) {
      await enqueue(tx, 'mail', { to: { account }, letter: 'drafts-by-key', params: { count: Number(drafts) } })
    }
  })
}

/** Answers to retries, once they are a day old; some thousands at a time, until there are none. */
export async function sweepDrafts(db: Database): Promise<void> {
  for (let swept = 1; swept > 0; ) {
    const [row] = await db.run<{ swept: number }>({ text: 'select app.sweep_drafts() as swept' })
    swept = row!.swept
  }
}
