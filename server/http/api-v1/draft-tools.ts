import Type, { type Static } from 'typebox'
import { editDraft, myPiece, myPieces, type Tagged } from '#features/pieces/api-pieces.ts'
import {
  CreatePieceBody,
  CreatePieceResponse,
  EditPieceBody,
  MyPieceFound,
  MyPieceList,
  MyPieces,
} from '#features/pieces/draft-schema.ts'
import { createDraft } from '#features/pieces/drafts.ts'
import { etagOf, revisionOf } from '#features/pieces/etag.ts'
import { OnePiece } from '#features/pieces/schema.ts'
import type { Catalogue } from '#platform/mcp/catalogue.ts'
import { uuidIn } from '#platform/mcp/tool.ts'
import { type DraftTool, draftTool, type KeyCall } from './draft-tool.ts'
import { demandVisible } from './idempotency.ts'

/** What an agent may do with a writer's key: all that is here. Nothing publishes, nothing deletes. */

const idBounds = { id: { minLength: 1, maxLength: 500 } }
const idWords = 'The id of the piece, or its edit_url, as create_draft or list_my_pieces answered it.'
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true } as const

const CreateDraft = Type.Object({
  ...CreatePieceBody.properties,
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
    const idempotencyKey = given === undefined ? null : demandVisible(given, '/idempotency_key')
    const { answer } = await saving((mayCreate) => createDraft(writes, holder, body, { idempotencyKey, mayCreate }))
    if (answer === null) throw noneLeft()
    return answer
  },
}

/** What the routes answer, and beside it what they say in a header. */
const DraftFound = Type.Object({ ...MyPieceFound.properties, revision: Type.Integer() })
type DraftFound = MyPieceFound & { readonly revision: number }

const withRevision = ({ body, etag }: Tagged<MyPieceFound>): DraftFound => ({ ...body, revision: revisionOf(etag) })

const UpdateDraft = Type.Object({
  ...OnePiece.properties,
  revision: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The revision your change is based on, as get_draft or update_draft answered it; 1 for a new draft.',
  }),
  ...EditPieceBody.properties,
})
type UpdateDraft = Omit<Static<typeof UpdateDraft>, 'revision'> & { readonly revision?: number }

const update: DraftTool<UpdateDraft, DraftFound> = {
  name: 'update_draft',
  title: 'Update draft',
  description:
    'Change a draft this key made, or, if the key has the scope drafts:edit, any draft of its writer: what is passed replaces what was there, the rest stays. Call get_draft first and pass its revision; if somebody saved in between, the call is refused and nothing is overwritten. Changes drafts only; a person publishes at the desk, and every earlier text stays in the history there.',
  takes: UpdateDraft,
  words: { id: idWords },
  // What a new draft has if nothing is said is nothing to fill in here.
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
  words: { id: idWords },
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

/** In an order that stays, as clients keep it. No prompts and no resources: these four, and nothing else. */
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
