import Type, { type Static } from 'typebox'
import { policy } from '#config/policy.ts'
import { dateTime, nullable, ok } from '#platform/common-schemas.ts'
import { requestedDraft } from './desk-schema.ts'

const text = Type.String()

/** Null until they answer; `withdrawn` if they had agreed before. */
const answer = nullable(
  Type.Unsafe<'agreed' | 'declined' | 'withdrawn'>({ type: 'string', enum: ['agreed', 'declined', 'withdrawn'] }),
)

/** The co-authors of a piece, for its writer, in the order of the byline. */
export const CoAuthors = Type.Object({
  ok,
  authors: Type.Array(Type.Object({ slug: text, name: text, answer })),
})
export type CoAuthors = Static<typeof CoAuthors>

export const ChosenCoAuthors = Type.Object({
  authors: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: policy.co_authors_per_piece,
    description: 'Slugs, in the order of the byline. Who is new is invited, who is missing is removed.',
  }),
})
export type ChosenCoAuthors = Static<typeof ChosenCoAuthors>

export const FindWriters = Type.Object({ q: Type.String({ minLength: 1, maxLength: 100 }) })
export const WritersToInvite = Type.Object({ ok, writers: Type.Array(Type.Object({ slug: text, name: text })) })
export type WritersToInvite = Static<typeof WritersToInvite>

/** Pieces that a writer is invited to sign, or has signed. */
export const CoAuthorInvitations = Type.Object({
  ok,
  count: Type.Integer(),
  /** How many wait for an answer; they come first. */
  waiting: Type.Integer(),
  invitations: Type.Array(
    Type.Object({
      ...requestedDraft,
      writer: Type.Object({ slug: text, name: text }),
      invited_at: dateTime,
      answer,
    }),
  ),
})
export type CoAuthorInvitations = Static<typeof CoAuthorInvitations>

/** The draft as it is now, for a co-author who agreed. */
export const CoAuthoredPiece = Type.Object({
  ok,
  piece: Type.Object({
    id: text,
    headline: text,
    language: text,
    revision: Type.Integer(),
    body_md: text,
    is_public: Type.Boolean(),
    writer: Type.Object({ slug: text, name: text }),
  }),
})
export type CoAuthoredPiece = Static<typeof CoAuthoredPiece>

export const CoAuthorAnswer = Type.Object({ agreed: Type.Boolean() })
export type CoAuthorAnswer = Static<typeof CoAuthorAnswer>
