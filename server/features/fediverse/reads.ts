import type { SiteInfo } from '#config/site-info.ts'
import { authorAt } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import type { ReadContext } from '#features/context.ts'
import type { Subject } from '#features/followers/schema.ts'
import { type PublishedPiece, piecesOfAuthor, publishedPiece } from '#features/pieces/public-lists.ts'
import { recentPieces } from '#features/pieces/reads.ts'
import type { PieceListItem } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import { hasSlugShape } from '#platform/text/slug.ts'
import type { ActorProfile } from './vocabulary.ts'

/** What the fediverse reads of us: actors, their pieces, and who is behind an address such as @ada@host. */

export interface Actor {
  readonly profile: ActorProfile
  /** Undefined for the site. */
  readonly author: Author | undefined
  readonly authorId: string | undefined
  readonly followers: number
}

interface ActorRow {
  readonly id: string
  readonly author_id: string | null
  readonly slug: string | null
  readonly is_on: boolean
  readonly public_key: string
  readonly followers: number
  readonly since: Date
}

const rowOf = async (
  db: Database,
  id: string | undefined,
  author: string | undefined,
): Promise<ActorRow | undefined> => {
  const [row] = await db.run<ActorRow>({
    text: `select actor.*, author.slug from pub.fediverse_actor($1, $2) actor
             left join pub.authors author on author.id = actor.author_id`,
    values: [id ?? null, author ?? null],
  })
  return row
}

/** The host of addresses, with its port if it has one. */
export const fediverseHost = ({ base }: Pick<Urls, 'base'>): string => new URL(base).host

/** The site's, as other servers with one actor do it: its dot keeps it apart from the slugs of authors. */
export const siteUsername = ({ base }: Pick<Urls, 'base'>): string => new URL(base).hostname

/** `ada@host`: what people search for to follow. */
export const handleOf = (username: string, urls: Pick<Urls, 'base'>): string => `${username}@${fediverseHost(urls)}`

/** `gone` if it was switched off; undefined if there is none. */
export async function actorById(
  reads: ReadContext,
  siteInfo: SiteInfo,
  id: string,
): Promise<Actor | 'gone' | undefined> {
  const row = isUuid(id) ? await rowOf(reads.db, id, undefined) : undefined
  if (!row) return undefined
  return (await presented(reads, siteInfo, row)) ?? 'gone'
}

/** By the name before the @: a current or former slug, or that of the site. */
export async function actorByUsername(
  reads: ReadContext,
  siteInfo: SiteInfo,
  username: string,
): Promise<Actor | undefined> {
  if (username === siteUsername(reads.urls)) {
    const row = await rowOf(reads.db, undefined, undefined)
    if (row) return presented(reads, siteInfo, row)
  }
  const found = hasSlugShape(username) ? await authorAt(reads, username) : undefined
  const row = found && (await rowOf(reads.db, undefined, found.id))
  return row && presented(reads, siteInfo, row)
}

async function presented(reads: ReadContext, siteInfo: SiteInfo, row: ActorRow): Promise<Actor | undefined> {
  if (!row.is_on) return undefined
  const found = row.slug === null ? undefined : await authorAt(reads, row.slug)
  // Hidden since the row was read.
  if (row.author_id !== null && !found) return undefined
  const profile = found ? authorProfile(found.author, row) : siteProfile(siteInfo, reads.urls, row)
  return { profile, author: found?.author, authorId: found?.id, followers: row.followers }
}

const authorProfile = ({ slug, name, bio, avatar_url, urls, joined_at }: Author, row: ActorRow): ActorProfile => ({
  id: row.id,
  isSite: false,
  username: slug,
  name,
  bio,
  page: urls.profile,
  icon: avatar_url ? { url: avatar_url } : null,
  publicKey: row.public_key,
  since: joined_at,
})

