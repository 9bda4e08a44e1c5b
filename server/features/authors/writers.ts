import type pg from 'pg'
import type { ReadContext } from '#features/context.ts'
import { statement } from '#platform/db/statement.ts'
import { fold } from '#platform/text/fold.ts'
import { withoutAccents } from '#platform/text/slug.ts'

/** What a writer says of themselves, as columns of app.writers and pub.authors. */
export interface ProfileColumns {
  readonly name: string
  readonly bio: string | null
  readonly role: string | null
  readonly niche: string | null
  readonly location: string | null
  readonly website: string | null
}

/** A writer in the private schema `app`; `app.show_author` decides what becomes public. */
export interface WriterProfile extends ProfileColumns {
  readonly slug: string
  readonly avatarUrl: string | null
  readonly socials: Readonly<Record<string, string | null>>
}

/**
 * Fields are separated by U+001F, so that no match spans two of them. The name is there twice if it has accents, so that
 * `Angstrom` and `strasse` find Ångström and Straße.
 */
export const searchTextOf = ({
  name,
  niche,
  role,
  bio,
}: Pick<WriterProfile, 'name' | 'niche' | 'role' | 'bio'>): string =>
  [...new Set([name, niche, role, bio, withoutAccents(name)].filter((field) => field !== null).map(fold))].join(
    '\u001F',
  )

export async function addWriter(owner: pg.ClientBase, profile: WriterProfile): Promise<string> {
  const { rows } = await owner.query<{ id: string }>(
    `insert into app.writers (slug, name, bio, role, niche, location, avatar_url, website, socials, search_text)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      profile.slug,
      profile.name,
      profile.bio,
      profile.role,
      profile.niche,
      profile.location,
      profile.avatarUrl,
      profile.website,
      profile.socials,
      searchTextOf(profile),
    ],
  )
  return rows[0]!.id
}

/** Publishes the current profile. Only svc_publisher may, so this needs a connection as the database owner. */
export async function publishProfile(owner: pg.ClientBase, writerId: string): Promise<void> {
  await owner.query('set local role svc_publisher')
  await owner.query('select app.show_author($1)', [writerId])
  await owner.query('reset role')
}

export async function setVerified(
  owner: pg.ClientBase,
  slug: string,
  proof: 'identity' | 'website',
  verified: boolean,
): Promise<string | undefined> {
  const column = proof === 'identity' ? 'identity_verified_at' : 'website_verified_at'
  const { rows } = await owner.query<{ id: string }>(
    `update app.writers set ${column} = ${verified ? `coalesce(${column}, now())` : 'null'} where slug = $1 returning id`,
    [slug],
  )
  return rows[0]?.id
}

/** The old slug keeps redirecting to the writer. A slug that was another writer's former one is taken over. */
export async function renameWriter(owner: pg.ClientBase, from: string, to: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ id: string }>(
    'select w.id, app.rename_writer(w.id, $2, null) from app.writers w where w.slug = $1',
    [from, to],
  )
  return rows[0]?.id
}

export interface ListedWriter {
  readonly slug: string
  readonly name: string
  readonly identity_verified: boolean
  readonly website_verified: boolean
  readonly pieces_count: number
}

export async function listWriters(owner: pg.ClientBase): Promise<ListedWriter[]> {
  const { rows } = await owner.query<ListedWriter>(
    `select w.slug, w.name, w.identity_verified_at is not null as identity_verified,
            w.website_verified_at is not null as website_verified, coalesce(a.pieces_count, 0) as pieces_count
       from app.writers w left join pub.authors a on a.id = w.id
      order by w.slug`,
  )
  return rows
}

/** A range of the slug index. Collations that ignore hyphens return a few too many, which are filtered below. */
const slugRange = statement.raw<{ from: string; to: string; limit: number }, { slug: string }>(
  'author_slugs_beginning',
  `select slug from pub.authors where slug >= $1 and slug < $2 order by slug limit $3`,
  ['from', 'to', 'limit'],
)

/** The characters of slugs. */
const prefixShape = /^[a-z0-9-]{0,40}$/

/** Author slugs with this prefix, sorted; for completion. */
export async function slugsWithPrefix({ db }: ReadContext, prefix: string, limit: number): Promise<string[]> {
  if (!prefixShape.test(prefix)) return []
  const rows = await db.query(slugRange, { from: prefix, to: `${prefix}\u{10FFFF}`, limit })
  return rows.map(({ slug }) => slug).filter((slug) => slug.startsWith(prefix))
}
