import type pg from 'pg'
import { hashOf } from '#platform/secret.ts'
import type { AccountSecrets } from './context.ts'

/**
 * Seals every passkey anew, after AUTH_SECRET was changed: until then none of them opens a session. Whoever calls this
 * acts as the owner of the site. Answers how many there are.
 */
export async function resealPasskeys(owner: pg.ClientBase, secrets: AccountSecrets): Promise<number> {
  const { rows } = await owner.query<{ credential_id: Buffer }>(
    'select credential_id from app.passkeys for no key update',
  )
  for (const { credential_id } of rows) {
    await owner.query('update app.passkeys set seal_hash = $2 where credential_id = $1', [
      credential_id,
      hashOf(secrets.seal(credential_id)),
    ])
  }
  return rows.length
}
