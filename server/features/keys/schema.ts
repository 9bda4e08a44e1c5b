import Type, { type Static } from 'typebox'
import { dateTime, nullable } from '#platform/common-schemas.ts'

/** Wire shapes of API keys in the desk API. */

const text = Type.String()
const ok = Type.Literal(true)

export const longestName = 80

/** A hundred years, which every calendar supports. */
export const maxLifeDays = 36_500

/** The specification gives it to every key: creating drafts, listing pieces, and full access to drafts this key created. */
const leastScope = 'pieces:write'

/** Optional scopes, for drafts the key did not create. */
export const moreScopes = ['drafts:read', 'drafts:edit', 'drafts:delete'] as const
type MoreScope = (typeof moreScopes)[number]

/** The scopes of a new key, in a fixed order and without duplicates. */
export const scopesOf = (chosen: readonly string[]): readonly string[] => [
  leastScope,
  ...moreScopes.filter((scope) => chosen.includes(scope)),
]

/** If the writer sets no expiry. */
export const defaultLifeDays = 365

export const MintKey = Type.Object({
  name: Type.String({ maxLength: longestName, 'x-visible': true, 'x-printable': true }),
  /** Null for a key that never expires; a year from now if omitted. */
  expires_at: Type.Optional(nullable(dateTime)),
  /** Besides `pieces:write`, which every key has. */
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
  /** Returned only here. */
  key: text,
  prefix: text,
})
export type KeyMinted = Static<typeof KeyMinted>

export const OneKey = Type.Object({ id: text })

const said = Type.Optional(Type.String({ maxLength: 4096 }))

/** The format of the GitHub secret scanning partner program. We use only the token. */
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
