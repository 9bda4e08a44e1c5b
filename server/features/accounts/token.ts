import { hashOf } from '#platform/crypto.ts'
import type { Database } from '#platform/db/database.ts'

/** The account that a link in an email belongs to. */
export interface TokenHolder {
  readonly account_id: string
  readonly email: string
  readonly name: string
}

/** What a link in an email is for: confirming a new account, or setting a new password. */
export const linkKinds = ['verify', 'reset'] as const
export type LinkKind = (typeof linkKinds)[number]

/** A credential of an account, or a private link to its drafts. */
export interface WayIn {
  readonly kind: 'passkey' | 'key' | 'link'
  readonly id: string
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** Shown before a password reset: the owner selects which to remove. */
export const waysIn = (db: Database, token: string): Promise<WayIn[]> =>
  db.run<WayIn>({ text: 'select * from app.ways_in($1)', values: [hashOf(token)] })

/** Does not use the link up. The database refuses one that was used or has expired. */
export async function tokenHolder(db: Database, token: string, kind: LinkKind): Promise<TokenHolder> {
  const [holder] = await db.run<TokenHolder>({
    text: 'select * from app.token_holder($1, $2)',
    values: [hashOf(token), kind],
  })
  return holder!
}
