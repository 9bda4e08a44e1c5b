import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/crypto.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { AccountContext } from './context.ts'
import type { SecurityEvent } from './schema.ts'
import type { Person } from './sessions.ts'

/** The security history of an account. Triggers write it; each row has the hash of the previous one. docs/adr/0017 */

type EventRow = Omit<SecurityEvent, 'account' | 'at'> & { readonly account_id: string; readonly at: Date }

const presentEvent = ({ account_id, number, at, act, facts, previous, hash }: EventRow): SecurityEvent => ({
  account: account_id,
  number,
  at: at.toISOString(),
  act,
  facts,
  previous,
  hash,
})

const events = 'select * from app.security_events_of($1, $2, $3)'
const pageSize = 50
const batchSize = 1000

export interface HistoryPage {
  readonly events: SecurityEvent[]
  readonly next: number | null
}

/** Newest first. */
export async function readHistory(
  { db }: AccountContext,
  { sessionHash }: Person,
  before: number | undefined,
): Promise<HistoryPage> {
  const rows = await db.run<EventRow>({ text: events, values: [sessionHash, before ?? null, pageSize + 1] })
  const page = rows.slice(0, pageSize)
  return { events: page.map(presentEvent), next: rows.length > pageSize ? page.at(-1)!.number : null }
}

/** The whole history, newest first. */
export async function* historyOf(tx: Transaction, { sessionHash }: Person): AsyncGenerator<SecurityEvent> {
  for (let before: number | null = null, count = batchSize; count === batchSize; ) {
    const { rows }: { rows: EventRow[] } = await tx.query<EventRow>(events, [sessionHash, before, batchSize])
    yield* rows.map(presentEvent)
    count = rows.length
    before = rows.at(-1)?.number ?? before
  }
}

export async function wholeHistory({ db }: AccountContext, person: Person): Promise<SecurityEvent[]> {
  return db.transaction({}, (tx) => Array.fromAsync(historyOf(tx, person)))
}

/** The number of the first broken event of a downloaded history, which may start at any number; undefined if it is intact. */
export function findBroken(history: readonly SecurityEvent[]): number | undefined {
  const inOrder = history.toSorted((one, other) => one.number - other.number)
  for (const [at, { hash, ...event }] of inOrder.entries()) {
    const before = inOrder[at - 1]
    const follows = before ? event.number === before.number + 1 && event.previous === before.hash : true
    if (!follows || createHash('sha256').update(canonicalJson(event)).digest('hex') !== hash) return event.number
  }
  return undefined
}

interface BrokenChain {
  readonly account_id: string
  /** The first row that is wrong or missing. */
  readonly broken: number
}

interface ChainCheck {
  readonly chains: number
  readonly broken: readonly BrokenChain[]
}

/** Takes about a second. */
const chainBatch = 500

/** Checks every chain of the site. Broken ones are recorded in the database, where metrics read them. */
export async function checkChains(
  query: (text: string, values: unknown[]) => Promise<{ account_id: string; broken: number | null }[]>,
): Promise<ChainCheck> {
  const broken: BrokenChain[] = []
  let chains = 0
  for (let after: string | null = null, count = chainBatch; count === chainBatch; ) {
    const rows: { account_id: string; broken: number | null }[] = await query(
      'select * from app.check_security_chains($1, $2)',
      [after, chainBatch],
    )
    for (const { account_id, broken: number } of rows) if (number !== null) broken.push({ account_id, broken: number })
    chains += rows.length
    count = rows.length
    after = rows.at(-1)?.account_id ?? after
  }
  return { chains, broken }
}

const sweepBatch = 5000

/** Deletes events after a year. */
export async function sweepHistory(worker: Database): Promise<void> {
  for (let swept = sweepBatch; swept === sweepBatch; ) {
    const [answer] = await worker.run<{ swept: number }>({ text: 'select app.sweep_security_events() as swept' })
    swept = answer!.swept
  }
}

/** Number of events in the last hour, by kind. */
export const securityEventCounts = (worker: Database): Promise<{ act: string; count: number }[]> =>
  worker.run({ text: 'select * from app.security_figures()' })
