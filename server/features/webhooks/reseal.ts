import type pg from 'pg'
import { keyIdLength, type Sealer } from '#platform/encryption.ts'

/** How many secrets of webhooks, former ones too, each key of `SECRETS_KEY` has sealed, in its order. */
export interface KeyUse {
  readonly byKey: readonly number[]
  /** By none of them: nothing can be sent for these webhooks. */
  readonly byOthers: number
}

/** Whoever calls this acts as the owner. */
export async function keyUse(owner: pg.ClientBase, { keyIds }: Sealer): Promise<KeyUse> {
  const { rows } = await owner.query<{ id: string; count: number }>(
    `select encode(substring(sealed from 1 for $1), 'hex') as id, count(*)::integer as count
       from (select secret as sealed from app.webhooks
             union all select former_secret from app.webhooks where former_secret is not null) as all_of_them
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
 * Seals the next few webhooks' secrets with the first key, those of the writers after `after`. A secret that no key opens
 * stays as it is. Answers where to go on, or nothing at the end.
 */
export async function resealNext(owner: pg.ClientBase, sealer: Sealer, after: string): Promise<string | undefined> {
  const { rows } = await owner.query<Sealed>(
    `select writer_id, secret, former_secret from app.webhooks
      where writer_id > $1 order by writer_id limit $2 for no key update`,
    [after, batch],
  )
  const anew = rows.map((row) => ({
    ...row,
    secret: sealedAnew(sealer, row.secret, row.writer_id),
    former_secret: row.former_secret && sealedAnew(sealer, row.former_secret, row.writer_id),
  }))
  const changed = anew.filter(
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

/** The same bytes where there is nothing to do, or nothing that can be done. */
function sealedAnew(sealer: Sealer, sealed: Buffer, writerId: string): Buffer {
  if (sealer.isNewest(sealed)) return sealed
  const secret = sealer.open(sealed, writerId)
  return secret === undefined ? sealed : sealer.seal(secret, writerId)
}
