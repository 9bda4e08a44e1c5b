import type { Readable } from 'node:stream'
import type { Person } from '#features/accounts/sessions.ts'
import { tagsOfByline } from '#features/cache-tags.ts'
import { hashOf } from '#platform/crypto.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { notFound } from '#platform/errors.ts'
import type { Variant } from '#platform/images/formats.ts'
import { variantNamed } from '#platform/images/variants.ts'
import type { MediaStore } from '#platform/media/store.ts'

/** Serving images: the database decides whether the client may have one; only then is it read from storage. */

export interface ServedMedium {
  readonly type: string
  readonly bytes: number
  /** Cache tags of everything that shows it, so that it is purged along with that. */
  readonly tags: readonly string[]
}

interface Row {
  readonly type: string
  readonly bytes: number
}

const hashShape = /^[0-9a-f]{64}$/

/** Limits the tags. While more pieces than this show an image, it stays public if one of them is removed. */
const maxShowing = 25

const publicMedium = statement.raw<{ hash: string; limit: number }, Row & { shown_by: string; slug: string }>(
  'public_medium',
  `(select m.type, m.bytes, m.shown_by, a.slug from pub.media m join pub.authors a on a.id = m.author_id
     where m.hash = $1 limit $2)
    union all
   (select 'image/webp', c.picture_bytes, c.piece_id, a.slug from pub.link_cards c
      join pub.pieces p on p.id = c.piece_id join pub.authors a on a.id = p.author_id
     where c.picture = $1 limit $2)`,
  ['hash', 'limit'],
)

export async function mediumInPublic(db: Database, hash: string): Promise<ServedMedium> {
  const rows = hashShape.test(hash) ? await db.query(publicMedium, { hash, limit: maxShowing }) : []
  const [row] = rows
  if (!row) throw noSuchMedium()
  // `shown_by` is the id of a piece, a product or an author; UUIDs do not collide, so all kinds of tags can be set.
  const tags = new Set(
    rows.flatMap(({ shown_by, slug }) => [`piece-${shown_by}`, `product-${shown_by}`, ...tagsOfByline(slug)]),
  )
  return { type: row.type, bytes: row.bytes, tags: [...tags] }
}

/** One's own images; for moderators also those of pieces waiting for review. */
export async function mediumAtDesk(db: Database, { sessionHash }: Person, hash: string): Promise<ServedMedium> {
  return privateMedium(db, 'select * from app.desk_media($1, $2)', sessionHash, hash)
}

/** Images of a previewed piece, for anyone who has its token. */
export async function mediumOfPreview(db: Database, token: string, hash: string): Promise<ServedMedium> {
  return privateMedium(db, 'select * from app.previewed_media($1, $2)', hashOf(token), hash)
}

async function privateMedium(db: Database, text: string, credential: Buffer, hash: string): Promise<ServedMedium> {
  const rows = hashShape.test(hash) ? await db.run<Row>({ text, values: [credential, hash] }) : []
  if (!rows[0]) throw noSuchMedium()
  return { ...rows[0], tags: [] }
}

export async function bytesOf(store: MediaStore | undefined, hash: string): Promise<Readable> {
  const stream = await store?.get(hash)
  if (!stream) throw noSuchMedium()
  return stream
}

export function readVariant(name: string): Variant {
  const variant = variantNamed(name)
  if (!variant) throw noSuchMedium()
  return variant
}

const noSuchMedium = () => notFound('There is no picture at this address, or it is not public.')
