import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { addAccount } from '#features/accounts/sign-up.ts'
import { mintKeyAsOwner } from '#features/keys/manage.ts'
import { moreScopes, scopesOf } from '#features/keys/schema.ts'

/** Credentials: a writer, a moderator, and a key of the writer. */
export interface People {
  readonly writer: { readonly slug: string; readonly email: string; readonly password: string }
  readonly moderator: { readonly email: string; readonly password: string }
  readonly apiKey: string
}

const writerEmail = 'writer@site.example'

const newPassword = (): string => randomBytes(15).toString('base64url')

/** Creates accounts on an empty site. Passwords are random unless given, and shown only to the caller. */
export async function addPeople(owner: pg.Client, slug: string, password?: string): Promise<People> {
  const writer = { slug, email: writerEmail, password: password ?? newPassword() }
  const moderator = { email: 'moderator@site.example', password: password ?? newPassword() }
  await owner.query('begin')
  await owner.query('set local role svc_owner')
  const { rows } = await owner.query<{ name: string }>('select name from app.writers where slug = $1', [slug])
  const account = await addAccount(owner, { ...writer, name: rows[0]!.name, role: 'writer' })
  await owner.query('update app.writers set account_id = $2 where slug = $1', [slug, account])
  await addAccount(owner, { ...moderator, name: 'A Moderator', role: 'moderator' })
  const minted = await mintKeyAsOwner(owner, slug, 'Made with the site', null, scopesOf(moreScopes))
  await owner.query('commit')
  return { writer, moderator, apiKey: minted!.key }
}

/** The current slug of that writer on a seeded site. */
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
