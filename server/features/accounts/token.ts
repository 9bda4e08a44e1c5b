import type { Database } from '#platform/db/database.ts'
import { hashOf } from '#platform/secret.ts'

/** Whom the link in a letter is for. */
export interface TokenHolder {
  readonly account_id: string
  readonly email: string
  readonly name: string
}

/** What a link in a letter opens: a new account, or a new password. */
export const linkKinds = ['verify', 'reset'] as const
export type LinkKind = (typeof linkKinds)[number]

/** What opens an account, or shows its drafts. */
export interface WayIn {
  readonly kind: 'passkey' | 'key' | 'link'
  readonly id: string
  readonly name: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** Shown before a new password is set by a link: its owner selects what to remove. */
export const waysIn = (db: Database, token: string): Promise<WayIn[]> =>
  db.run<WayIn>({ text: 'select * from app.ways_in($1)', values: [hashOf(token)] })

/** Uses nothing up. The database refuses a link that was used or is too old. */
export async function tokenHolder(db: Database, token: string, kind: LinkKind): Promise<TokenHolder> {
  const [holder] = await db.run<TokenHolder>({
    text: 'select * from app.token_holder($1, $2)',
    values: [hashOf(token), kind],
  })
  return holder!
}
