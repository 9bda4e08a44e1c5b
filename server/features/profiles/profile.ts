import { readName } from '#features/accounts/normalize.ts'
import { type Writer, withSession } from '#features/accounts/sessions.ts'
import { type ProfileColumns, searchTextOf } from '#features/authors/writers.ts'
import { purgedWithAuthor } from '#features/cache-tags.ts'
import type { DeskContext } from '#features/context.ts'
import { enqueue } from '#features/jobs.ts'
import type { Urls } from '#features/urls.ts'
import { fromStored } from '#messages/stored.ts'
import type { Translator } from '#messages/translator.ts'
import type { Transaction } from '#platform/db/database.ts'
import { signedOut } from '#platform/db/pg-errors.ts'
import { type FieldProblem, invalid } from '#platform/errors.ts'
import { hasVisible, normalise, normaliseLineWithin, webAddress } from '#platform/text/normalise.ts'
import { isSlug } from '#platform/text/slug.ts'
import { longest, type Network, networks, type Profile, type ProfileChanges, type ProfileFound } from './schema.ts'
import { websiteToken } from './website-token.ts'

/** A writer's own profile. Changes are public at once, and caches are purged. */

/** `t` puts the result of the website check into words. */
export const ownProfile = ({ db, urls }: DeskContext, writer: Writer, t: Translator): Promise<ProfileFound> =>
  withSession(db, writer, (tx) => readProfile(tx, urls, t))

export async function changeProfile(
  { db, urls }: DeskContext,
  writer: Writer,
  changes: ProfileChanges,
  t: Translator,
): Promise<ProfileFound> {
  return withSession(db, writer, async (tx) => {
    // Locks the row: omitted fields keep their current values, whatever another tab saves meanwhile.
    const { rows } = await tx.query<ProfileText & { slug: string }>('select * from app.own_writer($1)', [
      writer.sessionHash,
    ])
    const { slug, ...before } = rows[0]!
    const profile = normalizeProfile(before, changes)
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
    return readProfile(tx, urls, t)
  })
}

/** Changes the slug; the old one redirects to the new one. */
export async function renameProfile(
  { db, urls }: DeskContext,
  writer: Writer,
  input: string,
  t: Translator,
): Promise<ProfileFound> {
  const slug = readSlug(input)
  return withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ slug: string }>('select slug from app.own_writer($1)', [writer.sessionHash])
    await tx.query('select app.desk_rename($1, $2)', [writer.sessionHash, slug])
    await purgeAuthor(tx, rows[0]!.slug, slug)
    return readProfile(tx, urls, t)
  })
}

/** The worker checks at once; `ownProfile` returns the result. */
export async function requestWebsiteCheck({ db }: DeskContext, writer: Writer): Promise<void> {
  await withSession(db, writer, async (tx) => {
    const { rows } = await tx.query<{ wanted: boolean }>('select app.desk_ask_website_check($1) as wanted', [
      writer.sessionHash,
    ])
    if (rows[0]!.wanted) await enqueue(tx, 'website.check', { writer: writer.writer.id })
  })
}

async function readProfile(tx: Transaction, urls: Urls, t: Translator): Promise<ProfileFound> {
  const { rows } = await tx.query<ProfileRow>(
    `select w.id, w.slug, w.name, w.bio, w.role, w.niche, w.location, w.avatar_url, w.website, w.socials,
            w.identity_verified_at, exists (select from pub.authors a where a.id = w.id) as is_public,
            c.state as check_state, c.method as check_method, c.evidence as check_evidence, c.checked_at, c.proven_at
       from app.writers w left join app.website_checks c on c.writer_id = w.id
      where w.id = app.session_writer()`,
  )
  // Row security hides the writer from a session that has just ended.
  if (!rows[0]) throw signedOut()
  return { ok: true, profile: presentProfile(rows[0], urls, t) }
}

/** A row of app.writers, the state of their website check, and whether they are public. */
interface ProfileRow extends ProfileColumns {
  readonly id: string
  readonly slug: string
  readonly avatar_url: string | null
  readonly socials: Readonly<Partial<Record<Network, string | null>>>
  readonly identity_verified_at: Date | null
  readonly is_public: boolean
  readonly check_state: Profile['website_check']['state'] | null
  readonly check_method: Profile['website_check']['method']
  readonly check_evidence: string | null
  readonly checked_at: Date | null
  readonly proven_at: Date | null
}

