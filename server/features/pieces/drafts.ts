import { createHash, randomUUID } from 'node:crypto'
import { type KeyHolder, orInvalidKey } from '#features/keys/holder.ts'
import type { WriteContext } from '#platform/context.ts'
import { statement } from '#platform/db/statement.ts'
import { invalidKey, ServiceError } from '#platform/errors.ts'
import { CreatePieceBody, type CreatePieceResponse } from './draft-schema.ts'
import { manuscriptOf, type StoredManuscript, warningsFor } from './manuscript.ts'

interface CreateParameters extends StoredManuscript {
  readonly keyHash: Buffer
  readonly id: string
  readonly idempotencyKey: string | null
  readonly bodyHash: Buffer | null
  readonly answer: object | null
  readonly mayCreate: boolean
}

interface CreateRow {
  readonly outcome: 'created' | 'replayed' | 'in_flight' | 'mismatch' | 'over_quota' | 'no_key'
  readonly begun_at: Date
  /** Of a replay. */
  readonly answer: Omit<CreatePieceResponse, 'created_at'> | null
}

const createRow = statement.raw<CreateParameters, CreateRow>(
  'create_draft',
  'select * from app.create_draft($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)',
  [
    'keyHash',
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
    'answer',
    'mayCreate',
  ],
)

export interface Created {
  readonly answer: CreatePieceResponse
  /** The answer of an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
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
): Promise<Created | 'over quota'> {
  const id = randomUUID()
  const warnings = warningsFor(body, CreatePieceBody.properties)
  const answer = {
    ok: true as const,
    id,
    status: 'draft' as const,
    edit_url: urls.editPiece(id),
    profile_url: holder.profileSlug === null ? null : urls.profile(holder.profileSlug),
    ...(warnings.length > 0 ? { warnings } : {}),
  }
  const asked = db.query(createRow, {
    ...manuscriptOf(body),
    keyHash: holder.keyHash,
    id,
    idempotencyKey,
    bodyHash: idempotencyKey === null ? null : createHash('sha256').update(JSON.stringify(body)).digest(),
    answer: idempotencyKey === null ? null : answer,
    mayCreate,
  })
  const [row] = await orInvalidKey(asked)
  const { outcome, begun_at: begun, answer: kept } = row!
  switch (outcome) {
    case 'created':
      return { answer: { ...answer, created_at: begun.toISOString() }, replayed: false }
    case 'replayed':
      return { answer: { ...kept!, created_at: begun.toISOString() }, replayed: true }
    case 'over_quota':
      return 'over quota'
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
    case 'no_key':
      throw invalidKey()
  }
}
