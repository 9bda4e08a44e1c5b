import { AsyncLocalStorage } from 'node:async_hooks'
import type pg from 'pg'

/** A position in the write-ahead log (LSN), in PostgreSQL's notation `16/B374D848`. Positions compare as numbers. */
export type Position = bigint

const shape = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/

/** Undefined if malformed. */
export function readPosition(text: string): Position | undefined {
  const parts = shape.exec(text)
  return parts ? (BigInt(`0x${parts[1]}`) << 32n) | BigInt(`0x${parts[2]}`) : undefined
}

/**
 * Records what a request changed publicly, so that its response can name the log position from which the change is
 * visible.
 */
export interface WriteOutcome {
  changed: boolean
  /** After the commit: the position in the primary's log, our local time, and whether the log is replicated. */
  committed?: { readonly position: string; readonly at: number; readonly isReplicated: boolean }
}

const writes = new AsyncLocalStorage<WriteOutcome>()

export const trackWrite = (act: WriteOutcome, work: () => void): void => writes.run(act, work)

/** Of the current request; undefined if nobody needs it. */
export const currentWrite = (): WriteOutcome | undefined => writes.getStore()

const position = `select pg_current_wal_flush_lsn() as position,
                         exists (select from pg_stat_get_wal_senders()) as replicated`

/** Returns the log position of the commit, for reads that must not be older. */
export async function commitWithPosition(client: pg.PoolClient): Promise<NonNullable<WriteOutcome['committed']>> {
  const answers = await client.query(`commit; ${position}`)
  // One result per statement, which the types do not express.
  const [, { rows }] = answers as unknown as [unknown, pg.QueryResult<{ position: string; replicated: boolean }>]
  return { position: rows[0]!.position, at: performance.now(), isReplicated: rows[0]!.replicated }
}

/**
 * PostgreSQL reports a commit that did not wait for its standbys, because of a timeout or cancellation, with this
 * warning: it is durable here, and lost if this server is. The routine's name is the same in every language.
 */
export const isUnconfirmed = (notice: { routine?: string | undefined }): boolean =>
  notice.routine === 'SyncRepWaitForLSN'

/**
 * Waits until the synchronous standbys have everything committed before: the commit of an empty log message is waited
 * for like any other and comes after them all. Needed before something is reported again that may not have been
 * confirmed the first time.
 */
export async function waitForStandbys(db: { run(query: pg.QueryConfig): Promise<unknown> }): Promise<void> {
  await db.run({ text: "select pg_logical_emit_message(true, 'standfirst', 'told again')" })
}
