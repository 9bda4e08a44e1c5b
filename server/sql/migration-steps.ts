import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { cliTranslator } from '#messages/cli.ts'

const t = cliTranslator()

/**
 * A migration is one transaction, unless lines of its file divide it into steps:
 *
 *   -- step: once                 one transaction
 *   -- step: batch app.pieces     one statement with `limit :batch`, in transactions of a fifth of a second, until it
 *                                 finds no more rows; progress is reported relative to the size of that table
 *   -- step: alone                one CREATE or DROP INDEX CONCURRENTLY, outside a transaction
 *
 * Progress is recorded in the same transactions, so that `migrate` continues where it was killed.
 */

export interface Migration {
  readonly name: string
  readonly text: string
}

export type Step =
  | { readonly kind: 'once'; readonly text: string }
  | { readonly kind: 'batch'; readonly text: string; readonly table: string }
  | { readonly kind: 'alone'; readonly text: string; readonly index: string; readonly table?: string }

const mark = /^-- step: (.*)\n/m
const createIndex =
  /^create (?:unique )?index concurrently if not exists (?<name>\w+) on (?<table>(?<schema>\w+)\.\w+)[^;]*;?$/
const dropIndex = /^drop index concurrently if exists (?<name>\w+\.\w+);?$/

const withoutComments = (text: string): string => text.replace(/^\s*--.*$/gm, '').trim()

export function stepsOf({ name, text }: Migration): Step[] {
  const [head = '', ...parts] = text.split(mark)
  if (parts.length === 0) return [{ kind: 'once', text }]
  if (withoutComments(head)) throw new Error(`${name} has statements before its first step`)
  const steps: Step[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const step = stepOf(parts[at]!.trim(), parts[at + 1]!)
    if (!step) throw new Error(`${name} has a step that is none: ${parts[at]}`)
    steps.push(step)
  }
  return steps
}

function stepOf(label: string, text: string): Step | undefined {
  if (label === 'once') return { kind: 'once', text }
  const table = /^batch (\w+\.\w+)$/.exec(label)?.[1]
  if (table) return text.includes(':batch') ? { kind: 'batch', text, table } : undefined
  if (label !== 'alone') return undefined
  const statement = withoutComments(text)
  const created = createIndex.exec(statement)?.groups
  if (created) {
    const index = `${created['schema']}.${created['name']}`
    return { kind: 'alone', text: statement, index, table: created['table']! }
  }
  const dropped = dropIndex.exec(statement)?.groups
  return dropped && { kind: 'alone', text: statement, index: dropped['name']! }
}

/** For a baseline: the last of the migrations it replaces. */
export const replacedBy = ({ text }: Migration): string | undefined => /^-- replaces: (\S+)$/m.exec(text)?.[1]

/** The last migration that a process must know to work with the database after this one. */
export const needsOf = ({ text }: Migration): string | undefined => /^-- needs: (\S+)$/m.exec(text)?.[1]

/**
 * Statements on a table queue behind a migration that waits for its lock, and a search has 600 ms in all. So it waits
 * for less than that, lets the others pass, and tries again; sixty tries take about half a minute.
 */
const waitForLock = 200
const mostTries = 60
/** Lock timeout and deadlock. */
const transientCodes = ['55P03', '40P01']
const cancelledCode = '57014'

/**
 * A batch locks its rows for about this long, and is cancelled at ten times that. Between batches others have a turn.
 */
const batchTime = 200
const [firstBatch, largestBatch] = [500, 20_000]
const betweenReports = 5000

interface StepProgress {
  readonly steps_done: number
  readonly rows_done: string
}

export type Report = (line: string) => void

/** Steps recorded as done are skipped. */
export async function applyMigration(
  client: pg.ClientBase,
  migration: Migration,
  report: Report = () => {},
): Promise<void> {
  const { name } = migration
  const steps = stepsOf(migration)
  const { rows } = await client.query<StepProgress>(
    'select steps_done, rows_done from public.migrations_begun where name = $1',
    [name],
  )
  const progress = rows[0] ?? { steps_done: 0, rows_done: '0' }
  for (const [at, step] of steps.entries()) {
    if (at < progress.steps_done) continue
    const isLast = at === steps.length - 1
    const done = () => (isLast ? recordApplied(client, migration) : recordProgress(client, name, at + 1, 0))
    const reportStep = (what: string) =>
      report(`${name}: ${t('cli.migrate.step', { step: at + 1, steps: steps.length })} ${what}`)
    try {
      if (step.kind === 'once') await applyOnce(client, step.text, done)
      else if (step.kind === 'alone') await applyAlone(client, step, done, reportStep)
      else {
        const rowsDone = at === progress.steps_done ? Number(progress.rows_done) : 0
        const recordRows = (count: number) => recordProgress(client, name, at, count)
        await applyBatches(client, step, rowsDone, { recordRows, done, reportStep })
      }
    } catch (cause) {
      const reason = (cause as Error).message
      const problem =
        steps.length === 1
          ? t('cli.migrate.failed', { name, reason })
          : t('cli.migrate.failed_step', { name, step: at + 1, steps: steps.length, reason })
      throw new Error(problem, { cause })
    }
  }
}

