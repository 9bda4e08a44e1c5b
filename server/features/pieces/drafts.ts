import { createHash, randomUUID } from 'node:crypto'
import { type KeyHolder, orInvalidKey } from '#features/keys/api-key-auth.ts'
import type { WriteContext } from '#platform/context.ts'
import { statement } from '#platform/db/statement.ts'
import { confirmed } from '#platform/db/wait-for-standbys.ts'
import { ServiceError } from '#platform/errors.ts'
import type { Urls } from '#platform/urls.ts'
import { CreatePieceBody, type CreatePieceResponse } from './draft-schema.ts'
import { manuscriptOf, type StoredManuscript, warningsFor } from './normalize-input.ts'

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
  /** Null over quota, where nothing was to be repeated. */
  readonly answer: CreatePieceResponse | null
  /** False where it is the answer of an earlier request with the same Idempotency-Key. */
  readonly saved: boolean
}

export interface CreateOptions {
  readonly idempotencyKey: string | null
  /** Over quota, only what was answered before is answered again. */
  readonly mayCreate: boolean
}

/** A key makes a draft. The database writes the piece, its first revision and the answer to retries in one transaction. */
export async function createDraft(
  { db, urls }: WriteContext,
  holder: KeyHolder,
  body: CreatePieceBody,
  { idempotencyKey, mayCreate }: CreateOptions,
): Promise<Created> {
  const warnings = warningsFor(body, CreatePieceBody.properties)
  const asked = db.query(createRow, {
    ...manuscriptOf(body),
    keyHash: holder.keyHash,
    writerId: holder.writerId,
    id: randomUUID(),
    idempotencyKey,
    bodyHash: idempotencyKey === null ? null : createHash('sha256').update(JSON.stringify(body)).digest(),
    warnings: warnings.length > 0 ? JSON.stringify(warnings) : null,
    mayCreate,
  })
  const [row] = await orInvalidKey(asked)
  switch (row!.outcome) {
    case 'created':
      return { answer: answerOf(row!, urls), saved: true }
    case 'replayed':
      await confirmed(db)
      return { answer: answerOf(row!, urls), saved: false }
    case 'over_quota':
      return { answer: null, saved: false }
    case 'in_flight':
      throw new ServiceError(
        409,
        'idempotency_conflict',
        'A request with this Idempotency-Key is being worked on. Ask again in a second.',
        { headers: { 'retry-after': '1' } },
      )
    case 'mismatch':
      throw new ServiceError(
        422,
        'idempotency_mismatch',
        'This Idempotency-Key was used with another body. Use a new key for a new piece.',
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
