import Type, { type Static } from 'typebox'
import { dateTime, nullable } from '#platform/common-schemas.ts'

/** Keys, as the desk shows them. */

const text = Type.String()
const ok = Type.Literal(true)

export const longestName = 80

/** A key that has an end has it within this many days: a hundred years, which every calendar takes. */
export const longestLife = 36_500

/** What the contract gives every key: new drafts, the list of pieces, and all of the drafts this key made. */
const leastScope = 'pieces:write'

/** More, by choice, for drafts the key did not make. */
export const moreScopes = ['drafts:read', 'drafts:edit', 'drafts:delete'] as const
type MoreScope = (typeof moreScopes)[number]

/** Of a new key, in one order and each once. */
export const scopesOf = (chosen: readonly string[]): readonly string[] => [
  leastScope,
  ...moreScopes.filter((scope) => chosen.includes(scope)),
]

/** Where the writer does not say when a key ends. */
export const usualLife = 365

export const MintKey = Type.Object({
  name: Type.String({ maxLength: longestName, 'x-visible': true, 'x-printable': true }),
  /** Null for a key that has no end; a year from now where it is left out. */
  expires_at: Type.Optional(nullable(dateTime)),
  /** Beside `pieces:write`, which every key has. */
  scopes: Type.Optional(
    Type.Array(Type.Unsafe<MoreScope | typeof leastScope>({ type: 'string', enum: [leastScope, ...moreScopes] }), {
      maxItems: moreScopes.length + 1,
    }),
  ),
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

const said = Type.Optional(Type.String({ maxLength: 4096 }))

/** As the GitHub secret scanning partner programme sends them. Only the token matters to us. */
export const LeakedKeys = Type.Array(
  Type.Object({
    token: Type.String({ maxLength: 512, examples: ['pk_live_…'] }),
    type: said,
    url: said,
    source: said,
  }),
  { minItems: 1, maxItems: 100 },
)
export type LeakedKeys = Static<typeof LeakedKeys>
