import pg from 'pg'
import { jobs } from '../../server/features/jobs.ts'
import { installQueue } from '../../server/platform/jobs/queue.ts'
import { createMigrationTables, makeRoles, readMigrations } from '../../server/sql/migrate.ts'
import type { MigrationLocks, StepLocks } from '../../server/sql/migration-locks.ts'
import { type Step, stepsOf } from '../../server/sql/migration-steps.ts'

export const generatedTypes = new URL('../../server/platform/db/schema.generated.ts', import.meta.url)

export const typesOptions = ['--dialect', 'postgres', '--include-pattern', '(app|pub).*', '--log-level', 'error']

/** The reviewed privileges; a test compares them with a migrated database. */
export const rightsFile = new URL('../../server/platform/db/rights.txt', import.meta.url)

const preface = `# Who may do what in the database, as PostgreSQL tells it. An owner may do all with its own.
# Written by \`npm run db:rights\` from a freshly migrated database; every changed line is read in review.
`

/** An owner's own rights are left out, as newer versions of PostgreSQL add to them. */
const grantsIn = (acl: string, owner: string) => `lateral (
  select string_agg(lower(privilege_type) || case when is_grantable then ' with grant option' else '' end, ', '
                    order by privilege_type) as rights,
         case when acl.grantee = 0 then 'PUBLIC' else pg_get_userbyid(acl.grantee) end as grantee
    from aclexplode(${acl}) as acl where acl.grantee <> ${owner} group by acl.grantee) as granted`

/** An extension's objects come with it, and differ between its versions. */
const ours = (catalog: string, id: string) =>
  `not exists (select from pg_depend where deptype = 'e' and classid = '${catalog}'::regclass and objid = ${id})`

const catalogue = `with wings as (
  select oid, nspname, pg_get_userbyid(nspowner) as owner, nspowner as owner_id, nspacl as acl
    from pg_namespace where nspname in ('app', 'pub', 'public', 'jobs', 'search')
), relations as (
  select rel.oid as relation_id, case relkind when 'S' then 's' else 'r' end::"char" as acl_kind,
         relrowsecurity, relforcerowsecurity, relowner as owner_id, relacl as acl,
         format('%s %s.%s', case relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'view'
                                         else 'table' end, nspname, relname) as relation,
         case when relowner = datdba then 'the owner of the database' else pg_get_userbyid(relowner) end as owner
    from pg_class rel join wings on wings.oid = relnamespace join pg_database on datname = current_database()
   where relkind in ('r', 'p', 'v', 'm', 'S', 'f') and ${ours('pg_class', 'rel.oid')}
     -- The queue's statistics have a part for each day, named by its date.
     and not (nspname = 'jobs' and relispartition and relname ~ '^queue_stats')
), routines as (
  select format('function %s.%s(%s)', nspname, proname, pg_get_function_identity_arguments(fun.oid)) as routine,
         pg_get_userbyid(proowner) as owner, proowner as owner_id, prosecdef, proconfig, proacl as acl
    from pg_proc fun join wings on wings.oid = pronamespace where ${ours('pg_proc', 'fun.oid')}
)`

/** One query for each sort of fact. Each answers with sentences that begin with what they are about. */
const facts = [
  `select format('role %s %s', rolname, concat_ws(', ',
                 case when rolcanlogin then 'may sign in' else 'may not sign in' end,
                 case when rolinherit then 'inherits' else 'does not inherit' end,
                 case when rolsuper then 'SUPERUSER' end, case when rolcreaterole then 'CREATEROLE' end,
                 case when rolcreatedb then 'CREATEDB' end, case when rolreplication then 'REPLICATION' end,
                 case when rolbypassrls then 'BYPASSRLS' end))
     from pg_roles where rolname ~ '^svc_'`,
  `select format('role %s is a member of %s', pg_get_userbyid(member), pg_get_userbyid(roleid))
     from pg_auth_members where pg_get_userbyid(member) ~ '^svc_'`,
  `select format('database grants %s to %s', rights, grantee)
     from pg_database, ${grantsIn("coalesce(datacl, acldefault('d', datdba))", 'datdba')}
    where datname = current_database()`,
  `select format('default of %s grants %s on new "%s" to %s', pg_get_userbyid(defaclrole), rights, defaclobjtype,
                 grantee)
     from pg_default_acl, ${grantsIn('defaclacl', 'defaclrole')}`,
  `select format('schema %s belongs to %s', nspname, owner) from wings`,
  `select format('schema %s grants %s to %s', nspname, rights, grantee)
     from wings, ${grantsIn("coalesce(acl, acldefault('n', owner_id))", 'owner_id')}`,
  `select format('%s belongs to %s%s%s', relation, owner, case when relrowsecurity then ', row security enabled' end,
                 case when relforcerowsecurity then ', row security forced' end) from relations`,
  `select format('%s grants %s to %s', relation, rights, grantee)
     from relations, ${grantsIn('coalesce(acl, acldefault(acl_kind, owner_id))', 'owner_id')}`,
  `select format('%s grants %s (%s) to %s', relation, one, string_agg(attname, ', ' order by attname), grantee)
     from relations join pg_attribute on attrelid = relation_id and attacl is not null,
          ${grantsIn('attacl', 'owner_id')}, string_to_table(rights, ', ') as one
    group by relation, one, grantee`,
  `select format('%s belongs to %s%s%s', routine, owner, case when prosecdef then ', security definer' end,
                 ', set ' || array_to_string(proconfig, '; ')) from routines`,
  `select format('%s grants %s to %s', routine, rights, grantee)
     from routines, ${grantsIn("coalesce(acl, acldefault('f', owner_id))", 'owner_id')}`,
  `select format('type %s.%s grants %s to %s', nspname, typname, rights, grantee)
     from pg_type typ join wings on wings.oid = typnamespace left join pg_class on pg_class.oid = typrelid,
          ${grantsIn("coalesce(typacl, acldefault('T', typowner))", 'typowner')}
    where typelem = 0 and coalesce(relkind, 'c') = 'c' and ${ours('pg_type', 'typ.oid')}`,
  `select format('policy on %s.%s, %s for %s to %s: %s%s%s', schemaname, tablename, lower(permissive), lower(cmd),
                 array_to_string(roles, ', '), policyname, ' using ' || qual, ' with check ' || with_check)
     from pg_policies where schemaname in (select nspname from wings)`,
  `select format('trigger on %s, enabled %s: %s', relation,
                 case tgenabled when 'A' then 'always' when 'O' then 'unless replicating'
                                when 'R' then 'only when replicating' else 'NEVER' end,
                 replace(pg_get_triggerdef(pg_trigger.oid), 'CREATE TRIGGER ', ''))
     from pg_trigger join relations on relation_id = tgrelid where not tgisinternal`,
]

