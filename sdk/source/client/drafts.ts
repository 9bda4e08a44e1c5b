import type { CreatePieceBody, CreatePieceResponse, EditPieceBody, MyPiece } from '../types.generated.ts'
import { type ListOptions, listOf } from './reads.ts'
import {
  type ApiResponse,
  type CallOptions,
  callOptionNames,
  checkOptions,
  type Site,
  sendRequest,
  uuidIn,
} from './request.ts'

/** One of the key owner's pieces, with its revision. */
export interface Draft extends MyPiece {
  /** Changes with every save. An update names the revision it is based on, so that no other change is overwritten. */
  readonly revision: string
}

/** The fields of a draft that an update needs. */
export type Revised = Pick<Draft, 'id' | 'revision'>

/** A new draft, ready to be updated. */
export interface NewDraft extends CreatePieceResponse {
  readonly revision: string
  /** Whether an earlier call with the same `idempotencyKey` created it; it may have been changed or deleted since. */
  readonly replayed: boolean
}

export interface CreateOptions extends CallOptions {
  /**
   * Your own key, to repeat a create from another process: the draft is created once within 24 hours. Random if left
   * out.
   */
  readonly idempotencyKey?: string | undefined
}

/** What a writer's key allows. It cannot publish: the writer does, at the draft's `edit_url`. */
export const draftsOf = (site: Site) => ({
  /** Creates a draft. Retried without creating a second one if the response is lost. */
  async create(draft: CreatePieceBody, options: CreateOptions = {}): Promise<NewDraft> {
    const { signal, idempotencyKey = crypto.randomUUID() } = checkOptions(options, [
      'idempotencyKey',
      ...callOptionNames,
    ])
    const headers = { 'idempotency-key': idempotencyKey }
    const { body, etag, replayed } = await sendRequest(site, 'POST /api/v1/pieces', { body: draft, headers, signal })
    return { ...body, revision: etag ?? '', replayed }
  },
  /** One of your pieces in any state; includes the text while it is a draft. */
  async get(id: string, options: CallOptions = {}): Promise<Draft> {
    const { signal } = checkOptions(options, callOptionNames)
    return withRevision(await sendRequest(site, 'GET /api/v1/pieces/{id}', { at: uuidIn(id), signal }))
  },
  /**
   * Changes the given fields and leaves the rest; fails with 412 if someone saved since you read it. Returns the new
   * revision.
   */
  async update(draft: Revised, changes: EditPieceBody, options: CallOptions = {}): Promise<Draft> {
    const { signal } = checkOptions(options, callOptionNames)
    const call = { ...ifMatchOf(draft), body: changes, signal }
    return withRevision(await sendRequest(site, 'PATCH /api/v1/pieces/{id}', call))
  },
  /** Deletes a draft; fails with 412 if someone saved since you read it. */
  async delete(draft: Revised, options: CallOptions = {}): Promise<void> {
    const { signal } = checkOptions(options, callOptionNames)
    await sendRequest(site, 'DELETE /api/v1/pieces/{id}', { ...ifMatchOf(draft), signal })
  },
  /** Your pieces in every state, or in one, newest first. */
  list: (options: ListOptions<'GET /api/v1/pieces/me'> = {}) =>
    listOf(site, 'GET /api/v1/pieces/me', options, ({ pieces }) => pieces),
})

/** Items of a list have no revision, which is easy to miss without types. */
function ifMatchOf({ id, revision }: Revised) {
  if (typeof revision !== 'string')
    throw new TypeError('Read the draft first, with drafts.get: a change names a revision.')
  return { at: uuidIn(id), headers: { 'if-match': revision } }
}

const withRevision = ({ body: { piece }, etag }: ApiResponse<{ readonly piece: MyPiece }>): Draft => ({
  ...piece,
  revision: etag ?? '',
})
