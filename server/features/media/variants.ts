import { buffer } from 'node:stream/consumers'
import type { Database } from '#platform/db/database.ts'
import { makeVariants } from '#platform/images/variants.ts'
import type { MediaStore } from '#platform/media/store.ts'

interface Taken {
  readonly hash: string
  readonly author_id: string
  readonly width: number
}

/**
 * Makes the smaller copies of images that have become public, one image at a time. Until an image has them, readers get
 * the image itself.
 */
export async function makeMediaVariants(
  db: Database,
  store: MediaStore | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (!store) return
  let previousAuthor: string | null = null
  const failures: unknown[] = []
  while (!signal.aborted) {
    const [taken]: Taken[] = await db.run<Taken>({
      text: 'select * from app.take_media_to_size($1)',
      values: [previousAuthor],
    })
    if (!taken) break
    previousAuthor = taken.author_id
    try {
      await makeOne(db, store, taken, signal)
    } catch (error) {
      // Stopping is no failure of the image.
      if (signal.aborted) break
      failures.push(error)
      await db.run({ text: 'select app.note_failed_variants($1)', values: [taken.hash] })
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'some images have no smaller copies yet')
}

async function makeOne(db: Database, store: MediaStore, { hash, width }: Taken, signal: AbortSignal): Promise<void> {
  const original = await store.get(hash)
  const made = original ? await makeVariants(hash, await buffer(original), width, signal) : []
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ kept: boolean }>('select app.keep_media_variants($1) as kept', [hash])
    if (rows[0]!.kept) await Promise.all(made.map(({ key, bytes, type }) => store.put(key, bytes, type)))
  })
}
