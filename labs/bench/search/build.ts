import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { fileNext, type Step } from '../../../server/features/pieces/search/indexer.ts'
import { Filing } from '../../../server/features/pieces/search/indexer-lock.ts'
import { migrate, migrationsHash } from '../../../server/platform/db/migrate.ts'
import { createDatabase, databaseUrl, hasDatabase, renameDatabase } from '../cluster.ts'
import { planOf } from '../corpus/corpus-plan.ts'
import { loadCorpus } from '../corpus/load.ts'
import { asOwner, connected, nameOf } from './site.ts'

/** Seconds of each part, or undefined where the site is there already. One that was interrupted is made anew. */
export async function load(
  pieces: number,
  corpusSeed: number,
  anew: boolean,
): Promise<Record<string, number> | undefined> {
  const name = nameOf(pieces)
  const unfinished = `${name}_unfinished`
  if (await hasDatabase(name)) {
    if (!anew) {
      await warnOfOtherLayout(pieces)
      return undefined
    }
    // Taken away before the new one is made: there may be no room for both.
    await connected('postgres', (client) => client.query(`drop database ${name} with (force)`))
  }
  await createDatabase(unfinished)
  await migrate(databaseUrl(unfinished))
  const seconds = await loadCorpus(databaseUrl(unfinished), planOf(corpusSeed, pieces))
  await renameDatabase(unfinished, name)
  const layout = await migrationsHash()
  await asOwner(pieces, (client) => client.query(`comment on database ${name} is '${layout}'`))
  return seconds
}

/** What was changed may be of no matter to search; who measures knows. */
async function warnOfOtherLayout(pieces: number): Promise<void> {
  const layout = await migrationsHash()
  const { rows } = await asOwner(pieces, (client) =>
    client.query<{ layout: string }>(
      `select shobj_description(oid, 'pg_database') as layout from pg_database where datname = current_database()`,
    ),
  )
  if (rows[0]!.layout !== layout)
    console.error(`The migrations are no longer those ${nameOf(pieces)} was made by: --anew makes it again.`)
}

export interface Built {
  /** Until all is filed and bound; clearing what is left over goes on for a minute more. */
  readonly seconds: number
  /** Steps of each kind, the seconds of all of them and of the longest. */
  readonly steps: Readonly<Partial<Record<Step, StepFigures>>>
  readonly vacuumSeconds: number
  /** Whether nothing was filed when it began. */
  readonly fresh: boolean
}

interface StepFigures {
  readonly count: number
  readonly seconds: number
  readonly longest: number
}

/** Files whatever waits, step by step, until nothing is left to do. */
export const build = (pieces: number): Promise<Built> =>
  asOwner(pieces, async (client) => {
    const fresh = (await stateOf(client)).volumes === 0
    const filing = new Filing(client)
    await filing.hold()
    const began = performance.now()
    const steps: Partial<Record<Step, StepFigures>> = {}
    let [told, filed] = [began, 0]
    for (;;) {
      const start = performance.now()
      const step = await fileNext(filing)
      const end = performance.now()
      if (step === 'idle') {
        filed ||= end
        // Volumes that were bound into others stay for a minute, for searches that began with them.
        if ((await stateOf(client)).retired === 0) break
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
      if (end - told > 15_000) {
        told = end
        const { waiting, volumes, bytes } = await stateOf(client)
        console.error(
          `filing: ${Math.round((end - began) / 1000)} s, ${step}; ${waiting} wait, ${volumes} volumes, ${Math.round(bytes / 1e6)} MB`,
        )
      }
    }
    const cleared = performance.now()
    // As autovacuum leaves it in time: what is dead gone, the visibility map written, the planner told.
    for (const table of await tablesOf(client)) await client.query(`vacuum (analyze) ${table}`)
    const vacuumSeconds = (performance.now() - cleared) / 1000
    return { seconds: (filed - began) / 1000, steps, vacuumSeconds, fresh }
  })

async function tablesOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select oid::regclass::text as name from pg_class where relnamespace = 'search'::regnamespace and relkind = 'r'",
  )
  return rows.map(({ name }) => name)
}

interface State {
  readonly waiting: number
  readonly volumes: number
  readonly retired: number
  readonly bytes: number
}

async function stateOf(client: pg.Client): Promise<State> {
  const { rows } = await client.query<State>(
    `select (select count(*) from search.waiting)::float8 as waiting,
            (select count(*) from search.volumes)::float8 as volumes,
            (select count(*) from search.volumes where state = 'retired')::float8 as retired,
            (select sum(pg_total_relation_size(oid)) from pg_class
              where relnamespace = 'search'::regnamespace and relkind = 'r')::float8 as bytes`,
  )
  return rows[0]!
}
