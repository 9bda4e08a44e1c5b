import pg from 'pg'
import { cliTranslator } from '#messages/cli.ts'
import { CommandError } from '../command-support.ts'

const t = cliTranslator()

/** Fingerprint of a table: number of rows, and an order-independent checksum. */
export interface TableSum {
  readonly name: string
  readonly rows: string
  readonly sum: string
}

/** A connection that sees every row, and formats values the same way everywhere. */
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
    await assertAllRowsVisible(client)
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}

/**
 * Tables that hide rows from the current user: row security applies and no policy shows everything. A table's owner
 * sees all unless it is forced; the owner of the site is also a member of svc_publisher, to which policies show all of
 * app.pieces and app.products.
 */
const tablesWithHiddenRows = `
  select format('%I.%I', nspname, relname) as name
    from pg_class rel join pg_namespace ns on ns.oid = relnamespace
   where nspname in ('app', 'pub', 'jobs', 'search') and relkind in ('r', 'p') and relrowsecurity
     and (relforcerowsecurity or not pg_has_role(current_user, relowner, 'usage'))
     and (exists (select from pg_policy where polrelid = rel.oid and not polpermissive)
       or not exists (select from pg_policy
                       where polrelid = rel.oid and polpermissive and polcmd in ('r', '*')
                         and pg_get_expr(polqual, polrelid) = 'true'
                         and exists (select from unnest(polroles) as one
                                      where one = 0 or pg_has_role(current_user, one, 'usage'))))
   order by 1`

/** A backup requires that every row is visible: with bypassrls, or by policies. */
export async function assertAllRowsVisible(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string; passes: boolean }>(
    'select rolname as name, rolsuper or rolbypassrls as passes from pg_roles where rolname = current_user',
  )
  const { name, passes } = rows[0]!
  if (passes) return
  const { rows: hidden } = await client.query<{ name: string }>(tablesWithHiddenRows)
  if (hidden.length > 0)
    throw new CommandError(
      t('cli.backup.hidden_rows', {
        role: name,
        tables: t.list(hidden.map((one) => one.name)),
        command: 'standfirst migrate',
        grant: `grant svc_owner, svc_publisher to ${pg.escapeIdentifier(name)}`,
      }),
    )
  await client.query('set row_security = on')
}

/** PostgreSQL's major version. */
export async function majorOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ number: number }>(
    "select current_setting('server_version_num')::integer as number",
  )
  return Math.floor(rows[0]!.number / 10_000)
}

/** Without unlogged tables and the search index, which are not in backups. */
const persistentTables = `
  select format('%I.%I', nspname, relname) as name
    from pg_class rel join pg_namespace ns on ns.oid = relnamespace
   where nspname in ('app', 'pub', 'jobs') and relkind = 'r' and relpersistence = 'p'
   order by 1`

export async function sumTables(client: pg.Client): Promise<TableSum[]> {
  const { rows: tables } = await client.query<{ name: string }>(persistentTables)
  const sums: TableSum[] = []
  for (const { name } of tables) {
    // Hashes each row as text, and sums the first 64 bits of all hashes.
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

/** Descriptions; empty if they are equal. */
export function differences(expected: readonly TableSum[], found: readonly TableSum[]): string[] {
  const there = new Map(found.map((one) => [one.name, one]))
  const wrong = expected.flatMap(({ name, rows, sum }) => {
    const one = there.get(name)
    there.delete(name)
    if (!one) return [t('cli.restore.table_missing', { name })]
    if (one.rows !== rows) return [t('cli.restore.table_rows', { name, found: one.rows, expected: rows })]
    return one.sum === sum ? [] : [t('cli.restore.table_differs', { name })]
  })
  return [...wrong, ...[...there.keys()].map((name) => t('cli.restore.table_unexpected', { name }))]
}

export interface DatabaseRight {
  readonly grantee: string
  readonly right: string
}

/** Privileges on the database itself, of PUBLIC and the site's roles: no dump of a single database contains them. */
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
    // Interpolated into SQL, so nothing else is allowed.
    if (!/^(public|svc_[a-z]+)$/.test(grantee) || !/^[A-Z]+$/.test(right)) throw new Error('not a right of the site')
    await client.query(`grant ${right} on database ${name} to ${grantee}`)
  }
}

export const totalRows = (tables: readonly TableSum[]): number =>
  tables.reduce((total, { rows }) => total + Number(rows), 0)
