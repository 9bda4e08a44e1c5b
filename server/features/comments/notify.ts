import type { SendToAccount } from '#features/accounts/mail.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import type { Database } from '#platform/db/database.ts'

/** Orders emails about new comments: at most one an hour about a piece, to each who should know of them. */
export async function notifyOfComments(db: Database): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ piece_id: string; account_id: string }>('select * from app.comments_to_tell()')
    for (const { piece_id: piece, account_id: account } of rows) await enqueue(tx, 'comments.email', { piece, account })
  })
}

/** More are "and others". */
const mostNames = 3

interface EmailRow {
  readonly headline: string
  readonly is_writer: boolean
  readonly is_co_author: boolean
  readonly count: number
  readonly names: readonly string[]
}

/** In the worker: headline and names are read when the email is sent, and are never in the queue. */
export async function sendCommentsEmail(
  worker: Database,
  send: SendToAccount,
  { piece, account }: Jobs['comments.email'],
  id: string,
): Promise<void> {
  const [row] = await worker.run<EmailRow>({
    text: 'select e.*, app.is_co_author($1, $2) as is_co_author from app.comment_email($1, $2) e',
    values: [piece, account],
  })
  if (!row) return
  const { headline, is_writer, is_co_author, count } = row
  const names = row.names.slice(0, mostNames)
  const reader = is_writer ? 'writer' : is_co_author ? 'co_author' : 'moderator'
  await send(account, { template: 'comments', params: { piece, headline, reader, count, names } }, id)
}
