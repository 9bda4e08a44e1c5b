import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { runIndexStep, type Step } from '../../../server/features/pieces/search/indexer.ts'
import { IndexerConnection } from '../../../server/features/pieces/search/indexer-lock.ts'
import { seedSite } from '../../../server/seed/seed.ts'
import { migrate, migrationsHash } from '../../../server/sql/migrate.ts'
import { createDatabase, databaseUrl, hasDatabase, renameDatabase } from '../cluster.ts'
import { searchedSite } from '../corpus/oracle.ts'
import { asOwner, connected, databaseName } from './site.ts'

/** Loads the site. Returns the seconds of each part, or undefined if the site exists. An interrupted load starts over. */
export async function load(
  pieces: number,
  corpusSeed: number,
  reload: boolean,
): Promise<Record<string, number> | undefined> {
  const name = databaseName(pieces)
  const unfinished = `${name}_unfinished`
  if (await hasDatabase(name)) {
    if (!reload) {
      await warnOfNewMigrations(pieces)
      return undefined
    }
    // Dropped before the new one is created: there may be no disk space for both.
    await connected('postgres', (client) => client.query(`drop database ${name} with (force)`))
  }
  await createDatabase(unfinished)
  await migrate(databaseUrl(unfinished))
  const { rowSeconds, indexSeconds } = await seedSite(databaseUrl(unfinished), searchedSite(corpusSeed, pieces))
  await renameDatabase(unfinished, name)
  const hash = await migrationsHash()
  await asOwner(pieces, (client) => client.query(`comment on database ${name} is '${hash}'`))
  return { rows: rowSeconds, indexes: indexSeconds }
}

/** Only a warning: the changes may not matter to search. */
async function warnOfNewMigrations(pieces: number): Promise<void> {
  const hash = await migrationsHash()
  const { rows } = await asOwner(pieces, (client) =>
    client.query<{ hash: string }>(
      `select shobj_description(oid, 'pg_database') as hash from pg_database where datname = current_database()`,
    ),
  )
  if (rows[0]!.hash !== hash)
    console.error(`The migrations are no longer those ${databaseName(pieces)} was made by: --reload makes it again.`)
}

export interface Build {
  /** Until all is indexed and merged; garbage collection takes a minute more. */
  readonly seconds: number
  readonly steps: Readonly<Partial<Record<Step, StepTimes>>>
  readonly vacuumSeconds: number
  /** Whether nothing was indexed when it started. */
  readonly fresh: boolean
}

interface StepTimes {
  readonly count: number
  readonly seconds: number
  /** Seconds of the longest step. */
  readonly longest: number
}

/** Runs index steps until nothing is left to do. */
export const build = (pieces: number): Promise<Build> =>
  asOwner(pieces, async (client) => {
    const fresh = (await readState(client)).segments === 0
    const indexer = new IndexerConnection(client)
    await indexer.acquireLease()
    const began = performance.now()
    const steps: Partial<Record<Step, StepTimes>> = {}
    let [printed, indexed] = [began, 0]
    for (;;) {
      const start = performance.now()
      const step = await runIndexStep(indexer)
      const end = performance.now()
      if (step === 'idle') {
        indexed ||= end
        // Merged segments stay for a minute, for searches that started with them.
        if ((await readState(client)).retired === 0) break
        await pause(5_000)
        continue
      }
      const seconds = (end - start) / 1000
      const before = steps[step] ?? { count: 0, seconds: 0, longest: 0 }
      steps[step] = {
        count: before.count + 1,
        seconds: before.seconds + seconds,
        longest: Math.max(before.longest, seconds),
      }
      if (end - printed > 15_000) {
        printed = end
        const { waiting, segments, bytes } = await readState(client)
        console.error(
          `indexing: ${Math.round((end - began) / 1000)} s, ${step}; ${waiting} wait, ${segments} segments, ${Math.round(bytes / 1e6)} MB`,
        )
      }
    }
    const collected = performance.now()
    // The state autovacuum reaches in time: no dead rows, a visibility map, statistics for the planner.
    for (const table of await tablesOf(client)) await client.query(`vacuum (analyze) ${table}`)
    const vacuumSeconds = (performance.now() - collected) / 1000
    return { seconds: (indexed - began) / 1000, steps, vacuumSeconds, fresh }
  })

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relnamespace = 'search'::regnamespace and relkind = 'r'",
  )
  return rows.map(({ name }) => name)
}

interface State {
  readonly waiting: number
  readonly segments: number
  readonly retired: number
  readonly bytes: number
}

async function readState(client: pg.Client): Promise<State> {
  const { rows } = await client.query<State>(
    `select (select count(*) from search.waiting)::float8 as waiting,
            (select count(*) from search.volumes)::float8 as segments,
            (select count(*) from search.volumes where state = 'retired')::float8 as retired,
            (select sum(pg_total_relation_size(oid)) from pg_class
              where relnamespace = 'search'::regnamespace and relkind = 'r')::float8 as bytes`,
  )
  return rows[0]!
}

/** Bytes of a table, index or column that only search needs. */
export interface Size {
  readonly name: string
  /** `within` is a part of a table: its live rows, without the free space that merges leave. */
  readonly kind: 'table' | 'toast' | 'index' | 'columns' | 'within'
  readonly bytes: number
}

/** The schema `search`, the folded bodies, and the folded columns of the table of pieces with their indexes. */
export const measureSizes = (pieces: number): Promise<Size[]> =>
  asOwner(pieces, async (client) => {
    const { rows: tables } = await client.query<Size>(`
      with searched as (
        select c.* from pg_class c join pg_namespace n on n.oid = c.relnamespace
         where c.relkind = 'r' and (n.nspname = 'search' or c.oid = 'pub.piece_texts'::regclass)
      )
      select oid::regclass::text as name, 'table' as kind,
             (select sum(pg_relation_size(searched.oid, fork)) from unnest('{main,fsm,vm}'::text[]) fork)::float8 as bytes
        from searched
      union all
      select oid::regclass::text, 'toast', pg_total_relation_size(reltoastrelid)::float8 from searched where reltoastrelid <> 0
      union all
      select i.indexrelid::regclass::text, 'index', pg_total_relation_size(i.indexrelid)::float8
        from searched join pg_index i on i.indrelid = searched.oid
      union all
      select i.indexrelid::regclass::text, 'index', pg_total_relation_size(i.indexrelid)::float8
        from pg_index i
       where i.indrelid = 'pub.pieces'::regclass and pg_get_indexdef(i.indexrelid) ~ '_folded|_keys'
      order by kind desc, bytes desc`)
    const { rows: columns } = await client.query<{ name: string }>(`
      select attname as name from pg_attribute
       where attrelid = 'pub.pieces'::regclass and attnum > 0 and not attisdropped and attname ~ '_(folded|keys)$'`)
    const sums = columns.map(({ name }) => `sum(pg_column_size(${name}))::float8 as ${name}`)
    const { rows: live } = await client.query<Size>(
      `select 'search.pages, live' as name, 'within' as kind, coalesce(sum(pg_column_size(pages.*)), 0)::float8 as bytes
         from search.pages`,
    )
    const { rows } = await client.query<Record<string, number>>(`select ${sums.join(', ')} from pub.pieces`)
    return [
      ...tables,
      ...live,
      ...columns.map(({ name }): Size => ({ name: `pub.pieces.${name}`, kind: 'columns', bytes: rows[0]![name]! })),
    ]
  })
