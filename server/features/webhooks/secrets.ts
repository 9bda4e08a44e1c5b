import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { keyIdLength, type Sealer } from '#platform/crypto.ts'

const prefix = 'whsec_'

/** 256 random bits in the format of Standard Webhooks. `hint` identifies a secret without revealing it. */
export function newSecret(): { readonly secret: string; readonly hint: string } {
  const secret = prefix + randomBytes(32).toString('base64')
  return { secret, hint: `…${secret.replace(/=+$/, '').slice(-4)}` }
}

/** How many values each key of `SECRETS_KEY` has encrypted, in its order. */
export interface KeyUse {
  readonly byKey: readonly number[]
  /** Encrypted by none of them: nothing can be sent to these webhooks or readers. */
  readonly byOthers: number
}

/** Former ones included. */
export const sealedSecrets = `select secret as sealed from app.webhooks
  union all select former_secret from app.webhooks where former_secret is not null`

/** Needs a connection as the database owner. */
export async function countByKey(owner: pg.ClientBase, { keyIds }: Sealer, sealed: string): Promise<KeyUse> {
  const { rows } = await owner.query<{ id: string; count: number }>(
    `select encode(substring(sealed from 1 for $1), 'hex') as id, count(*)::integer as count
       from (${sealed}) as all_of_them
      group by 1`,
    [keyIdLength],
  )
  const countOf = (id: string): number => rows.find((row) => row.id === id)?.count ?? 0
  return {
    byKey: keyIds.map(countOf),
    byOthers: rows.filter(({ id }) => !keyIds.includes(id)).reduce((total, { count }) => total + count, 0),
  }
}

interface Sealed {
  readonly writer_id: string
  readonly secret: Buffer
  readonly former_secret: Buffer | null
}

const batch = 500

/**
 * Re-encrypts the secrets of the next batch of webhooks, those of writers after `after`, with the first key. A secret that
 * no key decrypts stays as it is. Returns the last writer id of the batch, or undefined at the end.
 */
export async function resealNext(owner: pg.ClientBase, sealer: Sealer, after: string): Promise<string | undefined> {
  const { rows } = await owner.query<Sealed>(
    `select writer_id, secret, former_secret from app.webhooks
      where writer_id > $1 order by writer_id limit $2 for no key update`,
    [after, batch],
  )
  const resealed = rows.map((row) => ({
    ...row,
    secret: reseal(sealer, row.secret, row.writer_id),
    former_secret: row.former_secret && reseal(sealer, row.former_secret, row.writer_id),
  }))
  const changed = resealed.filter(
    ({ secret, former_secret }, at) => secret !== rows[at]!.secret || former_secret !== rows[at]!.former_secret,
  )
  await owner.query(
    `update app.webhooks w set secret = new.secret, former_secret = new.former_secret
       from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as new (writer_id, secret, former_secret)
      where w.writer_id = new.writer_id`,
    [
      changed.map(({ writer_id }) => writer_id),
      changed.map(({ secret }) => secret),
      changed.map(({ former_secret }) => former_secret),
    ],
  )
  return rows.length < batch ? undefined : rows.at(-1)!.writer_id
}

/** Returns the same buffer if it already uses the newest key, or cannot be decrypted. */
function reseal(sealer: Sealer, sealed: Buffer, writerId: string): Buffer {
  if (sealer.isNewest(sealed)) return sealed
  const secret = sealer.open(sealed, writerId)
  return secret === undefined ? sealed : sealer.seal(secret, writerId)
}
