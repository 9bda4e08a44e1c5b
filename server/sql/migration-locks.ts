import type pg from 'pg'
import measured from '#sql/migration-locks.json' with { type: 'json' }
import { type Migration, type Step, stepsOf } from './migration-steps.ts'

/**
 * What each step of each migration locks, and which tables it may scan: measured on an empty database by `npm run
 * db:locks` and compared with the migrations by a test. Table sizes come from the database itself.
 */

export interface StepLocks {
  /** The strongest lock on each table that existed before. */
  readonly locks: Readonly<Record<string, string>>
  readonly reads: readonly string[]
}

export type MigrationLocks = Readonly<Record<string, readonly StepLocks[]>>

export interface PlannedStep extends StepLocks {
  readonly kind: Step['kind']
  /** Only of tables that exist now. */
  readonly sizes: ReadonlyMap<string, TableSize>
}

export interface TableSize {
  /** PostgreSQL's last estimate. */
  readonly rows: number
  readonly bytes: number
}

/** Undefined if it has not been measured. */
export async function planOf(
  client: pg.ClientBase,
  migration: Migration,
  known: MigrationLocks = measured as object as MigrationLocks,
): Promise<PlannedStep[] | undefined> {
  const steps = stepsOf(migration)
  const locks = known[migration.name]
  if (locks?.length !== steps.length) return undefined
  const planned: PlannedStep[] = []
  for (const [at, { kind }] of steps.entries()) {
    const one = locks[at]!
    planned.push({ kind, ...one, sizes: await sizesOf(client, [...Object.keys(one.locks), ...one.reads]) })
  }
  return planned
}

export async function sizesOf(client: pg.ClientBase, names: readonly string[]): Promise<Map<string, TableSize>> {
  const { rows } = await client.query<{ name: string; rows: number; bytes: string }>(
    `select name, greatest(reltuples, 0) as rows, pg_table_size(oid) as bytes
       from unnest($1::text[]) as name join pg_class on oid = to_regclass(name)`,
    [names],
  )
  return new Map(rows.map(({ name, rows, bytes }) => [name, { rows, bytes: Number(bytes) }]))
}
