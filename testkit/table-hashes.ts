import type pg from 'pg'

/** Every table of both wings, as a count and a hash of its rows: what must not change when somebody only reads. */
export async function contentsOf(admin: pg.Pool): Promise<Record<string, string>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
       from pg_tables where schemaname in ('pub', 'app') order by 1`,
  )
  const contents: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await admin.query<{ contents: string }>(
      `select count(*) || ' rows ' || coalesce(md5(string_agg(one::text, '|' order by one::text)), '') as contents
         from ${name} one`,
    )
    contents[name] = rows[0]!.contents
  }
  return contents
}
