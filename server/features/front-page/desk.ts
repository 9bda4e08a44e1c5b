import { type Person, requireProof } from '#features/accounts/sessions.ts'
import { purgeFrontPage } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import { presentListItem } from '#features/pieces/present.ts'
import { type PieceRow, publicPieces, rowsByIds } from '#features/pieces/queries.ts'
import type { Urls } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'
import { containing, statement } from '#platform/db/statement.ts'
import { fold } from '#platform/text/fold.ts'
import type { FindPieces, FrontPageChoices, PiecesToPin, SaveFrontPage } from './schema.ts'

/** Moderators' hand on the front page: which pieces are first, until when, and a note. */

const pinned = statement('front_page_pinned', (db, _: object) =>
  publicPieces(db)
    .innerJoin('pub.front_page_pins as pin', 'pin.piece_id', 'piece.id')
    .whereRef('pin.ends_at', '>', db.fn('now'))
    .select('pin.ends_at')
    .orderBy('pin.place')
    .compile(),
)

const noted = statement('front_page_note', (db, _: object) =>
  db.selectFrom('pub.front_page_note').whereRef('ends_at', '>', db.fn('now')).select(['note', 'ends_at']).compile(),
)

export async function frontPageChoices({ db, urls }: DeskContext, { sessionHash }: Person): Promise<FrontPageChoices> {
  const [saves, pins, notes] = await Promise.all([
    db.run<{ version: string; at: Date; moderator: string | null }>({
      text: 'select * from app.front_page_saved($1)',
      values: [sessionHash],
    }),
    db.query(pinned, {}),
    db.query(noted, {}),
  ])
  const [saved] = saves
  const [note] = notes
  return {
    ok: true,
    version: Number(saved?.version ?? 0),
    pins: pins.map((row) => ({ ...presentToPin(row, urls), ends_at: row.ends_at.toISOString() })),
    note: note ? { text: note.note, ends_at: note.ends_at.toISOString() } : null,
    saved: saved ? { at: saved.at.toISOString(), by: saved.moderator } : null,
  }
}

/** Public at once. Undefined, and nothing has changed, if another save came in between. */
export async function saveFrontPage(
  desk: DeskContext,
  moderator: Person,
  { version, pins, note }: SaveFrontPage,
): Promise<FrontPageChoices | undefined> {
  const { sessionHash } = moderator
  const isSaved = await desk.db.transaction({}, async (tx) => {
    await requireProof(tx, sessionHash, 'recent')
    const { rows } = await tx.query<{ version: string | null }>(
      'select app.desk_set_front_page($1, $2, $3, $4, $5, $6) as version',
      [
        sessionHash,
        version,
        pins.map(({ id }) => id),
        pins.map(({ ends_at }) => ends_at),
        note?.text ?? null,
        note?.ends_at ?? null,
      ],
    )
    if (rows[0]!.version === null) return false
    await purgeFrontPage(tx)
    return true
  })
  return isSaved ? frontPageChoices(desk, moderator) : undefined
}

/** How many of the newest pieces are searched: older ones are found by their address. */
const searched = 5_000
const maxFound = 20

const byHeadline = statement('pieces_to_pin', (db, { like }: { like: string }) =>
  publicPieces(db)
    .where('piece.id', 'in', (inner) =>
      inner
        .selectFrom((newest) =>
          newest
            .selectFrom('pub.pieces')
            .select(['id', 'headline_folded', 'published_at'])
            .orderBy('published_at', 'desc')
            .orderBy('id', 'desc')
            .limit(searched)
            .as('newest'),
        )
        .where('newest.headline_folded', 'like', like)
        .orderBy('newest.published_at', 'desc')
        .limit(maxFound)
        .select('newest.id'),
    )
    .orderBy('piece.published_at', 'desc')
    .orderBy('piece.id', 'desc')
    .compile(),
)

const byAddress = statement('piece_to_pin', (db, { author, slug }: { author: string; slug: string }) =>
  publicPieces(db).where('author.slug', '=', author).where('piece.slug', '=', slug).compile(),
)

/** Public pieces by a part of the headline, or the one at an address; without either, the newest. */
export async function findPiecesToPin({ db, urls }: DeskContext, { q = '' }: FindPieces): Promise<PiecesToPin> {
  const term = q.trim()
  const page = isUuid(term.toLowerCase()) ? { id: term.toLowerCase() } : urls.pageAt(term)
  const rows: readonly PieceRow[] = !page
    ? await db.query(byHeadline, { like: containing(fold(term)) })
    : 'id' in page
      ? [...(await rowsByIds(db, [page.id])).values()]
      : await db.query(byAddress, { author: page.author, slug: page.piece ?? '' })
  return { ok: true, pieces: rows.map((row) => presentToPin(row, urls)) }
}

function presentToPin(row: PieceRow, urls: Urls): PiecesToPin['pieces'][number] {
  const { url, title } = presentListItem(row, urls)
  return {
    id: row.id,
    title,
    url,
    author: row.author_name,
    category: row.category,
    published_at: row.published_at.toISOString(),
  }
}
