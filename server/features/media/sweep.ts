import type { Database } from '#platform/db/database.ts'
import type { MediaStore } from '#platform/media/store.ts'

/** Pictures that nothing has named for seven days, and the bytes of those that no writer has any more. */
export async function sweepMedia(db: Database, store: MediaStore | undefined): Promise<void> {
  for (let swept = 1; swept > 0; ) {
    const [row] = await db.run<{ swept: number }>({ text: 'select app.sweep_media() as swept' })
    swept = row!.swept
  }
  if (!store) return
  for (let deleted = true; deleted; ) deleted = await deleteOne(db, store)
}

/** The database forgets it when the store has: what fails is tried with the next sweep. */
function deleteOne(db: Database, store: MediaStore): Promise<boolean> {
  return db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ hash: string | null }>('select app.take_gone_media() as hash')
    const hash = rows[0]?.hash
    if (!hash) return false
    await store.delete(hash)
    return true
  })
}
