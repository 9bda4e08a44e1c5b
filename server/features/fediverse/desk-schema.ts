import Type, { type Static } from 'typebox'
import { dateTime, nullable, ok } from '#platform/common-schemas.ts'

/** Wire shapes of the desk API for the fediverse. */

const state = {
  /** `ada@example.org`. */
  address: Type.String(),
  is_on: Type.Boolean(),
  followers: Type.Integer(),
}

export const OwnFediverse = Type.Object({ ok, ...state })
export type OwnFediverse = Static<typeof OwnFediverse>

export const SwitchFediverse = Type.Object({ is_on: Type.Boolean() })

const BlockedServer = Type.Object({ host: Type.String(), reason: nullable(Type.String()), blocked_at: dateTime })

export const SiteFediverse = Type.Object({ ok, site: Type.Object(state), blocked: Type.Array(BlockedServer) })
export type SiteFediverse = Static<typeof SiteFediverse>

const longestBlockReason = 500

export const OneServer = Type.Object({ host: Type.String({ maxLength: 253 }) })
export const BlockServer = Type.Object({
  reason: Type.Optional(nullable(Type.String({ maxLength: longestBlockReason, 'x-printable': true }))),
})
