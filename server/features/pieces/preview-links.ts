import type { Person, Writer } from '#features/accounts/session-user.ts'
import type { DeskContext } from '#platform/context.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { secretToken } from '#platform/secret.ts'
import type { LinkMade, Links, NewLink } from './preview-schema.ts'

interface LinkRow {
  readonly id: string
  readonly created_at: Date
  readonly expires_at: Date
  readonly last_seen_at: Date | null
}

/** Where the page of this revision is for ten minutes; for the desk's own frame. */
export async function newPreviewPage(tx: Transaction, person: Person, id: string, revision: number): Promise<string> {
  const { token, hash } = secretToken()
  await tx.query('select app.make_preview_page($1, $2, $3, $4)', [id, person.sessionHash, revision, hash])
  return `/desk/preview/${token}`
}

export async function makeLink(
  { db, urls }: DeskContext,
  writer: Writer,
  id: string,
  given: NewLink,
): Promise<LinkMade> {
  demandUuid(id)
  const { token, hash } = secretToken()
  const [row] = await db.run<LinkRow>({
    text: 'select id, expires_at from app.make_preview_link($1, $2, $3, $4)',
    values: [id, writer.sessionHash, given.days, hash],
  })
  const link = { id: row!.id, url: urls.preview(token), expires_at: row!.expires_at.toISOString() }
  return { ok: true, link }
}

export async function listLinks({ db }: DeskContext, writer: Writer, id: string): Promise<Links> {
  demandUuid(id)
  const rows = await db.run<LinkRow>({
    text: 'select id, created_at, expires_at, last_seen_at from app.preview_links($1, $2)',
    values: [id, writer.sessionHash],
  })
  const links = rows.map(({ id, created_at, expires_at, last_seen_at }) => ({
    id,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    last_seen_at: last_seen_at?.toISOString() ?? null,
  }))
  return { ok: true, count: links.length, links }
}

export async function revokeLink({ db }: DeskContext, writer: Writer, id: string, link: string): Promise<void> {
  demandUuid(id)
  if (!isUuid(link)) throw notFound('This piece has no such link. The list shows those it has.')
  await db.run({ text: 'select app.revoke_preview_link($1, $2, $3)', values: [id, writer.sessionHash, link] })
}

function demandUuid(id: string): void {
  if (!isUuid(id)) throw notFound('You have no such piece. The list of your pieces shows those you have.')
}

/** Those whose time is over. */
export async function sweepPreviews(db: Database): Promise<void> {
  await db.run({ text: 'select app.sweep_previews()' })
}
