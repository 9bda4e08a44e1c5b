import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json.ts'
import type { Database, Transaction } from '#platform/db/database.ts'
import type { AccountContext } from './context.ts'
import type { SecurityEvent } from './schema.ts'
import type { Person } from './session-user.ts'

/** What happened to an account. Triggers write it, each row with the hash of the one before; docs/adr/0017. */

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
const onePage = 50
const readAtOnce = 1000

export interface HistoryPage {
  readonly events: SecurityEvent[]
  readonly next: number | null
}

/** The newest first. */
export async function readHistory(
  { db }: AccountContext,
  { sessionHash }: Person,
  before: number | undefined,
): Promise<HistoryPage> {
  const rows = await db.run<EventRow>({ text: events, values: [sessionHash, before ?? null, onePage + 1] })
  const page = rows.slice(0, onePage)
  return { events: page.map(presentEvent), next: rows.length > onePage ? page.at(-1)!.number : null }
}

/** All of it, the newest first. */
export async function* historyOf(tx: Transaction, { sessionHash }: Person): AsyncGenerator<SecurityEvent> {
  for (let before: number | null = null, count = readAtOnce; count === readAtOnce; ) {
    const { rows }: { rows: EventRow[] } = await tx.query<EventRow>(events, [sessionHash, before, readAtOnce])
    yield* rows.map(presentEvent)
    count = rows.length
    before = rows.at(-1)?.number ?? before
  }
}

export async function wholeHistory({ db }: AccountContext, person: Person): Promise<SecurityEvent[]> {
  return db.transaction({}, (tx) => Array.fromAsync(historyOf(tx, person)))
}

/** What is wrong with a history that was downloaded; nothing where it is whole. It may begin at any number. */
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

interface Checked {
  readonly chains: number
  readonly broken: readonly BrokenChain[]
}

/** About a second's work. */
const chainsAtOnce = 500

/** Every chain of the site. What is broken is kept in the database, where the figures read it. */
export async function checkChains(
  ask: (text: string, values: unknown[]) => Promise<{ account_id: string; broken: number | null }[]>,
): Promise<Checked> {
  const broken: BrokenChain[] = []
  let chains = 0
  for (let after: string | null = null, count = chainsAtOnce; count === chainsAtOnce; ) {
    const rows: { account_id: string; broken: number | null }[] = await ask(
      'select * from app.check_security_chains($1, $2)',
      [after, chainsAtOnce],
    )
    for (const { account_id, broken: number } of rows) if (number !== null) broken.push({ account_id, broken: number })
    chains += rows.length
    count = rows.length
    after = rows.at(-1)?.account_id ?? after
  }
  return { chains, broken }
}

const sweptAtOnce = 5000

/** After a year. */
export async function sweepHistory(worker: Database): Promise<void> {
  for (let swept = sweptAtOnce; swept === sweptAtOnce; ) {
    const [answer] = await worker.run<{ swept: number }>({ text: 'select app.sweep_security_events() as swept' })
    swept = answer!.swept
  }
}

/** Of the last hour, by what happened. */
export const securityFigures = (worker: Database): Promise<{ act: string; count: number }[]> =>
  worker.run({ text: 'select * from app.security_figures()' })
