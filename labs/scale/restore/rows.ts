import type pg from 'pg'

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

export async function tablesOf(client: pg.Client): Promise<Table[]> {
  return (await client.query<Table>(tablesThatLast)).rows
}

const batch = 20_000

/** In the transaction the client is in, or in none where nobody writes. */
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
