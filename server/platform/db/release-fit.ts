import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import { migrationsFolder } from './migrate.ts'

/**
 * Whether this release and the database fit. A process works with a database that has all its migrations, and with those
 * of later releases until one of them needs a migration that the process does not know (`-- needs:` in its file).
 */
export interface ReleaseFit {
  readonly missing: readonly string[]
  /** Of later releases. */
  readonly unknown: readonly string[]
  /** What later releases need of every process, and this one does not know. */
  readonly needed: readonly string[]
}

const question = `
  select array(select name from unnest($1::text[]) as known (name)
                where not exists (select from public.migrations m where m.name = known.name)) as missing,
         array(select name from public.migrations where name <> all ($1) order by name) as unknown,
         array(select distinct needs from public.migrations where needs <> all ($1) order by needs) as needed`

/** No table, column or right: the database is of a release that did not have them yet. */
const older = ['42P01', '42703', '42501']

let known: Promise<string[]> | undefined

/** As any role. */
export async function releaseFitOf(ask: (query: pg.QueryConfig) => Promise<unknown[]>): Promise<ReleaseFit> {
  known ??= readdir(migrationsFolder).then((names) => names.filter((name) => name.endsWith('.sql')).sort())
  const names = await known
  try {
    return (await ask({ text: question, values: [names] }))[0] as ReleaseFit
  } catch (error) {
    if (!older.includes((error as { code?: string }).code ?? '')) throw error
    return { missing: names, unknown: [], needed: [] }
  }
}

/** Why a process of this release cannot work with the database, and what to do; undefined if it can. */
export function misfitOf({ missing, needed }: ReleaseFit): string | undefined {
  if (needed.length > 0)
    return `This release is too old for the database, which needs one that has ${needed.join(' and ')}. Start a newer release.`
  return missing.length > 0
    ? 'The database is older than this release: migrations are missing. Run: standfirst migrate'
    : undefined
}
