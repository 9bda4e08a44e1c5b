import type pg from 'pg'
import type { Sealer } from '#platform/crypto.ts'
import { actorKeyContext } from './keys.ts'

const batch = 500

/**
 * A rotation of `SECRETS_KEY`: the private keys of the next batch of actors, those after `after`. What no key decrypts stays as
 * it is. Returns the last id of the batch, or undefined at the end.
 */
export async function resealActors(owner: pg.ClientBase, sealer: Sealer, after: string): Promise<string | undefined> {
  const { rows } = await owner.query<{ readonly id: string; readonly sealed: Buffer }>(
    'select id, private_key as sealed from app.fediverse_actors where id > $1 order by id limit $2 for no key update',
    [after, batch],
  )
  for (const { id, sealed } of rows.filter((row) => !sealer.isNewest(row.sealed))) {
    const text = sealer.open(sealed, actorKeyContext(id))
    if (text === undefined) continue
    await owner.query('update app.fediverse_actors set private_key = $2 where id = $1', [
      id,
      sealer.seal(text, actorKeyContext(id)),
    ])
  }
  return rows.length < batch ? undefined : rows.at(-1)!.id
}
