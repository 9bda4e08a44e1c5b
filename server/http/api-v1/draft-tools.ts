import Type, { type Static } from 'typebox'
import type { WriteContext } from '#features/context.ts'
import type { KeyHolder } from '#features/keys/api-key-auth.ts'
import { editDraft, myPiece, myPieces, type WithEtag } from '#features/pieces/api-pieces.ts'
import {
  CreatePieceBody,
  CreatePieceResponse,
  EditPieceBody,
  MyPiece,
  MyPieceFound,
  MyPieceList,
  MyPieceListItem,
  MyPieces,
} from '#features/pieces/draft-schema.ts'
import { createDraft, etagOf, revisionOf } from '#features/pieces/drafts.ts'
import { publishingFields } from '#features/pieces/normalize-input.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import { type FieldProblem, invalid, pointerTo, type Reason, ServiceError } from '#platform/errors.ts'
import { errorBody } from '#platform/http/errors.ts'
import type { Catalogue } from '#platform/mcp/catalogue.ts'
import type { Params } from '#platform/mcp/json-rpc.ts'
import {
  type Call,
  type Described,
  failed,
  formOf,
  type Hints,
  succeeded,
  type Tool,
  unanswerable,
  uuidIn,
} from '#platform/mcp/tool.ts'
import { assertVisibleAscii, type Quotas } from './context.ts'

/** The complete set of tools for a writer's key. None publishes or deletes. */

const idBounds = { id: { minLength: 1, maxLength: 500 } }
const idDescription = 'The id of the piece, or its edit_url, as create_draft or list_my_pieces answered it.'
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const

/**
 * Without covers, of which no tool uploads the picture, and without texts for search engines, which are written where they
 * can be seen: every model would pay for the words.
 */
const forTools = <Members extends { readonly cover: unknown; readonly meta: unknown }>({
  cover: _cover,
  meta: _meta,
  ...rest
}: Members) => rest
const DraftPiece = Type.Object(forTools(MyPiece.properties), { $id: 'MyPiece' })

const CreateDraft = Type.Object({
  ...forTools(CreatePieceBody.properties),
  idempotency_key: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Any string of your own, new for each piece, such as a UUID. Repeat a call with the same one and the piece is made once; the repetition gets the first answer. Kept for 24 hours.',
    }),
  ),
})
type CreateDraft = Static<typeof CreateDraft>

const create: DraftTool<CreateDraft, CreatePieceResponse> = {
  name: 'create_draft',
  title: 'Create draft',
  description:
    'Make a new draft for the writer whose key this is. It makes drafts only: nobody else sees it, and a person publishes it at the desk. Give the edit_url of the answer to the writer. Pass an idempotency_key if you may have to repeat the call. To change it later use update_draft; a new draft is at revision 1.',
  takes: CreateDraft,
  answers: CreatePieceResponse,
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  async ask({ writes, holder, saving, noneLeft }, { idempotency_key: given, ...body }) {
    const idempotencyKey = given === undefined ? null : assertVisibleAscii(given, '/idempotency_key')
    const { answer } = await saving((mayCreate) => createDraft(writes, holder, body, { idempotencyKey, mayCreate }))
    if (answer === null) throw noneLeft()
    return answer
  },
}

/** What the routes return, plus the revision they send in a header. */
const DraftFound = Type.Object({ ...MyPieceFound.properties, revision: Type.Integer() })
type DraftFound = MyPieceFound & { readonly revision: number }

const withRevision = ({ body, etag }: WithEtag<MyPieceFound>): DraftFound => ({ ...body, revision: revisionOf(etag) })

const UpdateDraft = Type.Object({
  ...OnePiece.properties,
  revision: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The revision your change is based on, as get_draft or update_draft answered it; 1 for a new draft.',
  }),
  ...forTools(EditPieceBody.properties),
})
type UpdateDraft = Omit<Static<typeof UpdateDraft>, 'revision'> & { readonly revision?: number }

const update: DraftTool<UpdateDraft, DraftFound> = {
  name: 'update_draft',
  title: 'Update draft',
  description:
    'Change a draft this key made, or, if the key has the scope drafts:edit, any draft of its writer: what is passed replaces what was there, the rest stays. Call get_draft first and pass its revision; if somebody saved in between, the call is refused and nothing is overwritten. Changes drafts only; a person publishes at the desk, and every earlier text stays in the history there.',
  takes: UpdateDraft,
  words: { id: idDescription },
  // The defaults of a new draft do not apply to an update.
  more: { ...idBounds, ...withoutDefaults(['category', 'frame', 'style', 'locale']) },
  demanded: ['revision'],
  answers: DraftFound,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  async ask({ writes, holder, saving, noneLeft }, { id, revision, ...changes }) {
    const ifMatch = revision === undefined ? undefined : etagOf(revision)
    const edited = await saving(async (left) => {
      if (!left) throw noneLeft()
      return editDraft(writes, holder, idIn(id), changes, ifMatch)
    })
    return withRevision(edited)
  },
}

