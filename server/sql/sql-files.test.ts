import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { policy } from '#config/policy.ts'
import { scratchDatabase, testDatabase } from '../../testkit/database.ts'
import { migrate } from './migrate.ts'
import { readSqlFiles, sqlFolder } from './sql-files.ts'

const { url, admin } = await testDatabase()
const files = await readSqlFiles()

test('every policy number is used by the SQL that enforces it, and no name is left in what is applied', async () => {
  const sources = await Promise.all(files.map(({ path }) => readFile(new URL(path, sqlFolder), 'utf8')))
  const text = sources.join('\n')
  const unused = Object.entries(policy).filter(([name, value]) =>
    typeof value === 'number' ? !new RegExp(`:${name}\\b`).test(text) : !text.includes(`:'${name}'`),
  )
  assert.deepEqual(unused, [])
  assert.deepEqual(
    files.filter(({ text }) => /(?<![:\w]):'\w+'/.test(text)).map(({ path }) => path),
    [],
  )
})
const paths = (kind: string) => files.map(({ path }) => path).filter((path) => path.startsWith(`${kind}/`))
const schemas = "('app', 'pub', 'search')"

async function list(sql: string): Promise<string[]> {
  const { rows } = await admin.query<{ path: string }>(sql)
  return rows.map(({ path }) => path).sort()
}

test('every function of the database has a file, and every file its function', async () => {
  assert.deepEqual(
    paths('functions').sort(),
    await list(`select distinct format('functions/%s/%s.sql', nspname, proname) as path
                  from pg_proc join pg_namespace n on n.oid = pronamespace where nspname in ${schemas}`),
  )
})

test('every trigger is in the file of its table, and so is every policy', async () => {
  const text = new Map(files.map((file) => [file.path, file.text]))
  const { rows } = await admin.query<{ path: string; statement: string }>(`
    select format('triggers/%s.sql', tgrelid::regclass) as path, format('trigger %s', tgname) as statement
      from pg_trigger where not tgisinternal and tgparentid = 0
       and tgrelid in (select oid from pg_class where relnamespace::regnamespace::text in ${schemas})
    union all
    select format('policies/%s.%s.sql', schemaname, tablename), format('create policy %s', policyname) from pg_policies
     where schemaname in ${schemas}`)
  assert.ok(rows.length > 100)
  assert.deepEqual(
    rows.filter(({ path, statement }) => !new RegExp(`${statement}\\b`).test(text.get(path) ?? '')),
    [],
  )
  const made = rows.length
  const written = ['triggers', 'policies']
    .flatMap(paths)
    .flatMap((path) => text.get(path)!.match(/^create (or replace )?(constraint )?(trigger|policy) /gm) ?? [])
  assert.equal(written.length, made, 'a file makes one that the database does not have')
})

test('a file whose content changed is applied once, and no other', async () => {
  await admin.query("update public.sql_files set hash = 'of another content' where path = 'functions/app/key_may.sql'")
  await admin.query("update public.sql_files set hash = 'of another' where path = 'policies/app.audit.sql'")
  const lines: string[] = []
  await migrate(url, (line) => lines.push(line))
  assert.deepEqual(lines, ['Applied changed files: 1 function, 0 triggers, 1 policy'])
  await migrate(url, (line) => lines.push(line))
  assert.equal(lines.length, 1)
})

test('a database of the releases before the baseline goes on with it, and one that is older is told what to do', async () => {
  const { url: older, admin: olderAdmin } = await scratchDatabase()
  await migrate(older)
  await olderAdmin.query(
    "update public.migrations set name = '0043_index_lease.sql' where name = '0001_baseline.sql'; delete from public.sql_files",
  )
  assert.deepEqual(await migrate(older), ['0001_baseline.sql'])
  await olderAdmin.query(
    "delete from public.migrations; insert into public.migrations values ('0041_proof_of_text.sql')",
  )
  await assert.rejects(migrate(older), /before 0043_index_lease\.sql, which this release can’t update/)
})

const { rowCount: isAvailable } = await admin.query("select from pg_available_extensions where name = 'plpgsql_check'")

test('no function names a table, column or function that is not there', {
  skip: !isAvailable && 'postgresql-15-plpgsql-check is not installed (sudo bash .ci/engines)',
}, async () => {
  await admin.query('create extension if not exists plpgsql_check')
  const { rows } = await admin.query<{ name: string; found: string }>(`
    with functions as (
      select p.oid, p.oid::regprocedure::text as name, coalesce(t.tgrelid, 0) as relation, tgoldtable, tgnewtable
        from pg_proc p join pg_language l on l.oid = prolang
        left join lateral (select tgrelid, max(tgoldtable) as tgoldtable, max(tgnewtable) as tgnewtable
                             from pg_trigger where tgfoid = p.oid group by tgrelid) t on true
       where lanname = 'plpgsql' and pronamespace::regnamespace::text in ${schemas}
         and (prorettype <> 'trigger'::regtype or t.tgrelid is not null))
    select name, format('line %s: %s', c.lineno, c.message) as found
      from functions, lateral plpgsql_check_function_tb(oid, relation, fatal_errors => false, other_warnings => false,
        extra_warnings => false, oldtable => tgoldtable, newtable => tgnewtable) c`)
  assert.deepEqual(rows, [])
})
