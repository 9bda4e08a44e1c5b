import type { SendToAccount } from '#features/accounts/mail.ts'
import { requireSession, type Writer, withSession } from '#features/accounts/sessions.ts'
import { purgedWithPiece, tagsOfByline } from '#features/cache-tags.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import { message } from '#messages/message.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { notFound } from '#platform/errors.ts'
import { languageTag } from '#platform/text/language.ts'
import type {
  ChosenCoAuthors,
  CoAuthorAnswer,
  CoAuthoredPiece,
  CoAuthorInvitations,
  CoAuthors,
  WritersToInvite,
} from './co-authors-schema.ts'
import { type PiecesContext, readRow } from './desk.ts'
import { presentRequested, type RequestedRow } from './requested-draft.ts'

/**
 * Co-authors: the writer of a piece invites others, and each agrees at the desk before their name is on it. The database
 * computes the public names from these answers alone (app.co_authors_of).
 */

type Answer = CoAuthors['authors'][number]['answer']

/** Of a writer's own piece. */
export const coAuthorsOf = ({ db }: PiecesContext, writer: Writer, id: string): Promise<CoAuthors> =>
  withSession(db, writer, (tx) => readCoAuthors(tx, writer, id))

async function readCoAuthors(tx: Transaction, writer: Writer, id: string): Promise<CoAuthors> {
  if (!isUuid(id)) throw notFound(message('error.piece_not_found'))
  const { rows } = await tx.query<{ slug: string | null; name: string; answer: Answer }>(
    `select w.slug, w.name, c.answer
       from app.pieces p
       left join app.co_authors c on c.piece_id = p.id and c.invited_by = p.writer_id and c.removed_at is null
       left join app.writers w on w.id = c.writer_id
      where p.id = $1 and p.writer_id = $2 order by c.position, w.slug`,
    [id, writer.writer.id],
  )
  if (rows.length === 0) {
    await requireSession(tx)
    throw notFound(message('error.piece_not_found'))
  }
  return { ok: true, authors: rows.flatMap(({ slug, name, answer }) => (slug === null ? [] : { slug, name, answer })) }
}

/** Invites, orders and removes: the list as it should be. */
export async function setCoAuthors(
  context: PiecesContext,
  writer: Writer,
  id: string,
  { authors }: ChosenCoAuthors,
): Promise<CoAuthors> {
  return withSession(context.db, writer, async (tx) => {
    await readRow(tx, writer, id)
    const before = await publicByline(tx, id)
    const { rows } = await tx.query<{ invited: string }>('select app.desk_set_co_authors($1, $2, $3) as invited', [
      id,
      writer.sessionHash,
      authors,
    ])
    for (const { invited } of rows)
      await enqueue(tx, 'co_author.email', { piece: id, writer: invited, about: 'invited' })
    const after = await publicByline(tx, id)
    if (after.join() !== before.join()) await purgeByline(tx, id, [...before, ...after])
    return readCoAuthors(tx, writer, id)
  })
}

/** For a writer who looks for a co-author, by name or address. */
export async function writersToInvite(
  { db }: PiecesContext,
  { sessionHash }: Writer,
  q: string,
): Promise<WritersToInvite> {
  const writers = await db.run<WritersToInvite['writers'][number]>({
    text: 'select slug, name from app.writers_to_invite($1, $2)',
    values: [sessionHash, q.trim()],
  })
  return { ok: true, writers }
}

interface InvitationRow extends RequestedRow {
  readonly writer_slug: string
  readonly writer_name: string
  readonly invited_at: Date
  readonly answer: Answer
}

/** What a writer is invited to, unanswered first. */
export async function coAuthorInvitations(
  { db }: PiecesContext,
  { sessionHash }: Writer,
): Promise<CoAuthorInvitations> {
  const rows = await db.run<InvitationRow>({
    text: 'select * from app.co_author_invitations($1)',
    values: [sessionHash],
  })
  return {
    ok: true,
    count: rows.length,
    waiting: rows.filter(({ answer }) => answer === null).length,
    invitations: rows.map((row) => ({
      ...presentRequested(row),
      writer: { slug: row.writer_slug, name: row.writer_name },
      invited_at: row.invited_at.toISOString(),
      answer: row.answer,
    })),
  }
}

