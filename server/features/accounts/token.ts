import type { Database } from '#platform/db/database.ts'
import { hashOf } from '#platform/secret.ts'

/** Whom the link in a letter is for. */
export interface TokenHolder {
  readonly account_id: string
  readonly email: string
  readonly name: string
  readonly has_passkey: boolean
}

/** The database refuses a link that was used or is too old. */
export async function tokenHolder(db: Database, token: string, kind: 'verify' | 'reset'): Promise<TokenHolder> {
  const [holder] = await db.run<TokenHolder>({
    text: 'select * from app.token_holder($1, $2)',
    values: [hashOf(token), kind],
  })
  return holder!
}
