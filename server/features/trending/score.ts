import type { Database } from '#platform/db/database.ts'

/** For the worker: what is read most, made anew from the counts of 30 days. */
export async function scoreTrending(db: Database): Promise<void> {
  await db.run({ text: 'select app.score_trending()' })
}
