import type { CreatePieceBody, CreatePieceResponse, EditPieceBody, MyPiece } from '../types.generated.ts'
import type { CallOptions, Site } from './config.ts'
import { uuidIn } from './id.ts'
import { type ListOptions, listOf } from './list.ts'
import { ofCalls, only } from './options.ts'
import { type Answered, ask } from './request.ts'

/** One of the key owner's pieces, and which revision of it this is. */
export interface Draft extends MyPiece {
  /** Rises with every save. A change says which one it was made to, so that nothing is overwritten unseen. */
  readonly revision: string
}

/** A draft that was made or read, or so much of it as a change needs. */
export type Revised = Pick<Draft, 'id' | 'revision'>

/** A draft that was made, ready to be changed. */
export interface NewDraft extends CreatePieceResponse {
  readonly revision: string
  /** Whether an earlier call with the same `idempotencyKey` made it: it may have been changed since, or deleted. */
  readonly replayed: boolean
}

export interface CreateOptions extends CallOptions {
  /** Of your own, to repeat a create in another run of your program: the draft is made once in 24 hours. Else made here. */
  readonly idempotencyKey?: string | undefined
}

/** What a writer's key may do. It cannot publish: its writer does, at the draft's `edit_url`. */
export const draftsOf = (site: Site) => ({
  /** Makes a draft. Repeated, if its answer is lost, without making a second. */
  async create(draft: CreatePieceBody, options: CreateOptions = {}): Promise<NewDraft> {
    const { signal, idempotencyKey = crypto.randomUUID() } = only(options, ['idempotencyKey', ...ofCalls])
    const headers = { 'idempotency-key': idempotencyKey }
    const { body, etag, replayed } = await ask(site, 'POST /api/v1/pieces', { body: draft, headers, signal })
    return { ...body, revision: etag ?? '', replayed }
  },
  /** One of your pieces, in whatever state; with its text while it is a draft. */
  async get(id: string, options: CallOptions = {}): Promise<Draft> {
    const { signal } = only(options, ofCalls)
    return withRevision(await ask(site, 'GET /api/v1/pieces/{id}', { at: uuidIn(id), signal }))
  },
  /** Changes what is named and leaves the rest; 412 if somebody saved since you read it. Answers with the new revision. */
  async update(draft: Revised, changes: EditPieceBody, options: CallOptions = {}): Promise<Draft> {
    const { signal } = only(options, ofCalls)
    const call = { ...revised(draft), body: changes, signal }
    return withRevision(await ask(site, 'PATCH /api/v1/pieces/{id}', call))
  },
  /** Deletes a draft; 412 if somebody saved since you read it. */
  async delete(draft: Revised, options: CallOptions = {}): Promise<void> {
    const { signal } = only(options, ofCalls)
    await ask(site, 'DELETE /api/v1/pieces/{id}', { ...revised(draft), signal })
  },
  /** Your pieces in every state, or in one, newest first. */
  list: (options: ListOptions<'GET /api/v1/pieces/me'> = {}) =>
    listOf(site, 'GET /api/v1/pieces/me', options, ({ pieces }) => pieces),
})

/** What a list answers has no revision; without types that is easily forgotten. */
function revised({ id, revision }: Revised) {
  if (typeof revision !== 'string')
    throw new TypeError('Read the draft first, with drafts.get: a change names a revision.')
  return { at: uuidIn(id), headers: { 'if-match': revision } }
}

const withRevision = ({ body: { piece }, etag }: Answered<{ readonly piece: MyPiece }>): Draft => ({
  ...piece,
  revision: etag ?? '',
})
