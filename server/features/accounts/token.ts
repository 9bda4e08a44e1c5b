import type { Database } from '#platform/db/database.ts'
import { hashOf } from '#platform/secret.ts'

/** Whom the link in a letter is for. */
export interface TokenHolder {
  readonly account_id: string
  readonly email: string
  readonly name: string
  readonly has_passkey: boolean
}

/** What a link in a letter opens: a new account, or a new password. */
export const linkKinds = ['verify', 'reset'] as const
export type LinkKind = (typeof linkKinds)[number]

/** Uses nothing up. The database refuses a link that was used or is too old. */
export async function tokenHolder(db: Database, token: string, kind: LinkKind): Promise<TokenHolder> {
  const [holder] = await db.run<TokenHolder>({
    text: 'select * from app.token_holder($1, $2)',
    values: [hashOf(token), kind],
  })
  return holder!
}