/** Every right that the migrations give, as sorted sentences; the same text from PostgreSQL 15 to 18. */
export async function rightsOf(db: pg.ClientBase | pg.Pool): Promise<string> {
  const { rows } = await db.query<{ line: string }>(
    `${catalogue} select line from (${facts.join('\nunion all\n')}) as told (line)`,
  )
  const lines = rows.map(({ line }) => line).sort()
  const subject = (line = '') => line.split(' ')[0]
  const apart = lines.map((line, at) => (subject(line) === subject(lines[at - 1]) ? line : `\n${line}`))
  return `${preface}${apart.join('\n')}\n`
}

/** Lines that only one of two texts has: `-` for the first, `+` for the second. */
export function differingLines(before: string, after: string): string[] {
  const [were, are] = [before.split('\n'), after.split('\n')]
  return [
    ...were.filter((line) => !are.includes(line)).map((line) => `- ${line}`),
    ...are.filter((line) => !were.includes(line)).map((line) => `+ ${line}`),
  ]
}

/** What each step of each migration locks and reads whole, as PostgreSQL tells it just before the step is committed. */

export const locksFile = new URL('../../server/sql/migration-locks.json', import.meta.url)

/** With those of its indexes: on an empty table the planner takes one or the other, and both may read all of it. */
const tables = `
  select rel.oid::regclass::text as name,
         (pg_stat_get_xact_numscans(rel.oid) + coalesce(sum(pg_stat_get_xact_numscans(indexrelid)), 0))::integer as scans
    from pg_class rel join pg_namespace n on n.oid = relnamespace left join pg_index on indrelid = rel.oid
   where relkind in ('r', 'p') and nspname in ('app', 'pub', 'search', 'jobs')
   group by rel.oid`

/** A lock for reading blocks nothing, so it is left out. */
const modes = `
  select relation::regclass::text as name, array_agg(mode) as modes from pg_locks
   where pid = pg_backend_pid() and locktype = 'relation' and granted and mode <> 'AccessShareLock'
   group by relation`

/** Weakest first. */
const strength = [
  'RowShareLock',
  'RowExclusiveLock',
  'ShareUpdateExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
]

async function scansIn(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; scans: number }>(tables)
  return new Map(rows.map(({ name, scans }) => [name, scans]))
}

/** Applies one step. Tables it creates itself are left out: nothing uses them yet. */
export async function measureStep(client: pg.Client, step: Step): Promise<StepLocks> {
  if (step.kind === 'alone') {
    await client.query(step.text)
    return {
      locks: step.table ? { [step.table]: 'ShareUpdateExclusiveLock' } : {},
      reads: step.table ? [step.table] : [],
    }
  }
  await client.query('begin')
  const before = await scansIn(client)
  await client.query(step.text.replaceAll(':batch', '1'))
  await client.query('reset role')
  const after = await scansIn(client)
  const { rows } = await client.query<{ name: string; modes: string[] }>(modes)
  await client.query('commit')
  const locks = rows
    .filter(({ name }) => before.has(name))
    .map(({ name, modes }) => [name, strength.findLast((mode) => modes.includes(mode))!] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
  const reads = [...before.keys()].filter((name) => after.has(name) && after.get(name)! > before.get(name)!)
  return { locks: Object.fromEntries(locks), reads: reads.sort() }
}

/** Of every migration, applied to an empty database. */
export async function measureLocks(url: string): Promise<MigrationLocks> {
  await makeRoles(url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await createMigrationTables(client)
    await installQueue(client, jobs)
    const measured: Record<string, StepLocks[]> = {}
    for (const migration of await readMigrations()) {
      const steps: StepLocks[] = []
      for (const step of stepsOf(migration)) steps.push(await measureStep(client, step))
      measured[migration.name] = steps
      // A later one may act as the publisher, whose rights are in the policies, which are applied last.
      await client.query('grant all on all tables in schema app, pub, search to svc_publisher')
    }
    return measured
  } finally {
    await client.end()
  }
}
