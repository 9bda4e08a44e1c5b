import { randomUUID } from 'node:crypto'
import { after } from 'node:test'
import type pg from 'pg'
import type { FollowContext } from '../server/features/followers/follow.ts'
import { askToFollow, confirmFollows } from '../server/features/followers/follow.ts'
import { createReaderKeys } from '../server/features/followers/keys.ts'
import type { Frequency } from '../server/features/followers/schema.ts'
import { subjectAt } from '../server/features/followers/subjects.ts'
import { urlsFor } from '../server/features/urls.ts'
import { Database } from '../server/platform/db/database.ts'

export const secretsKey = 'a-secret-of-tests-that-everybody-knows'
export const readerKeys = createReaderKeys([secretsKey])

interface FollowSite extends FollowContext {
  readonly admin: pg.Pool
}

/** What the pages for readers act with, closed after the test file. */
export function followSite({ url, admin }: { readonly url: string; readonly admin: pg.Pool }): FollowSite {
  const db = new Database({ name: 'desk', url, role: 'svc_desk', connections: 4, statementTimeout: 60_000 })
  after(() => db.close())
  return { admin, db, urls: urlsFor('https://site.test'), keys: readerKeys }
}

/** Sends the form for a path such as `author/ada`, each time from a network of its own. */
export async function sendFollowForm(
  site: FollowSite,
  email: string,
  path: string,
  frequency: Frequency = 'each',
  language = 'en',
): Promise<void> {
  const subject = await subjectAt(site, path)
  if (!subject) throw new Error(`nothing is at ${path}`)
  const asked = { page: '/', network: randomUUID(), consent: 'I would like to get emails.', language }
  await askToFollow(site, subject, { email, frequency }, asked)
}

/** A reader who has confirmed. Returns the id. */
export async function makeFollower(...given: Parameters<typeof sendFollowForm>): Promise<string> {
  await sendFollowForm(...given)
  const [site, email] = given
  const reader = (await readerWith(site, email))!
  await confirmFollows(site, reader, email)
  return reader
}

/** Found by the hash of the address, as the database does. */
export async function readerWith({ admin, keys }: FollowSite, email: string): Promise<string | undefined> {
  const { rows } = await admin.query<{ id: string }>('select id from app.readers where address_hash = any ($1)', [
    keys.addressHashes(email),
  ])
  return rows[0]?.id
}

/** Turns the clock to where leases have expired, waits are over and digests are due. */
export async function makeEmailsDue(admin: pg.Pool): Promise<void> {
  await admin.query("update app.reader_emails set due_at = clock_timestamp() - interval '1 ms' where state = 'pending'")
  await admin.query('update app.mail_domains set ready_at = clock_timestamp(), rests_until = null')
}
