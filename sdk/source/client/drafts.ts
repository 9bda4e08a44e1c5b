import type { CreatePieceBody, CreatePieceResponse, EditPieceBody, MyPiece } from '../types.generated.ts'
import { type Answered, ask } from './ask.ts'
import type { CallOptions, House } from './house.ts'
import { uuidIn } from './id.ts'
import { type ListOptions, listOf } from './list.ts'

/** One of the key owner's pieces, and which revision of it this is. */
export interface Draft extends MyPiece {
  /** Rises with every save. A change says which one it was made to, so that nothing is overwritten unseen. */
  readonly revision: string
}

/** A draft that was read, or so much of it as a change needs. */
export type Revised = Pick<Draft, 'id' | 'revision'>

export interface CreateOptions extends CallOptions {
  /** Of your own, to repeat a create in another run of your program: the draft is made once in 24 hours. Else made here. */
  readonly idempotencyKey?: string | undefined
}

/** What a writer's key may do. It cannot publish: its writer does, at the draft's `edit_url`. */
export const draftsOf = (house: House) => ({
  /** Makes a draft. Repeated, if its answer is lost, without making a second. */
  async create(
    draft: CreatePieceBody,
    { signal, idempotencyKey = crypto.randomUUID() }: CreateOptions = {},
  ): Promise<CreatePieceResponse> {
    const headers = { 'idempotency-key': idempotencyKey }
    return (await ask(house, 'POST /api/v1/pieces', { body: draft, headers, signal })).body
  },
  /** One of your pieces, in whatever state; with its text while it is a draft. */
  async get(id: string, { signal }: CallOptions = {}): Promise<Draft> {
    return withRevision(await ask(house, 'GET /api/v1/pieces/{id}', { at: uuidIn(id), signal }))
  },
  /** Changes what is named and leaves the rest; 412 if somebody saved since you read it. Answers with the new revision. */
  async update(draft: Revised, changes: EditPieceBody, { signal }: CallOptions = {}): Promise<Draft> {
    const call = { ...revised(draft), body: changes, signal }
    return withRevision(await ask(house, 'PATCH /api/v1/pieces/{id}', call))
  },
  /** Deletes a draft; 412 if somebody saved since you read it. */
  async delete(draft: Revised, { signal }: CallOptions = {}): Promise<void> {
    await ask(house, 'DELETE /api/v1/pieces/{id}', { ...revised(draft), signal })
  },
  /** Your pieces in every state, or in one, newest first. */
  list: (options: ListOptions<'GET /api/v1/pieces/me'> = {}) =>
    listOf(house, 'GET /api/v1/pieces/me', options, ({ pieces }) => pieces),
})

/** What was made has not been read yet; without types that is easily forgotten. */
function revised({ id, revision }: Revised) {
  if (typeof revision !== 'string')
    throw new TypeError('Read the draft first, with drafts.get: a change names a revision.')
  return { at: uuidIn(id), headers: { 'if-match': revision } }
}

const withRevision = ({ body: { piece }, etag }: Answered<{ readonly piece: MyPiece }>): Draft => ({
  ...piece,
  revision: etag ?? '',
})
