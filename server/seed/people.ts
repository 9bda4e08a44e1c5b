import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { addAccount } from '#features/accounts/add.ts'
import { mintFor } from '#features/keys/operator.ts'
import { moreScopes, scopesOf } from '#features/keys/schema.ts'

/** How to get in: a writer at the desk, a moderator, and a key of the writer's. */
export interface People {
  readonly writer: { readonly slug: string; readonly email: string; readonly password: string }
  readonly moderator: { readonly email: string; readonly password: string }
  readonly apiKey: string
}

const writerEmail = 'writer@site.example'

const newPassword = (): string => randomBytes(15).toString('base64url')

/** Accounts for a site that has none yet. Passwords are random unless given, and known only to whoever seeds. */
export async function addPeople(owner: pg.Client, slug: string, password?: string): Promise<People> {
  const writer = { slug, email: writerEmail, password: password ?? newPassword() }
  const moderator = { email: 'moderator@site.example', password: password ?? newPassword() }
  await owner.query('begin')
  await owner.query('set local role svc_owner')
  const { rows } = await owner.query<{ name: string }>('select name from app.writers where slug = $1', [slug])
  const account = await addAccount(owner, { ...writer, name: rows[0]!.name, role: 'writer' })
  await owner.query('update app.writers set account_id = $2 where slug = $1', [slug, account])
  await addAccount(owner, { ...moderator, name: 'A Moderator', role: 'moderator' })
  const minted = await mintFor(owner, slug, 'Made with the site', null, scopesOf(moreScopes))
  await owner.query('commit')
  return { writer, moderator, apiKey: minted!.key }
}

/** The slug of the writer above, as it is now, in a site that was seeded. */
export async function seededWriter(databaseUrl: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query('set role svc_owner')
    const { rows } = await client.query<{ slug: string }>(
      'select w.slug from app.writers w join app.accounts a on a.id = w.account_id where a.email = $1',
      [writerEmail],
    )
    return rows[0]?.slug
  } finally {
    await client.end()
  }
}