const siteProfile = ({ name, description }: SiteInfo, urls: Urls, row: ActorRow): ActorProfile => ({
  id: row.id,
  isSite: true,
  username: siteUsername(urls),
  name,
  bio: description || null,
  page: urls.home(),
  icon: { url: urls.page('apple-touch-icon.png'), mediaType: 'image/png' },
  publicKey: row.public_key,
  since: row.since.toISOString(),
})

/** The actor of an author and its address, if it is on. */
export async function handleOfAuthor({ db, urls }: Pick<ReadContext, 'db' | 'urls'>, id: string, slug: string) {
  const row = await rowOf(db, undefined, id)
  return row?.is_on ? { handle: handleOf(slug, urls), actor: urls.actor(row.id) } : undefined
}

/** The address of an author or the site, as something that can be followed; undefined if there is none. */
export async function handleOfSubject(
  { db, urls }: Pick<ReadContext, 'db' | 'urls'>,
  { kind, key, path }: Pick<Subject, 'kind' | 'key' | 'path'>,
): Promise<string | undefined> {
  if (kind === 'author')
    return (await handleOfAuthor({ db, urls }, key.slice('author:'.length), path.slice('author/'.length)))?.handle
  if (kind !== 'site') return undefined
  const row = await rowOf(db, undefined, undefined)
  return row?.is_on ? handleOf(siteUsername(urls), urls) : undefined
}

interface Posted {
  readonly actor: string
  /** The id of the piece, with a number if it has come back after other servers were asked to delete it. */
  readonly object: string
  readonly number: number
}

/** Which actor posts each of these pieces, by their ids. */
export async function postersOf(
  { db }: Pick<ReadContext, 'db'>,
  pieces: readonly string[],
): Promise<Map<string, Posted>> {
  const rows = await db.run<{ piece_id: string; actor_id: string; number: number }>({
    text: 'select piece_id, actor_id, number from pub.fediverse_pieces($1)',
    values: [pieces],
  })
  return new Map(
    rows.map(({ piece_id: id, actor_id: actor, number }) => [
      id,
      { actor, object: number > 0 ? `${id}?${number}` : id, number },
    ]),
  )
}

/** A public piece that an actor posts; `gone` if it was public once, or is another object by now. */
export async function postedPiece(
  reads: ReadContext,
  id: string,
  number: number,
): Promise<{ readonly published: PublishedPiece; readonly posted: Posted } | 'gone' | undefined> {
  const piece = id.toLowerCase()
  if (!isUuid(piece)) return undefined
  const posted = (await postersOf(reads, [piece])).get(piece)
  if (posted) {
    if (number !== posted.number) return number < posted.number ? 'gone' : undefined
    return { published: await publishedPiece(reads, { id: piece }), posted }
  }
  const [row] = await reads.db.run<{ gone: boolean }>({ text: 'select pub.was_public($1) as gone', values: [piece] })
  return row!.gone ? 'gone' : undefined
}

/** Pieces in an outbox. */
const perPage = 20

export interface OutboxPage {
  readonly items: readonly { readonly piece: PieceListItem; readonly object: string; readonly isOwn: boolean }[]
  readonly next_cursor: string | null
}

/** What an actor posts itself, and what it shows of others; newest first. */
export async function outboxPage(
  reads: ReadContext,
  { profile, authorId }: Actor,
  cursor: string | undefined,
): Promise<OutboxPage> {
  const list = authorId
    ? await piecesOfAuthor(reads, authorId, { cursor, limit: perPage })
    : await recentPieces(reads, { cursor, limit: perPage })
  const ids = list.items.map(({ id }) => id.slice(-36))
  const posters = await postersOf(reads, ids)
  return {
    items: list.items.flatMap((piece, at) => {
      const poster = posters.get(ids[at]!)
      return poster ? [{ piece, object: poster.object, isOwn: poster.actor === profile.id }] : []
    }),
    next_cursor: list.next_cursor,
  }
}
