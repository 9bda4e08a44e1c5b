import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type pg from 'pg'
import { withPolicy } from '#config/policy.ts'
import { cliTranslator } from '#messages/cli.ts'
import { applyOnce, type Report } from './migration-steps.ts'

const t = cliTranslator()

/**
 * Functions, triggers and policies, each in a file with its current definition. `migrate` applies a file when its
 * content changed, after the migrations, which change tables and data, drop functions and change signatures.
 */

export const sqlFolder = new URL('./', import.meta.url)

export interface SqlFile {
  /** Relative to server/sql, such as `functions/app/desk_publish.sql`. */
  readonly path: string
  readonly text: string
  readonly hash: string
}

/** In this order: what a new trigger does in a publication needs the rights that policies grant. */
const kinds = ['functions', 'policies', 'triggers'] as const

export async function readSqlFiles(): Promise<SqlFile[]> {
  const names = await Promise.all(
    kinds.map(async (kind) =>
      (await readdir(new URL(`${kind}/`, sqlFolder), { recursive: true }))
        .filter((name) => name.endsWith('.sql'))
        .sort()
        .map((name) => `${kind}/${name}`),
    ),
  )
  return Promise.all(
    names.flat().map(async (path) => {
      const text = await readSqlFile(path)
      return { path, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** One file below server/sql, with the numbers of policy.ts in it. */
export const readSqlFile = async (path: string): Promise<string> =>
  withPolicy(await readFile(new URL(path, sqlFolder), 'utf8'))

/** Every content that was ever applied: a process of an earlier release finds its own, and works with what came later. */
export const sqlFilesTable = `
  create table if not exists public.sql_files (
    path text not null, hash text not null, applied_at timestamptz not null default clock_timestamp(),
    primary key (path, hash));
  grant select on public.sql_files to svc_public, svc_api, svc_desk, svc_worker`

/** Recorded once all files of a release are applied, so that a process checks one row instead of one per file. */
export const wholeSet = (files: readonly SqlFile[]): Pick<SqlFile, 'path' | 'hash'> => {
  const hash = createHash('sha256')
  for (const file of files) hash.update(`${file.path} ${file.hash}\n`)
  return { path: 'functions, triggers and policies', hash: hash.digest('hex') }
}

/** Files whose current content is not the last applied. */
export async function changedSqlFiles(client: pg.ClientBase, files: readonly SqlFile[]): Promise<SqlFile[]> {
  const { rows: known } = await client.query("select to_regclass('public.sql_files') is not null as exists")
  const { rows } = known[0].exists
    ? await client.query<{ path: string; hash: string }>(
        'select distinct on (path) path, hash from public.sql_files order by path, applied_at desc',
      )
    : { rows: [] }
  const applied = new Map(rows.map(({ path, hash }) => [path, hash]))
  return files.filter(({ path, hash }) => applied.get(path) !== hash)
}

/**
 * Functions lock no table, so all change together in one transaction. A trigger or policy locks its table for an
 * instant, so each file has its own transaction, which is retried if the lock is not available.
 */
export async function applySqlFiles(client: pg.ClientBase, report: Report): Promise<void> {
  const all = await readSqlFiles()
  const files = await changedSqlFiles(client, all)
  const functions = files.filter(({ path }) => path.startsWith('functions/'))
  if (functions.length > 0) {
    const texts = functions.map(({ text }) => text).join('\n')
    await applied(client, functions, `${functionsBegin}\n${texts}\n${functionsEnd}`)
  }
  for (const file of files) if (!functions.includes(file)) await applied(client, [file], file.text)
  await note(client, [wholeSet(all)])
  if (files.length > 0) report(t('cli.migrate.applied_files', countsOf(files)))
}

/** A body may refer to functions of other files. The publisher owns functions and may create them only here. */
const functionsBegin = `set local check_function_bodies = off;
set local role svc_owner;
grant create on schema app to svc_publisher;`
const functionsEnd = `set local role svc_owner;
revoke create on schema app from svc_publisher;`

async function note(client: pg.ClientBase, files: readonly Pick<SqlFile, 'path' | 'hash'>[]): Promise<void> {
  await client.query(
    `insert into public.sql_files (path, hash) select * from unnest($1::text[], $2::text[])
     on conflict (path, hash) do update set applied_at = clock_timestamp()`,
    [files.map(({ path }) => path), files.map(({ hash }) => hash)],
  )
}

async function applied(client: pg.ClientBase, files: readonly SqlFile[], text: string): Promise<void> {
  await applyOnce(client, text, () => note(client, files)).catch((cause: Error) => {
    const what = files.length === 1 ? files[0]!.path : 'server/sql/functions'
    throw new Error(t('cli.migrate.failed', { name: what, reason: cause.message }), { cause })
  })
}

function countsOf(files: readonly SqlFile[]): Record<(typeof kinds)[number], number> {
  const count = (kind: string): number => files.filter(({ path }) => path.startsWith(`${kind}/`)).length
  return { functions: count('functions'), triggers: count('triggers'), policies: count('policies') }
}

/** The table that a file of triggers or policies locks, and how. */
export function lockOf({ path }: SqlFile): { readonly table: string; readonly mode: string } | undefined {
  const [, kind, table] = /^(triggers|policies)\/(\w+\.\w+)\.sql$/.exec(path) ?? []
  if (!table) return undefined
  return { table, mode: kind === 'triggers' ? 'ShareRowExclusiveLock' : 'AccessExclusiveLock' }
}