/** What a co-author who agreed reads and comments on. */
export async function coAuthoredPiece(
  { db }: PiecesContext,
  { sessionHash }: Writer,
  id: string,
): Promise<CoAuthoredPiece> {
  if (!isUuid(id)) throw notFound(message('error.piece_not_found'))
  const [row] = await db.run<CoAuthoredRow>({
    text: 'select * from app.co_authored_piece($1, $2)',
    values: [id, sessionHash],
  })
  const { locale, writer_slug: slug, writer_name: name, ...piece } = row!
  return { ok: true, piece: { id, ...piece, language: languageTag(locale), writer: { slug, name } } }
}

interface CoAuthoredRow {
  readonly headline: string
  readonly locale: string
  readonly revision: number
  readonly body_md: string
  readonly is_public: boolean
  readonly writer_slug: string
  readonly writer_name: string
}

/** Agrees, declines or withdraws, also after an earlier answer; its effect on what is public is immediate. */
export async function answerInvitation(
  { db }: PiecesContext,
  writer: Writer,
  piece: string,
  { agreed }: CoAuthorAnswer,
): Promise<void> {
  if (!isUuid(piece)) throw notFound(message('error.co_authors.no_invitation'))
  await withSession(db, writer, async (tx) => {
    const before = await publicByline(tx, piece)
    const { rows } = await tx.query<{ is_new: boolean }>('select app.answer_co_author($1, $2, $3) as is_new', [
      piece,
      writer.sessionHash,
      agreed,
    ])
    if (!rows[0]!.is_new) return
    await enqueue(tx, 'co_author.email', { piece, writer: writer.writer.id, about: 'answered' })
    const after = await publicByline(tx, piece)
    if (after.join() !== before.join()) await purgeByline(tx, piece, [...before, ...after])
  })
}

/** Slugs of the writer and of those whose names are public with theirs; empty if the piece is not public. */
export async function publicByline(tx: Transaction, id: string): Promise<string[]> {
  const { rows } = await tx.query<{ slug: string }>(
    `select a.slug from pub.pieces p
       cross join unnest(p.author_id || p.co_authors) with ordinality named(id, place)
       join pub.authors a on a.id = named.id
      where p.id = $1 order by named.place`,
    [id],
  )
  return rows.map(({ slug }) => slug)
}

/** Whatever shows the piece or lists it, and the profiles of those who came or went. */
async function purgeByline(tx: Transaction, id: string, slugs: readonly string[]): Promise<void> {
  const tags = [...purgedWithPiece(id, slugs), ...slugs.flatMap(tagsOfByline)]
  await enqueue(tx, 'cache.purge', { tags: [...new Set(tags)] })
}

/**
 * Purges what shows, lists or counts the pieces that a writer signs together with others: before the writer disappears, and
 * when they are back.
 */
export async function purgeCoWritten(tx: Parameters<typeof enqueue>[0], slug: string): Promise<void> {
  const { rows } = await tx.query(
    `select p.id, array_agg(a.slug) as signers
       from (select l.piece_id from pub.piece_co_authors l join pub.authors me on me.id = l.author_id where me.slug = $1
             union
             select p.id from pub.pieces p join pub.authors me on me.id = p.author_id
              where me.slug = $1 and p.co_authors is not null) signed
       join pub.pieces p on p.id = signed.piece_id
       join pub.authors a on a.id = any (p.author_id || p.co_authors)
      group by p.id`,
    [slug],
  )
  if (rows.length === 0) return
  const tags = (rows as readonly { id: string; signers: readonly string[] }[]).flatMap(({ id, signers }) =>
    purgedWithPiece(id, signers),
  )
  await enqueue(tx, 'cache.purge', { tags: [...new Set(tags)] })
}

interface EmailRow {
  readonly invited_account: string | null
  readonly writer_account: string | null
  readonly invited_name: string
  readonly writer_name: string
  readonly headline: string
  readonly answer: Answer
}

/** In the worker: what the email names is read when it is sent, and is never in the queue. */
export async function sendCoAuthorEmail(
  worker: Database,
  send: SendToAccount,
  { piece, writer, about }: Jobs['co_author.email'],
  id: string,
): Promise<void> {
  const [row] = await worker.run<EmailRow>({
    text: 'select * from app.co_author_email($1, $2)',
    values: [piece, writer],
  })
  if (!row) return
  const { headline, answer } = row
  if (about === 'invited' && row.invited_account && answer === null)
    await send(
      row.invited_account,
      { template: 'co-author-invited', params: { headline, writer: row.writer_name } },
      id,
    )
  if (about === 'answered' && row.writer_account && answer !== null)
    await send(
      row.writer_account,
      { template: 'co-author-answered', params: { piece, headline, name: row.invited_name, answer } },
      id,
    )
}
