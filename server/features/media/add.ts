import type { Writer } from '#features/accounts/session-user.ts'
import { purgedWithAuthor } from '#features/authors/cache-tags.ts'
import type { DeskContext } from '#platform/context.ts'
import type { Transaction } from '#platform/db/database.ts'
import { overloaded, ServiceError } from '#platform/errors.ts'
import type { Picture, ReadPicture } from '#platform/images/image-intake.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { Pictures } from '#platform/markdown/pictures.ts'
import type { MediaStore } from '#platform/media/store.ts'
import type { MediaAdded, PortraitSet } from './schema.ts'

/** What pictures need beside the desk. */
export interface MediaContext extends DeskContext {
  /** None where the site has no place for them. */
  readonly store: MediaStore | undefined
  readonly readPicture: ReadPicture
}

/** Nobody but its writer sees it until a piece that shows it is public. */
export async function addPicture(
  context: MediaContext,
  writer: Writer,
  bytes: Buffer,
  piece: string | undefined,
  signal?: AbortSignal,
): Promise<MediaAdded> {
  const store = demandStore(context)
  const picture = await context.readPicture(bytes, 'page', writer.accountId, signal)
  await keep(context, store, writer, picture, piece)
  const { hash, width, height } = picture
  return { ok: true, media: { hash, url: `/media/${hash}`, width, height, bytes: picture.bytes.length } }
}

export async function setPortrait(
  context: MediaContext,
  writer: Writer,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<PortraitSet> {
  const store = demandStore(context)
  const picture = await context.readPicture(bytes, 'portrait', writer.accountId, signal)
  await keep(context, store, writer, picture, undefined)
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
    // Pieces show their author, and so do lists of either.
    await enqueue(tx, 'cache.purge', { tags: purgedWithAuthor(writer.slug) })
  })
}

/**
 * First the row, then the bytes: bytes without a row would lie there for ever. A row without bytes stays, since another
 * request may have been promised the same picture; the sweep takes what nothing names.
 */
async function keep(
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
    const refusal = overloaded('The picture could not be stored just now. Try again in a moment.', 5)
    refusal.cause = cause
    throw refusal
  }
}

function demandStore({ store }: MediaContext): MediaStore {
  if (store) return store
  throw new ServiceError(
    409,
    'limit_reached',
    'This site has no place for pictures yet. Its operator can give it one: MEDIA_URL.',
  )
}

/** The site's pictures that a piece may show, with their sizes: those of its writer. */
export async function picturesOf(tx: Transaction, pieceId: string, sessionHash: Buffer): Promise<Pictures> {
  const { rows } = await tx.query<{ hash: string; width: number; height: number }>(
    'select * from app.pictures_of($1, $2)',
    [pieceId, sessionHash],
  )
  return Object.fromEntries(rows.map(({ hash, width, height }) => [hash, [width, height]]))
}