function presentProfile(row: ProfileRow, urls: Urls, t: Translator): Profile {
  return {
    slug: row.slug,
    name: row.name,
    bio: row.bio,
    role: row.role,
    niche: row.niche,
    location: row.location,
    avatar_url: row.avatar_url,
    website: row.website,
    socials: Object.fromEntries(networks.map((one) => [one, row.socials[one] ?? null])) as Profile['socials'],
    identity_verified: row.identity_verified_at !== null,
    is_public: row.is_public,
    website_check: {
      state: row.check_state ?? 'none',
      method: row.check_method,
      evidence: row.check_evidence === null ? null : fromStored(row.check_evidence, t),
      checked_at: row.checked_at?.toISOString() ?? null,
      proven_at: row.proven_at?.toISOString() ?? null,
    },
    website_token: websiteToken(row.id),
    urls: {
      profile: urls.profile(row.slug),
      badge_svg: urls.badge(row.slug),
      feed_json: urls.feedJson(row.slug),
      feed_xml: urls.feedRss(row.slug),
    },
  }
}

type ProfileText = Pick<ProfileRow, 'name' | 'bio' | 'role' | 'niche' | 'location' | 'website' | 'socials'>

/** The new profile: fields that were sent, normalised; the rest as before. */
function normalizeProfile(before: ProfileText, changes: ProfileChanges): ProfileText {
  const line = (sent: string | null | undefined, current: string | null) =>
    sent === undefined ? current : cleanLine(sent)
  return {
    name: changes.name === undefined ? before.name : readName(changes.name),
    bio: changes.bio === undefined ? before.bio : cleanBio(changes.bio),
    role: line(changes.role, before.role),
    niche: line(changes.niche, before.niche),
    location: line(changes.location, before.location),
    website: changes.website === undefined ? before.website : cleanAddress(changes.website),
    socials: changes.socials === undefined ? before.socials : normalizeSocials(before.socials, changes.socials),
  }
}

const cleanLine = (sent: string | null): string | null =>
  sent !== null && hasVisible(sent) ? normaliseLineWithin(sent, longest.line) : null

/** Direction overrides would affect the text around them. */
const bidiControls = /[\u202A-\u202E\u2066-\u2069]/gu

/** Keeps paragraphs, with at most one empty line between them. */
function cleanBio(sent: string | null): string | null {
  if (sent === null || !hasVisible(sent)) return null
  const bio = normalise(sent.replace(bidiControls, ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
  const actual = [...bio].length
  if (actual <= longest.bio) return bio
  const detail = `must have at most ${longest.bio} characters`
  throw invalid([{ pointer: '/bio', code: 'too_long', detail, limit: longest.bio, actual }])
}

const cleanAddress = (sent: string | null): string | null => (sent === null ? null : (webAddress(sent) ?? null))

function normalizeSocials(
  before: ProfileText['socials'],
  changes: NonNullable<ProfileChanges['socials']>,
): ProfileText['socials'] {
  const entries = networks.map((network): [Network, string | null] => {
    const sent = changes[network]
    return [network, sent === undefined ? (before[network] ?? null) : cleanAddress(sent)]
  })
  return Object.fromEntries(entries.filter(([, address]) => address !== null))
}

const slugProblem: FieldProblem = {
  pointer: '/slug',
  code: 'malformed',
  detail: 'must be 1 to 40 lowercase letters, digits and inner hyphens, and not a word that the site itself uses',
}

function readSlug(input: string): string {
  const slug = input.trim().toLowerCase()
  if (isSlug(slug)) return slug
  throw invalid([slugProblem])
}

/**
 * Purges every cached response that shows the writer: pages, feeds and badges, each of their pieces (which carry the tag of
 * the byline), and lists that may name them. After a change of slug, pass both slugs.
 */
export async function purgeAuthor(tx: Parameters<typeof enqueue>[0], ...slugs: readonly string[]): Promise<void> {
  await enqueue(tx, 'cache.purge', { tags: purgedWithAuthor(...slugs) })
}
