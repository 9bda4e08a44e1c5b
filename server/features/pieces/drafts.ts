import { createHash, randomUUID } from 'node:crypto'
import type { SendToAccount } from '#features/accounts/mail.ts'
import type { WriteContext } from '#features/context.ts'
import { maxHeadlines } from '#features/emails/templates.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import { type KeyHolder, orInvalidKey } from '#features/keys/api-key-auth.ts'
import type { Urls } from '#features/urls.ts'
import { message } from '#messages/message.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import { statement } from '#platform/db/statement.ts'
import { waitForStandbys } from '#platform/db/wal-position.ts'
import { ServiceError } from '#platform/errors.ts'
import { CreatePieceBody, type CreatePieceResponse, type DeskEditBody } from './draft-schema.ts'
import { normalizeChanges, normalizeManuscript, type StoredManuscript, warningsFor } from './normalize-input.ts'

interface CreateParameters extends StoredManuscript {
  readonly keyHash: Buffer
  readonly writerId: string
  readonly id: string
  readonly idempotencyKey: string | null
  readonly bodyHash: Buffer | null
  readonly warnings: string | null
  readonly mayCreate: boolean
}

interface CreateRow {
  readonly outcome: 'created' | 'replayed' | 'in_flight' | 'mismatch' | 'over_quota'
  readonly piece_id: string
  readonly begun_at: Date
  readonly profile_slug: string | null
  readonly warnings: CreatePieceResponse['warnings'] | null
}

const createRow = statement.raw<CreateParameters, CreateRow>(
  'create_draft',
  'select * from app.create_draft($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)',
  [
    'keyHash',
    'writerId',
    'id',
    'headline',
    'sub',
    'body_md',
    'category',
    'tags',
    'frame',
    'style',
    'locale',
    'fields',
    'idempotencyKey',
    'bodyHash',
    'warnings',
    'mayCreate',
  ],
)

export interface Created {
  /** Null if over quota and there is no earlier response to replay. */
  readonly answer: CreatePieceResponse | null
  /** False if this is the replayed response of an earlier request with the same Idempotency-Key. */
  readonly saved: boolean
}

export interface CreateOptions {
  readonly idempotencyKey: string | null
  /** False over quota: then only an earlier response is replayed. */
  readonly mayCreate: boolean
}

/** Creates a draft for an API key. The database writes the piece, its first revision and the idempotency record in one transaction. */
export async function createDraft(
  { db, urls }: WriteContext,
  holder: KeyHolder,
  body: CreatePieceBody,
  { idempotencyKey, mayCreate }: CreateOptions,
): Promise<Created> {
  const warnings = warningsFor(body, CreatePieceBody.properties)
  const created = db.query(createRow, {
    ...normalizeManuscript(body),
    keyHash: holder.keyHash,
    writerId: holder.writerId,
    id: randomUUID(),
    idempotencyKey,
    bodyHash: idempotencyKey === null ? null : createHash('sha256').update(JSON.stringify(body)).digest(),
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : null,
    mayCreate,
  })
  const [row] = await orInvalidKey(created)
  switch (row!.outcome) {
    case 'created':
      return { answer: answerOf(row!, urls), saved: true }
    case 'replayed':
      await waitForStandbys(db)
      return { answer: answerOf(row!, urls), saved: false }
    case 'over_quota':
      return { answer: null, saved: false }
    case 'in_flight':
      throw new ServiceError(
        409,
        'idempotency_conflict',
        'A request with this Idempotency-Key is still being processed. Try again in a second.',
        { headers: { 'retry-after': '1' } },
      )
    case 'mismatch':
      throw new ServiceError(
        422,
        'idempotency_mismatch',
        'This Idempotency-Key was used with a different body. Use a new key for a new piece.',
      )
  }
}

const answerOf = ({ piece_id: id, begun_at, profile_slug, warnings }: CreateRow, urls: Urls): CreatePieceResponse => ({
  ok: true,
  id,
  status: 'draft',
  created_at: begun_at.toISOString(),
  edit_url: urls.editPiece(id),
  profile_url: profile_slug === null ? null : urls.profile(profile_slug),
  ...(warnings ? { warnings } : {}),
})

// Optimistic concurrency: ETag and If-Match

export const etagOf = (revision: number): string => `"${revision}"`
/** The ETag of a new draft. */
export const firstTag: string = etagOf(1)
export const revisionOf = (etag: string): number => Number(etag.slice(1, -1))

/** Refuses a change that is based on another revision than the current one. */
export function requireRevision(
  ifMatch: string | undefined,
  revision: number,
  kind: 'piece' | 'listing' = 'piece',
): void {
  if (ifMatch === undefined) {
    throw new ServiceError(
      428,
      'precondition_required',
      `Send If-Match with the ETag of the ${kind} as you last read it, so that no other change is lost.`,
    )
  }
  // A proxy that compresses responses makes their ETags weak; the revision is the same.
  const tags = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (tags.includes('*') || tags.includes(etagOf(revision))) return
  throw new ServiceError(412, 'precondition_failed', message('error.revision_changed', { kind, revision }), {
    headers: { etag: etagOf(revision) },
  })
}

/** A trigger increments and stores the revision. Returns false if no row matched: the session or key was revoked a moment ago. */
export async function saveChanges(tx: Transaction, id: string, changes: DeskEditBody): Promise<boolean> {
  const columns = Object.entries(normalizeChanges(changes))
  if (columns.length === 0) return true
  // Column names come from normalizeChanges, never from the request.
  const set = columns.map(([name], index) => `${name} = ${merged(name, `$${index + 2}`)}`).join(', ')
  const { rowCount } = await tx.query(`update app.pieces set ${set} where id = $1`, [
    id,
    ...columns.map(([, value]) => value),
  ])
  return rowCount === 1
}

const merged = (column: string, value: string): string =>
  column === 'fields' ? `jsonb_strip_nulls(fields || ${value}::jsonb)` : value

/** Moves it to the trash; the database records by whom. Returns the deleted revision, or null if no row matched. */
export async function deleteRow(tx: Transaction, id: string): Promise<number | null> {
  const { rows } = await tx.query<{ deleted: number | null }>('select app.delete_piece($1) as deleted', [id])
  return rows[0]!.deleted
}

/** Emails writers whose keys have created drafts: at most once an hour, and not those who turned it off. */
export async function notifyOfDrafts(db: Database): Promise<void> {
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ account_id: string; drafts: string }>('select * from app.writers_to_tell()')
    for (const { account_id: account, drafts } of rows) {
      await enqueue(tx, 'drafts.email', { account, count: Number(drafts) })
    }
  })
}

/** In the worker: headlines are read when the email is sent, and are never in the queue. */
export async function sendDraftsEmail(
  worker: Database,
  send: SendToAccount,
  { account, count }: Jobs['drafts.email'],
  id: string,
): Promise<void> {
  const rows = await worker.run<{ headline: string }>({
    text: 'select * from app.newest_key_drafts($1, $2)',
    values: [account, Math.min(count, maxHeadlines)],
  })
  const headlines = rows.map(({ headline }) => headline)
  if (headlines.length > 0) await send(account, { template: 'drafts-by-key', params: { count, headlines } }, id)
}

/** Deletes idempotency records that are a day old, some thousands at a time. */
export async function sweepDrafts(db: Database): Promise<void> {
  for (let swept = 1; swept > 0; ) {
    const [row] = await db.run<{ swept: number }>({ text: 'select app.sweep_drafts() as swept' })
    swept = row!.swept
  }
}
