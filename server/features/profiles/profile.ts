import type { Writer } from '#features/accounts/session-user.ts'
import { searchTextOf } from '#features/authors/writers.ts'
import { withSession } from '#features/pieces/with-session.ts'
import type { DeskContext } from '#platform/context.ts'
import type { Transaction } from '#platform/db/database.ts'
import { signedOut } from '#platform/db/pg-errors.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { Urls } from '#platform/urls.ts'
import { changedProfile, type ProfileText, readSlug } from './normalize.ts'
import { type ProfileRow, presentProfile } from './present.ts'
import { purgeAuthor } from './purge.ts'
import type { ProfileChanges, ProfileFound } from './schema.ts'

/** A writer's own profile. What is public of it changes in public at once, and the caches are told with it. */

export const ownProfile = ({ db, urls }: DeskContext, writer: Writer): Promise<ProfileFound> =>
  withSession(db, writer, (tx) => found(tx, urls))

export async function changeProfile(
  { db, urls }: DeskContext,
  writer: Writer,
  given: ProfileChanges,
): Promise<ProfileFound> {
  return withSession(db, writer, async (tx) => {
    // Locked from here on: what is left out stays as it is now, whatever another page of theirs saves meanwhile.
    const { rows } = await tx.query<ProfileText & { slug: string }>('select * from app.own_writer($1)', [
      writer.sessionHash,
    ])
    const { slug, ...was } = rows[0]!
    const profile = changedProfile(was, given)
    const { name, bio, role, niche, location, website, socials } = profile
    await tx.query('select app.desk_set_profile($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      writer.sessionHash,
      name,
      bio,
      role,
      niche,
      location,
      website,
      socials,
      searchTextOf(profile),
    ])
    await purgeAuthor(tx, slug)
    return found(tx, urls)
  })
}

/** Moves to another address; the old one goes on leading there. */
export async function renameProfile({ db, urls }: DeskContext, writer: Writer, given: string): Promise<ProfileFound> {
  const slug = readSlug(given)
  return withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ slug: string }>('select slug from app.own_writer($1)', [writer.sessionHash])
    await tx.query('select app.desk_rename($1, $2)', [writer.sessionHash, slug])
    await purgeAuthor(tx, rows[0]!.slug, slug)
    return found(tx, urls)
  })
}

/** The worker looks at once; `ownProfile` tells what it found. */
export async function askWebsiteCheck({ db }: DeskContext, writer: Writer): Promise<void> {
  await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ wanted: boolean }>('select app.desk_ask_website_check($1) as wanted', [
      writer.sessionHash,
    ])
    if (rows[0]!.wanted) await enqueue(tx, 'website.check', { writer: writer.writer.id })
  })
}

async function found(tx: Transaction, urls: Urls): Promise<ProfileFound> {
  const { rows } = await tx.query<ProfileRow>(
    `select w.id, w.slug, w.name, w.bio, w.role, w.niche, w.location, w.avatar_url, w.website, w.socials,
            w.identity_verified_at, exists (select from pub.authors a where a.id = w.id) as is_public,
            c.state as check_state, c.method as check_method, c.evidence as check_evidence, c.checked_at, c.proven_at
       from app.writers w left join app.website_checks c on c.writer_id = w.id
      where w.id = app.session_writer()`,
  )
  // A session that ended a moment ago has no writer.
  if (!rows[0]) throw signedOut()
  return { ok: true, profile: presentProfile(rows[0], urls) }
}
