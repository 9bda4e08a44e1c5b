import Type, { type Static } from 'typebox'
import { dateTime, nullable, ok } from '#platform/common-schemas.ts'
import { ChosenId } from './desk-schema.ts'
import { CreatePieceBody } from './draft-schema.ts'
import { importLimits } from './limits.ts'

/** Wire shapes of imports at the desk. */

const importServices = ['ghost', 'medium', 'substack', 'devto', 'wordpress', 'markdown'] as const
const service = Type.Unsafe<(typeof importServices)[number]>({ type: 'string', enum: [...importServices] })

/** Why an imported draft cannot be published with its date. As app.import_problem and app.desk_confirm_imports name them. */
const problems = ['date', 'headline', 'review', 'translation', 'gone', 'published', 'changed'] as const
export type ImportProblem = (typeof problems)[number]
const problem = nullable(Type.Unsafe<ImportProblem>({ type: 'string', enum: [...problems] }))

const notes = Type.Array(Type.String({ maxLength: importLimits.note }), { maxItems: importLimits.notes })

/** Made of the post, so that none is imported twice. */
export const ImportId = Type.Required(ChosenId)

export const ImportBody = Type.Object({
  draft: Type.Object(CreatePieceBody.properties),
  service,
  /** When it was published, as the export has it. A date that cannot be is not kept. */
  date: nullable(Type.String({ format: 'date-time', maxLength: 35 })),
  /** What was not carried over. */
  notes,
})
export type ImportBody = Static<typeof ImportBody>

const uuid = Type.String({ format: 'uuid' })

const ImportedDraft = Type.Object({
  id: uuid,
  headline: Type.String(),
  revision: Type.Integer(),
  category: Type.String(),
  /** False for one that has the default. */
  is_category_chosen: Type.Boolean(),
  service,
  date: nullable(dateTime),
  notes: Type.Array(Type.String()),
  problem,
})
export type ImportedDraft = Static<typeof ImportedDraft>

export const ImportedDrafts = Type.Object({
  ok,
  /** Of these, the first 500 are in `pieces`. */
  total: Type.Integer(),
  pieces: Type.Array(ImportedDraft),
  /** How many pieces this account may publish now; null if nothing limits it. */
  allowance: nullable(Type.Integer()),
})
export type ImportedDrafts = Static<typeof ImportedDrafts>

export const ConfirmImports = Type.Object({
  pieces: Type.Array(Type.Object({ id: uuid, revision: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }), {
    minItems: 1,
    maxItems: importLimits.batch,
  }),
})
export type ConfirmImports = Static<typeof ConfirmImports>

export const Confirmation = Type.Object({ ok, pieces: Type.Array(Type.Object({ id: uuid, problem })) })
export type Confirmation = Static<typeof Confirmation>