const get: DraftTool<OnePiece, DraftFound> = {
  name: 'get_draft',
  title: 'Get draft',
  description:
    'One piece of the writer whose key this is, with its whole text while it is a draft, and the revision that update_draft asks for. Drafts this key did not make need the scope drafts:read. Of a piece that is past being a draft body_md is null: use edit_url to show it to the writer.',
  takes: OnePiece,
  words: { id: idDescription },
  more: idBounds,
  answers: DraftFound,
  hints: reads,
  ask: async ({ writes, holder }, { id }) => withRevision(await myPiece(writes, holder, idIn(id))),
}

const list: DraftTool<MyPieces, MyPieceList> = {
  name: 'list_my_pieces',
  title: 'List my pieces',
  description:
    'The pieces of the writer whose key this is, newest first, without bodies: drafts, and what became of them (pending, approved, rejected, changes_requested). Read one with get_draft.',
  takes: MyPieces,
  answers: MyPieceList,
  hints: reads,
  ask: ({ writes, holder }, asked) => myPieces(writes, holder, asked),
}

/** In a stable order, since clients cache it. No prompts and no resources. */
export const draftCatalogue: Catalogue<KeyCall> = {
  tools: [draftTool(create), draftTool(update), draftTool(get), draftTool(list)],
  prompts: [],
  resources: [],
  templates: [],
}

const idIn = (given: string): string => uuidIn(given.trim()).toLowerCase()

function withoutDefaults(members: readonly string[]) {
  return Object.fromEntries(members.map((member) => [member, { default: undefined }]))
}

/** What a tool call with a key may use: the same as the write API with that key. */
export interface KeyCall extends Call {
  readonly writes: WriteContext
  readonly holder: KeyHolder
  /** Counts a write; throws if the quota is used up. */
  countWrite(): Promise<void>
  /** As in the write API's quotas. */
  saving<Done extends { readonly saved: boolean }>(work: (left: boolean) => Promise<Done>): Promise<Done>
  readonly noneLeft: Quotas['noneLeft']
  /** Called with the names of arguments that were sent and ignored. */
  noteIgnored(names: readonly string[]): void
}

/** A tool that does what a route of the write API does, with the same response body and the same errors. */
interface DraftTool<Asked, Body> extends Described {
  readonly hints: Hints
  ask(by: KeyCall, asked: Asked): Promise<Body>
}

function draftTool<Asked, Body>(tool: DraftTool<Asked, Body>): Tool<KeyCall> {
  const { name, answers, hints, ask } = tool
  const { definition, names, read } = formOf<Asked>(tool, hints, [DraftPiece, MyPieceListItem])
  const run = async (given: Params, by: KeyCall): Promise<Body> => {
    if (!hints.readOnlyHint) await by.countWrite()
    const { asked, wrong } = read(given)
    if (!wrong) return ask(by, asked)
    by.noteIgnored(wrong.unknown)
    throw invalid([...(wrong.error?.errors ?? []), ...unknownArguments(wrong.unknown, names)])
  }
  return {
    definition,
    async call(given, by) {
      try {
        const answer = by.write(answers, await run(given, by))
        by.onOutcome(name, 'answered')
        return succeeded(answer)
      } catch (failure) {
        const refusal = refusalOf(failure)
        by.onOutcome(name, refusal ? 'refused' : 'failed')
        // The key was revoked while the call ran: rejected like any request with a revoked key.
        if (refusal?.reason === 'invalid_key') throw failure
        return failed(JSON.stringify(errorBody(refusal ?? serverFault(failure, by), by.requestId)))
      }
    },
  }
}

/** Where the write API mentions addresses and headers, a tool mentions tools and arguments. */
const toolMessages: Readonly<Partial<Record<Reason, string>>> = {
  not_found: 'You have no piece with this id. Call list_my_pieces to see your pieces.',
  precondition_required:
    'Pass the revision that get_draft returned, so that no other change is lost. A new draft is at revision 1.',
  idempotency_conflict: 'A call with this idempotency_key is still being processed. Call again in a second.',
  idempotency_mismatch: 'This idempotency_key was used with other arguments. Use a new one for a new piece.',
}

/** Returns an error the caller can fix; undefined if the fault is ours. */
function refusalOf(failure: unknown): ServiceError | undefined {
  if (!(failure instanceof ServiceError) || failure.status >= 500) return undefined
  const { status, reason, message, errors } = failure
  return new ServiceError(status, reason, toolMessages[reason] ?? message, errors ? { errors } : {})
}

const serverFault = (failure: unknown, by: Call): ServiceError =>
  failure instanceof ServiceError && ['overloaded', 'database_away'].includes(failure.reason)
    ? failure
    : new ServiceError(500, 'internal', unanswerable(by, failure))

const maxNamed = 5

/**
 * Unknown arguments are rejected: a model that gets an error corrects its call, one that does not assumes they worked.
 */
const unknownArguments = (unknown: readonly string[], names: readonly string[]): FieldProblem[] =>
  unknown.slice(0, maxNamed).map((name) => ({
    pointer: pointerTo(name),
    code: 'unknown_argument',
    detail: publishingFields.includes(name)
      ? 'is not an argument: only the writer can publish, at the desk'
      : `is not an argument (there are ${names.join(', ')})`,
  }))
