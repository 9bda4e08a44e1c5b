import Type, { type Static } from 'typebox'
import { cursor, dateTime, limited, nextCursor, nullable, ok, searchTerm } from '#platform/common-schemas.ts'

/** What moderators see of writers, of one another, and of what a piece was before. */

const text = Type.String()

export const Before = Type.Object({
  ok,
  /** Null where no moderator has read it yet. */
  before: nullable(Type.Object({ revision: Type.Integer(), headline: text, sub: nullable(text), body_md: text })),
})
export type Before = Static<typeof Before>

export const FindWriters = Type.Object({ q: Type.Optional(searchTerm('A part of a name or of an address.', 'ada')) })
export type FindWriters = Static<typeof FindWriters>

export const FoundWriters = Type.Object({
  ok,
  count: Type.Integer(),
  writers: Type.Array(
    Type.Object({
      slug: text,
      name: text,
      identity_verified: Type.Boolean(),
      website_verified: Type.Boolean(),
      pieces_count: Type.Integer(),
      /** Moderators and operators: only the operator suspends them. */
      moderates: Type.Boolean(),
      suspended: nullable(Type.Object({ at: dateTime, reason: text })),
    }),
  ),
})
export type FoundWriters = Static<typeof FoundWriters>

export const OneWriter = Type.Object({ slug: text })

export const Identity = Type.Object({
  verified: Type.Boolean(),
  /** For other moderators: how they know. */
  note: Type.String({ maxLength: 2000, 'x-visible': true, 'x-printable': true }),
  /** The name as it was looked at: refused if it is another by now. */
  name: Type.Optional(text),
})
export type Identity = Static<typeof Identity>

export const IdentityDecided = Type.Object({ ok, slug: text, identity_verified: Type.Boolean() })
export type IdentityDecided = Static<typeof IdentityDecided>

export const Suspend = Type.Object({
  /** The writer reads it, and so do other moderators. */
  reason: Type.String({ maxLength: 2000, 'x-visible': true, 'x-printable': true }),
})

export const Suspended = Type.Object({ ok, slug: text, suspended: Type.Boolean() })
export type Suspended = Static<typeof Suspended>

export const deedLimits = { minimum: 1, maximum: 100, default: 50 } as const

export const DeedList = Type.Object({ limit: limited(deedLimits), cursor })
export type DeedList = Static<typeof DeedList>

export const DeedPage = Type.Object({
  ok,
  count: Type.Integer(),
  deeds: Type.Array(
    Type.Object({
      at: dateTime,
      act: text,
      /** Null for one who has left. */
      moderator: nullable(text),
      writer: nullable(Type.Object({ slug: text, name: text })),
      /** The headline readers have, or last had when it was decided; null where they never did. */
      piece: nullable(Type.Object({ id: text, headline: nullable(text), is_public: Type.Boolean() })),
      /** The last part of a listing's address. */
      listing: nullable(text),
      note: nullable(text),
    }),
  ),
  next_cursor: nextCursor,
})
export type DeedPage = Static<typeof DeedPage>