async function recordApplied(client: pg.ClientBase, migration: Migration): Promise<void> {
  const { name } = migration
  await client.query('insert into public.migrations (name, needs) values ($1, $2)', [name, needsOf(migration)])
  await client.query('delete from public.migrations_begun where name = $1', [name])
}

async function recordProgress(client: pg.ClientBase, name: string, steps: number, rows: number): Promise<void> {
  await client.query(
    `insert into public.migrations_begun (name, steps_done, rows_done) values ($1, $2, $3)
     on conflict (name) do update set steps_done = excluded.steps_done, rows_done = excluded.rows_done`,
    [name, steps, rows],
  )
}

type Work = () => Promise<void>

/** Runs in a transaction with its record, which is written as the migrating role. */
async function inMigrationTransaction(client: pg.ClientBase, settings: string, work: Work, note: Work): Promise<void> {
  await inTransaction(client, async () => {
    await client.query(`set local lock_timeout = ${waitForLock}; ${settings}`)
    await work()
    await client.query('reset role')
    await note()
  })
}

/** Retries on lock timeouts and deadlocks; on cancellation only if a smaller batch is possible. */
async function withRetries(work: Work, reduce?: () => void): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      const isPassing = transientCodes.includes(code) || (code === cancelledCode && reduce)
      if (!isPassing || tried === mostTries) throw error
      if (code === cancelledCode) reduce?.()
      await pause(waitForLock * (0.5 + Math.random()))
    }
  }
}

export const applyOnce = (client: pg.ClientBase, text: string, done: Work): Promise<void> =>
  withRetries(() =>
    inMigrationTransaction(
      client,
      '',
      async () => {
        await client.query(text)
      },
      done,
    ),
  )

interface Progress {
  recordRows(rows: number): Promise<void>
  readonly done: Work
  reportStep(what: string): void
}

async function applyBatches(
  client: pg.ClientBase,
  { text, table }: Step & { kind: 'batch' },
  rowsDone: number,
  { recordRows, done, reportStep }: Progress,
): Promise<void> {
  const total = await estimatedRows(client, table)
  let [rows, size, nextReport] = [rowsDone, firstBatch, 0]
  for (let changed = 1; changed > 0; ) {
    const start = performance.now()
    const run = async () => {
      const answers = [await client.query(text.replaceAll(':batch', String(size)))].flat()
      changed = answers.at(-1)!.rowCount ?? 0
    }
    const note = () => (changed === 0 ? done() : recordRows(rows + changed))
    const smaller = () => {
      size = Math.ceil(size / 4)
    }
    await withRetries(
      () => inMigrationTransaction(client, `set local statement_timeout = ${10 * batchTime}`, run, note),
      smaller,
    )
    rows += changed
    const now = performance.now()
    if (changed === 0 || now > nextReport) {
      reportStep(t('cli.migrate.rows', { done: rows, total: Math.max(total, rows) }))
      nextReport = now + betweenReports
    }
    const took = now - start
    if (took > batchTime) size = Math.ceil(size / 2)
    else if (took < batchTime / 4) size = Math.min(size * 2, largestBatch)
    await pause(changed === 0 ? 0 : Math.min(took, batchTime))
  }
}

async function estimatedRows(client: pg.ClientBase, table: string): Promise<number> {
  const { rows } = await client.query<{ rows: number }>(
    'select reltuples as rows from pg_class where oid = $1::regclass',
    [table],
  )
  return Math.max(rows[0]!.rows, 0)
}

/** Waits for every older transaction, however long. Reads and writes on the table continue. */
async function applyAlone(
  client: pg.ClientBase,
  { text, index }: Step & { kind: 'alone' },
  done: Work,
  reportStep: Progress['reportStep'],
): Promise<void> {
  reportStep(`${text.split(' ')[0]} ${index}`)
  await client.query('set role svc_owner')
  await client.query('set lock_timeout = 0')
  try {
    // An invalid index left behind by an aborted run: unused, but `if not exists` would accept it.
    const { rowCount } = await client.query(
      'select from pg_index where indexrelid = to_regclass($1) and not indisvalid',
      [index],
    )
    if (rowCount) await client.query(`drop index concurrently ${index}`)
    await client.query(text)
  } finally {
    await client.query('reset role')
    await client.query('reset lock_timeout')
  }
  await inTransaction(client, done)
}

/** For single connections; pools have `Database.transaction`. */
export async function inTransaction(client: pg.ClientBase, work: () => Promise<void>): Promise<void> {
  await client.query('begin')
  try {
    await work()
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
