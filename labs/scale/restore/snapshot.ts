import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** A moment between two commits, and every row as it was then, taken while the site goes on writing. */
export interface Moment {
  /** By the clock of the database, as pgBackRest takes it. */
  readonly time: string
  readonly ms: number
  readonly rows: Fingerprint
  /** Milliseconds that writers waited for it. */
  readonly held: number
}

/** Without it a value may be written in another way where it is read again. */
const plain = "set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'"

export async function openPlain(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query(plain)
  return client
}

/**
 * A SHARE lock is granted only when all writers have committed. Under it a second connection takes its snapshot and the
 * clock is read: what is committed by then is in the snapshot, and later commits have a later time. Then writers go on,
 * and the rows are read without a lock.
 */
export async function takeMoment(url: string): Promise<Moment> {
  const [holder, reader] = await Promise.all([openPlain(url), openPlain(url)])
  try {
    const names = (await tablesOf(holder)).map(({ name }) => name).join(', ')
    for (let tries = 1; ; tries += 1) {
      try {
        // Shorter than the writers' lock timeout, so that writers are not refused.
        await holder.query("begin; set local lock_timeout = '250ms'")
        await holder.query(`lock table only ${names.replaceAll(', ', ', only ')} in share mode`)
        break
      } catch (error) {
        await holder.query('rollback')
        if (tries === 100) throw error
        await pause(50)
      }
    }
    const began = performance.now()
    await reader.query('begin isolation level repeatable read read only')
    await reader.query('select 1')
    const { rows } = await holder.query<{ time: string; ms: string }>(
      "select to_char(t at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as time, extract(epoch from t) * 1000 as ms from clock_timestamp() as t",
    )
    // So that no commit after it has the same time.
    await pause(5)
    await holder.query('commit')
    const held = performance.now() - began
    const { time, ms } = rows[0]!
    return { time, ms: Number(ms), held, rows: await fingerprint(reader) }
  } finally {
    await Promise.all([holder.end(), reader.end()])
  }
}

/** Every row of every table, by its primary key, as a hash: what two databases are compared by. */

/** Of a table: from the key of a row to the first 128 bits of its hash. */
type Rows = ReadonlyMap<string, string>
export type Fingerprint = ReadonlyMap<string, Rows>

/** Unlogged tables are empty after a crash, and so after a restore: they hold what may be lost. */
const tablesThatLast = `
  select format('%I.%I', nspname, relname) as name,
         coalesce((select string_agg(format('one.%I', attname), ', ' order by place.ordinality)
                     from pg_index i, unnest(i.indkey) with ordinality as place (attnum, ordinality)
                     join pg_attribute a on a.attnum = place.attnum
                    where i.indrelid = rel.oid and i.indisprimary and a.attrelid = rel.oid), 'one.*') as key
    from pg_class rel join pg_namespace wing on wing.oid = relnamespace
   where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_toast' and relkind = 'r'
     and relpersistence = 'p'
   order by 1`

interface Table {
  readonly name: string
  readonly key: string
}

async function tablesOf(client: pg.Client): Promise<Table[]> {
  return (await client.query<Table>(tablesThatLast)).rows
}

const batch = 20_000

/** Uses the client's transaction, or none if there are no writers. */
export async function fingerprint(client: pg.Client): Promise<Fingerprint> {
  const found = new Map<string, Rows>()
  for (const { name, key } of await tablesOf(client)) {
    const rows = new Map<string, string>()
    // By a cursor, since a table may be larger than memory. Values are written the same way wherever this runs.
    await client.query(
      `declare every_row no scroll cursor with hold for
       select jsonb_build_array(${key})::text as key,
              left(encode(sha256(convert_to(one::text, 'UTF8')), 'hex'), 32) as hash
         from only ${name} as one`,
    )
    for (;;) {
      const { rows: some } = await client.query<{ key: string; hash: string }>(`fetch ${batch} from every_row`)
      for (const { key, hash } of some) rows.set(key, hash)
      if (some.length < batch) break
    }
    await client.query('close every_row')
    found.set(name, rows)
  }
  return found
}

export const rowsIn = (print: Fingerprint): number => [...print.values()].reduce((sum, { size }) => sum + size, 0)

/** In words, one for each row that is missing, too many or other than it was; the first of each kind by its key. */
export function differences(expected: Fingerprint, found: Fingerprint): string[] {
  const names = [...new Set([...expected.keys(), ...found.keys()])]
  return names.flatMap((name) => {
    const before = expected.get(name)
    const after = found.get(name)
    if (!before || !after) return [`${name} is ${before ? 'missing' : 'one too many'}`]
    const missing = [...before.keys()].filter((key) => !after.has(key))
    const added = [...after.keys()].filter((key) => !before.has(key))
    const changed = [...before].filter(([key, hash]) => after.has(key) && after.get(key) !== hash).map(([key]) => key)
    return Object.entries({ missing, added, changed })
      .filter(([, keys]) => keys.length > 0)
      .map(([what, keys]) => `${name}: ${keys.length} rows ${what}, the first is ${keys[0]}`)
  })
}
