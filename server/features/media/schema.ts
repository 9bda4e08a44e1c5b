import Type, { type Static } from 'typebox'
import { ok } from '#platform/common-schemas.ts'

export const ForPiece = Type.Object({
  /** The piece it is for, if the desk knows it already. */
  piece: Type.Optional(Type.String({ format: 'uuid' })),
})
export type ForPiece = Static<typeof ForPiece>

export const CopyFrom = Type.Object({ url: Type.String({ minLength: 1, maxLength: 2048 }) })

export const OneMedium = Type.Object({ hash: Type.String() })
/** Such as `640.avif`. */
export const OneVariant = Type.Object({ hash: Type.String(), variant: Type.String() })

export const MediaAdded = Type.Object({
  ok,
  media: Type.Object({
    hash: Type.String(),
    /** For Markdown. */
    url: Type.String(),
    width: Type.Integer(),
    height: Type.Integer(),
    bytes: Type.Integer(),
  }),
})
export type MediaAdded = Static<typeof MediaAdded>

export const PortraitSet = Type.Object({ ok, avatar_url: Type.String() })
export type PortraitSet = Static<typeof PortraitSet>
