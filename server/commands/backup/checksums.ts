import pg from 'pg'
import { CommandError } from '../command-error.ts'

/** What stands in a table, in a few characters: how many rows, and a sum over all of them that no order changes. */
export interface TableSum {
  readonly name: string
  readonly rows: string
  readonly sum: string
}

/** One connection that sees every row, and writes values the same way wherever it runs. */
export async function openWhole(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5000,
    application_name: 'standfirst backup',
    options: [
      'row_security=off',
      'timezone=UTC',
      'datestyle=ISO',
      'intervalstyle=postgres',
      'bytea_output=hex',
      'extra_float_digits=1',
      'statement_timeout=0',
      'idle_in_transaction_session_timeout=0',
    ]
      .map((setting) => `-c ${setting}`)
      .join(' '),
  })
  await client.connect()
  try {
    await demandSight(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}

/**
 * Tables that hide rows from whoever asks: row security counts there, and no policy shows them everything. The owner of a
 * table is hidden nothing unless it is forced; the owner of the site is a member of svc_publisher too, whom policies show
 * all of app.pieces and app.products.
 */
const hiding = `
  select format('%I.%I', nspname, relname) as name
    from pg_class rel join pg_namespace wing on wing.oid = relnamespace
   where nspname in ('app', 'pub', 'jobs', 'search') and relkind in ('r', 'p') and relrowsecurity
     and (relforcerowsecurity or not pg_has_role(current_user, relowner, 'usage'))
     and (exists (select from pg_policy where polrelid = rel.oid and not polpermissive)
       or not exists (select from pg_policy
                       where polrelid = rel.oid and polpermissive and polcmd in ('r', '*')
                         and pg_get_expr(polqual, polrelid) = 'true'
                         and exists (select from unnest(polroles) as one
                                      where one = 0 or pg_has_role(current_user, one, 'usage'))))
   order by 1`

/** Whoever does not see every row cannot back up all of them. Without bypassrls, policies must show them. */
export async function demandSight(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; passes: boolean }>(
    'select rolname as name, rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user',
  )
  const { name, passes } = rows[0]!
  if (passes) return
  const { rows: hidden } = await client.query<{ name: string }>(hiding)
  if (hidden.length > 0)
    throw new CommandError(
      `${name} does not see every row of ${hidden.map((one) => one.name).join(', ')}, so a backup would not be whole. Run standfirst migrate, or once: grant svc_owner, svc_publisher to ${pg.escapeIdentifier(name)}`,
    )
  await client.query('set row_security = on')
}

/** PostgreSQL's version, as far as programs must agree with it. */
export async function majorOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    "select current_setting('server_version_num')::integer as number",
  )
  return Math.floor(rows[0]!.number / 10_000)
}

/** Unlogged tables are in no backup, nor is what search has filed. */
const tablesThatLast = `
  select format('%I.%I', nspname, relname) as name
    from pg_class rel join pg_namespace wing on wing.oid = relnamespace
   where nspname in ('app', 'pub', 'jobs') and relkind = 'r' and relpersistence = 'p'
   order by 1`

export async function sumTables(client: pg.Client): Promise<TableSum[]> {
  const { rows: tables } = await client.query<{ name: string }>(tablesThatLast)
  const sums: TableSum[] = []
  for (const { name } of tables) {
    // A row as text, hashed; the first 64 bits of all hashes, added up.
    const { rows } = await client.query<{ rows: string; sum: string }>(
      `select count(*)::text as rows,
              coalesce(sum(('x' || encode(substring(sha256(convert_to(one::text, 'UTF8')) for 8), 'hex'))::bit(64)::bigint),
                       0)::text as sum
         from only ${name} as one`,
    )
    sums.push({ name, ...rows[0]! })
  }
  return sums
}

/** In words; none if they are the same. */
export function differences(expected: readonly TableSum[], found: readonly TableSum[]): string[] {
  const there = new Map(found.map((one) => [one.name, one]))
  const wrong = expected.flatMap(({ name, rows, sum }) => {
    const one = there.get(name)
    there.delete(name)
    if (!one) return [`${name} is missing`]
    if (one.rows !== rows) return [`${name} has ${one.rows} rows instead of ${rows}`]
    return one.sum === sum ? [] : [`${name} has other rows`]
  })
  return [...wrong, ...[...there.keys()].map((name) => `${name} is one too many`)]
}

export interface DatabaseRight {
  readonly grantee: string
  readonly right: string
}

/** Those on the database itself, of everybody and of the roles of the site: no dump of one database has them. */
export async function databaseRights(client: pg.Client): Promise<DatabaseRight[]> {
  const { rows } = await client.query<DatabaseRight>(`
    select case when grantee = 0 then 'public' else pg_get_userbyid(grantee) end as grantee, privilege_type as right
      from pg_database, aclexplode(coalesce(datacl, acldefault('d', datdba)))
     where datname = current_database() and (grantee = 0 or pg_get_userbyid(grantee) ~ '^svc_')
     order by 1, 2`)
  return rows
}

export async function grantDatabaseRights(client: pg.Client, rights: readonly DatabaseRight[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  const { name } = rows[0]!
  await client.query(`revoke all on database ${name} from public`)
  for (const { grantee, right } of rights) {
    // They become SQL: nothing else may.
    if (!/^(public|svc_[a-z]+)$/.test(grantee) || !/^[A-Z]+$/.test(right)) throw new Error('not a right of the site')
    await client.query(`grant ${right} on database ${name} to ${grantee}`)
  }
}
