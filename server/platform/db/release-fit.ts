import type pg from 'pg'
import { isOfLaterRelease, readMigrations } from './migrate.ts'
import { readSqlFiles, wholeSet } from './sql-files.ts'

/**
 * Whether this release and the database fit. A process works with a database that had all its migrations and its files of
 * functions, triggers and policies applied, and with those of later releases until one of them needs a migration that the
 * process does not know (`-- needs:` in its file).
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
                where not exists (select from public.migrations m where m.name = known.name))
         || array(select $2::text where not exists (select from public.sql_files where path = $2 and hash = $3)) as missing,
         array(select name from public.migrations where name <> all ($1) order by name) as unknown,
         array(select distinct needs from public.migrations where needs <> all ($1) order by needs) as needed`

/** No table, column or right: the database is of a release that did not have them yet. */
const older = ['42P01', '42703', '42501']

let known: ReturnType<typeof readKnown> | undefined

async function readKnown() {
  const migrations = await readMigrations()
  const names = migrations.map(({ name }) => name)
  const { path, hash } = wholeSet(await readSqlFiles())
  return { names, values: [names, path, hash], isLater: isOfLaterRelease(migrations) }
}

/** As any role. */
export async function releaseFitOf(ask: (query: pg.QueryConfig) => Promise<unknown[]>): Promise<ReleaseFit> {
  known ??= readKnown()
  const { names, values, isLater } = await known
  try {
    const { missing, unknown, needed } = (await ask({ text: question, values }))[0] as ReleaseFit
    return { missing, unknown: unknown.filter(isLater), needed: needed.filter(isLater) }
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
