import type { Database } from '#platform/db/database.ts'

/** Salts and marks of days that are over, before anything else and whatever becomes of it. */
export async function forgetReaders(db: Database): Promise<void> {
  await db.run({ text: 'select app.forget_readers()' })
}

/** Counts that have served their time, and of each day that is over all but the best sources. */
export async function sweepReads(db: Database): Promise<void> {
  for (const sweep of ['sweep_reads', 'cut_sources']) {
    for (let swept = 1; swept > 0; ) {
      const [row] = await db.run<{ swept: number }>({ text: `select app.${sweep}() as swept` })
      swept = row!.swept
    }
  }
}
