import Type, { type Static } from 'typebox'
import { dateTime, nullable, ok, uri } from '#platform/common-schemas.ts'

/** Private links to a piece that is not public. */

const id = Type.String({ format: 'uuid' })

export const NewLink = Type.Object({ days: Type.Unsafe<1 | 7 | 30>({ type: 'integer', enum: [1, 7, 30] }) })
export type NewLink = Static<typeof NewLink>

export const LinkMade = Type.Object({
  ok,
  /** The address is shown this once. */
  link: Type.Object({ id, url: uri, expires_at: dateTime }),
})
export type LinkMade = Static<typeof LinkMade>

export const Links = Type.Object({
  ok,
  count: Type.Integer(),
  links: Type.Array(Type.Object({ id, created_at: dateTime, expires_at: dateTime, last_seen_at: nullable(dateTime) })),
})
export type Links = Static<typeof Links>

export const OneLink = Type.Object({ id: Type.String(), link: Type.String() })
export const OnePreview = Type.Object({ token: Type.String() })
/** `own`: no picture of another server, for moderators. */
export const PreviewPictures = Type.Object({ pictures: Type.Optional(Type.Literal('own')) })
export const OnePreviewMedium = Type.Object({ token: Type.String(), hash: Type.String() })
