import type pg from 'pg'
import { countByKey, type KeyUse, sealedSecrets } from '#features/webhooks/secrets.ts'
import type { Sealer } from '#platform/crypto.ts'
import type { ReaderKeys } from './keys.ts'

/**
 * A rotation of `SECRETS_KEY`: everything about readers is made again with the newest key. Lists that are being imported are left:
 * they are counted, and within an hour their rows are readers or deleted.
 */

const ofReaders = `select sealed_address from app.readers where sealed_address is not null
  union all select sealed_address from app.follower_import_rows
  union all select agreed_from from app.follower_imports where agreed_from is not null
  union all select asked_from from app.follows
  union all select confirmed_from from app.follows where confirmed_from is not null`

const ofSubscribers = `select secret as sealed from app.feed_subscriptions where secret is not null
  union all select secret from app.feed_verifications where secret is not null`

const ofActors = 'select private_key as sealed from app.fediverse_actors'

/** Of all that `SECRETS_KEY` encrypts. Needs a connection as the database owner. */
export const keyUse = (owner: pg.ClientBase, sealer: Sealer): Promise<KeyUse> =>
  countByKey(owner, sealer, [sealedSecrets, ofReaders, ofSubscribers, ofActors].join(' union all '))

const batch = 500

/**
 * The next batch of readers, those after `after`. What no key decrypts stays as it is; so does the hash of an address that is
 * no longer kept. Returns the last id of the batch, or undefined at the end.
 */
export async function resealReaders(
  owner: pg.ClientBase,
  keys: ReaderKeys,
  after: string,
): Promise<string | undefined> {
  const { rows } = await owner.query<{ id: string; sealed_address: Buffer | null }>(
    'select id, sealed_address from app.readers where id > $1 order by id limit $2 for no key update',
    [after, batch],
  )
  const resealed = rows.flatMap(({ id, sealed_address: sealed }) => {
    const address = sealed === null || keys.isNewest(sealed) ? undefined : keys.openAddress(sealed, id)
    return address === undefined ? [] : { id, address }
  })
  await owner.query(
    `with changed as (
       update app.readers r set sealed_address = new.sealed, address_hash = new.hash, domain_hash = new.domain
         from unnest($1::uuid[], $2::bytea[], $3::bytea[], $4::bytea[]) as new (id, sealed, hash, domain)
        where r.id = new.id returning r.id, r.domain_hash
     ), moved as (
       update app.reader_emails e set domain_hash = c.domain_hash from changed c
        where e.reader_id = c.id and e.state in ('pending', 'cancelled') returning e.domain_hash, e.due_at
     )
     select app.line_up_emails(m.domain_hash, min(m.due_at)) from moved m group by m.domain_hash order by m.domain_hash`,
    [
      resealed.map(({ id }) => id),
      resealed.map(({ id, address }) => keys.sealAddress(address, id)),
      resealed.map(({ address }) => keys.addressHashes(address)[0]),
      resealed.map(({ address }) => keys.domainHash(address)),
    ],
  )
  await resealNetworks(
    owner,
    keys,
    rows.map(({ id }) => id),
  )
  return rows.length < batch ? undefined : rows.at(-1)!.id
}

interface Networks {
  readonly reader_id: string
  readonly subject: string
  readonly asked_from: Buffer
  readonly confirmed_from: Buffer | null
}

async function resealNetworks(owner: pg.ClientBase, keys: ReaderKeys, readers: readonly string[]): Promise<void> {
  const { rows } = await owner.query<Networks>(
    'select reader_id, subject, asked_from, confirmed_from from app.follows where reader_id = any ($1) for no key update',
    [readers],
  )
  const old = rows.filter(({ asked_from, confirmed_from }) =>
    [asked_from, confirmed_from].some((sealed) => sealed !== null && !keys.isNewest(sealed)),
  )
  const resealed = (sealed: Buffer | null): Buffer | null => {
    const network = sealed === null || keys.isNewest(sealed) ? undefined : keys.openNetwork(sealed)
    return network === undefined ? sealed : keys.sealNetwork(network)
  }
  await owner.query(
    `update app.follows f set asked_from = new.asked_from, confirmed_from = new.confirmed_from
       from unnest($1::uuid[], $2::text[], $3::bytea[], $4::bytea[]) as new (reader_id, subject, asked_from, confirmed_from)
      where f.reader_id = new.reader_id and f.subject = new.subject`,
    [
      old.map(({ reader_id }) => reader_id),
      old.map(({ subject }) => subject),
      old.map(({ asked_from }) => resealed(asked_from)),
      old.map(({ confirmed_from }) => resealed(confirmed_from)),
    ],
  )
}
