import Type, { type Static } from 'typebox'
import { dateTime, nullable, ok } from '#platform/common-schemas.ts'
import { email } from './schema.ts'

/** The wire shapes of invitations at the desk. */

const text = Type.String()

export const NewInvitation = Type.Object({ email: Type.Optional(email) })
export const OneInvitation = Type.Object({ invitation: text })

export const InvitationMade = Type.Object({
  ok,
  invitation: Type.Object({
    id: text,
    expires_at: dateTime,
    url: nullable(Type.String({ description: 'Shown once; null where it goes by email.' })),
  }),
})
export type InvitationMade = Static<typeof InvitationMade>

export const Invitations = Type.Object({
  ok,
  count: Type.Integer(),
  invitations: Type.Array(
    Type.Object({
      id: text,
      /** Null for the operator, and for a moderator who has left. */
      made_by: nullable(text),
      email: nullable(text),
      created_at: dateTime,
      expires_at: dateTime,
      used_at: nullable(dateTime),
      used_by: nullable(text),
    }),
  ),
})
export type Invitations = Static<typeof Invitations>
