import Type, { type Static } from 'typebox'
import { dateTime, nullable } from '#platform/wire.ts'

/** Keys, as the desk shows them. */

const text = Type.String()
const ok = Type.Literal(true)

export const longestName = 80

/** A key that has an end has it within this many days: a hundred years, which every calendar takes. */
export const longestLife = 36_500

export const MintKey = Type.Object({
  name: Type.String({ maxLength: longestName, 'x-visible': true, 'x-printable': true }),
  expires_at: Type.Optional(nullable(dateTime)),
})
export type MintKey = Static<typeof MintKey>

const shown = {
  id: text,
  name: text,
  /** "pk_live_1a2b…9c0d" */
  prefix: text,
  scopes: Type.Array(text),
  created_at: dateTime,
  expires_at: nullable(dateTime),
  revoked_at: nullable(dateTime),
  last_used_at: nullable(dateTime),
}

export const KeyList = Type.Object({ ok, count: Type.Integer(), keys: Type.Array(Type.Object(shown)) })
export type KeyList = Static<typeof KeyList>

export const KeyMinted = Type.Object({
  ok,
  id: text,
  /** Shown this once. */
  key: text,
  prefix: text,
  advice: text,
})
export type KeyMinted = Static<typeof KeyMinted>

export const OneKey = Type.Object({ id: text })
