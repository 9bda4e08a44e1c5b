import type { Database } from './database.ts'

/**
 * Waits until the synchronous standbys have whatever was committed before: a commit of nothing but a note in the log is
 * waited for like any other, and lies behind them all. What is told a second time may never have been confirmed the first.
 */
export async function confirmed(db: Database): Promise<void> {
  await db.run({ text: "select pg_logical_emit_message(true, 'standfirst', 'told again')" })
}
