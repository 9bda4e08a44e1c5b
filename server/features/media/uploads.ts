import type { Writer } from '#features/accounts/sessions.ts'
import { purgedWithAuthor } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue } from '#features/jobs.ts'
import { message } from '#messages/message.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { overloaded, ServiceError } from '#platform/errors.ts'
import type { Picture, ReadPicture } from '#platform/images/image-intake.ts'
import { variantKeys } from '#platform/images/variants.ts'
import type { Pictures } from '#platform/markdown/pictures.ts'
import type { MediaStore } from '#platform/media/store.ts'
import type { MediaAdded, PortraitSet } from './schema.ts'

/** What images need besides the desk's context. */
export interface MediaContext extends DeskContext {
  /** Undefined if the site has no media storage. */
  readonly store: MediaStore | undefined
  readonly readPicture: ReadPicture
}

/** Only its writer can see it until a piece that shows it is public. */
export async function addPicture(
  context: MediaContext,
  writer: Writer,
  bytes: Buffer,
  piece: string | undefined,
  signal?: AbortSignal,
): Promise<MediaAdded> {
  const store = requireStore(context)
  const picture = await context.readPicture(bytes, 'page', writer.accountId, signal)
  await storePicture(context, store, writer, picture, piece)
  const { hash, width, height } = picture
  return { ok: true, media: { hash, url: `/media/${hash}`, width, height, bytes: picture.bytes.length } }
}

export async function setPortrait(
  context: MediaContext,
  writer: Writer,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<PortraitSet> {
  const store = requireStore(context)
  const picture = await context.readPicture(bytes, 'portrait', writer.accountId, signal)
  await storePicture(context, store, writer, picture, undefined)
  const avatar_url = context.urls.media(picture.hash)
  await showPortrait(context, writer, { hash: picture.hash, url: avatar_url })
  return { ok: true, avatar_url }
}

export const removePortrait = (context: MediaContext, writer: Writer): Promise<void> =>
  showPortrait(context, writer, { hash: null, url: null })

async function showPortrait(
  { db }: MediaContext,
  { sessionHash, writer }: Writer,
  { hash, url }: { hash: string | null; url: string | null },
): Promise<void> {
  await db.transaction({}, async (tx) => {
    await tx.query('select app.set_portrait($1, $2, $3)', [sessionHash, hash, url])
    // Pieces and lists show the author's portrait too.
    await enqueue(tx, 'cache.purge', { tags: purgedWithAuthor(writer.slug) })
  })
}

/**
 * Inserts the row before the bytes, since bytes without a row would stay forever. If storing the bytes fails the row stays,
 * because another request may rely on it; the sweep removes what nothing refers to.
 */
async function storePicture(
  { db }: MediaContext,
  store: MediaStore,
  { sessionHash }: Writer,
  { hash, type, width, height, bytes }: Picture,
  piece: string | undefined,
): Promise<void> {
  await db.run({
    text: 'select app.add_media($1, $2, $3, $4, $5, $6, $7)',
    values: [sessionHash, piece ?? null, hash, type, width, height, bytes.length],
  })
  try {
    await store.put(hash, bytes, type)
  } catch (cause) {
    const refusal = overloaded(message('error.picture_not_stored'), 5)
    refusal.cause = cause
    throw refusal
  }
}

function requireStore({ store }: MediaContext): MediaStore {
  if (store) return store
  throw new ServiceError(409, 'limit_reached', message('error.no_media_store'))
}

/** Images of this site that a piece may show, with their sizes: those of its writer. */
export async function picturesOf(tx: Transaction, pieceId: string, sessionHash: Buffer): Promise<Pictures> {
  const { rows } = await tx.query<{ hash: string; width: number; height: number }>(
    'select * from app.pictures_of($1, $2)',
    [pieceId, sessionHash],
  )
  return Object.fromEntries(rows.map(({ hash, width, height }) => [hash, [width, height]]))
}

/** Deletes images that nothing has referred to for seven days, and the bytes of those that no writer has any more. */
export async function sweepMedia(db: Database, store: MediaStore | undefined): Promise<void> {
  for (let swept = 1; swept > 0; ) {
    const [row] = await db.run<{ swept: number }>({ text: 'select app.sweep_media() as swept' })
    swept = row!.swept
  }
  if (!store) return
  for (let deleted = true; deleted; ) deleted = await deleteOne(db, store)
}

/** Deletes the row only after the stored bytes: a failure is retried with the next sweep. */
function deleteOne(db: Database, store: MediaStore): Promise<boolean> {
  return db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ hash: string | null }>('select app.take_gone_media() as hash')
    const hash = rows[0]?.hash
    if (!hash) return false
    await Promise.all([hash, ...variantKeys(hash)].map((key) => store.delete(key)))
    return true
  })
}
