import type pg from 'pg'
import type { Sealer } from '#platform/crypto.ts'
import { secretContext } from './subscribe.ts'

const batch = 500

interface Sealed {
  readonly id: string
  readonly key: Buffer
  readonly secret: Buffer
}

/**
 * A rotation of `SECRETS_KEY`: the secrets of the next batch of subscribers of feeds, those after `after`. What no key decrypts
 * stays as it is. Returns the last id of the batch, or undefined at the end.
 */
export async function resealSubscribers(
  owner: pg.ClientBase,
  sealer: Sealer,
  table: 'feed_subscriptions' | 'feed_verifications',
  after: string,
): Promise<string | undefined> {
  const { rows } = await owner.query<Sealed>(
    `select id, key, secret from app.${table} where secret is not null and id > $1 order by id limit $2 for no key update`,
    [after, batch],
  )
  for (const { id, key, secret } of rows.filter(({ secret }) => !sealer.isNewest(secret))) {
    const text = sealer.open(secret, secretContext(key))
    if (text === undefined) continue
    const sealed = sealer.seal(text, secretContext(key))
    await owner.query(`update app.${table} set secret = $2 where id = $1`, [id, sealed])
  }
  return rows.length < batch ? undefined : rows.at(-1)!.id
}
