import type pg from 'pg'

/** What an operator does to an account, without a browser. Undefined where nobody has the address. */

const knows = 'select id from app.accounts where email = $1 for update'

/** How many sessions there were. */
export async function endSessionsOf(owner: pg.ClientBase, email: string): Promise<number | undefined> {
  const { rows } = await owner.query<{ id: string }>(knows, [email])
  if (!rows[0]) return undefined
  const ended = await owner.query(
    `update app.sessions set revoked_at = clock_timestamp()
      where account_id = $1 and revoked_at is null and expires_at > clock_timestamp()`,
    [rows[0].id],
  )
  return ended.rowCount ?? 0
}

/** Barred, neither a session nor a key of it acts, nor is one opened; allowed, all that did not end meanwhile acts again. */
export async function setBarred(owner: pg.ClientBase, email: string, isBarred: boolean): Promise<boolean | undefined> {
  const { rows } = await owner.query<{ id: string }>(knows, [email])
  if (!rows[0]) return undefined
  const changed = await owner.query(
    `update app.accounts set disabled_at = case when $2 then clock_timestamp() end
      where id = $1 and (disabled_at is not null) <> $2`,
    [rows[0].id, isBarred],
  )
  return changed.rowCount === 1
}
