import type { Readable } from 'node:stream'
import type { Person } from '#features/accounts/session-user.ts'
import { tagsOfByline } from '#features/authors/cache-tags.ts'
import type { Database } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { notFound } from '#platform/errors.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { hashOf } from '#platform/secret.ts'

/** Whoever asks for a picture: the database says whether they may have it, and only then is the store asked. */

export interface ShownMedium {
  readonly type: string
  readonly bytes: number
  /** What an edge cache calls it: by everything that shows it, so that it goes when that goes. */
  readonly tags: readonly string[]
}

interface Row {
  readonly type: string
  readonly bytes: number
}

const hashShape = /^[0-9a-f]{64}$/

/** More than enough pieces with one picture: while so many show it, one of them that goes takes nothing away. */
const mostShowing = 25

const publicMedium = statement.raw<{ hash: string; limit: number }, Row & { shown_by: string; slug: string }>(
  'public_medium',
  `select m.type, m.bytes, m.shown_by, a.slug from pub.media m join pub.authors a on a.id = m.author_id
    where m.hash = $1 limit $2`,
  ['hash', 'limit'],
)

export async function mediumInPublic(db: Database, hash: string): Promise<ShownMedium> {
  const rows = hashShape.test(hash) ? await db.query(publicMedium, { hash, limit: mostShowing }) : []
  const [row] = rows
  if (!row) throw noSuchMedium()
  // The id of a piece, of a listing, or of whose portrait it is: nothing else has the same.
  const tags = new Set(
    rows.flatMap(({ shown_by, slug }) => [`piece-${shown_by}`, `product-${shown_by}`, ...tagsOfByline(slug)]),
  )
  return { type: row.type, bytes: row.bytes, tags: [...tags] }
}

/** One's own; for a moderator also what waits for them shows. */
export async function mediumAtDesk(db: Database, { sessionHash }: Person, hash: string): Promise<ShownMedium> {
  return privateMedium(db, 'select * from app.desk_media($1, $2)', sessionHash, hash)
}

/** What the piece of a preview shows, for whoever holds its token. */
export async function mediumOfPreview(db: Database, token: string, hash: string): Promise<ShownMedium> {
  return privateMedium(db, 'select * from app.previewed_media($1, $2)', hashOf(token), hash)
}

async function privateMedium(db: Database, text: string, credential: Buffer, hash: string): Promise<ShownMedium> {
  const rows = hashShape.test(hash) ? await db.run<Row>({ text, values: [credential, hash] }) : []
  if (!rows[0]) throw noSuchMedium()
  return { ...rows[0], tags: [] }
}

export async function bytesOf(store: MediaStore | undefined, hash: string): Promise<Readable> {
  const stream = await store?.get(hash)
  if (!stream) throw noSuchMedium()
  return stream
}

const noSuchMedium = () => notFound('There is no such picture, or it is not public.')
