import type { Database } from './database.ts'

/**
 * Waits until the synchronous standbys have everything committed before: the commit of an empty log message is waited
 * for like any other and comes after them all. Needed before something is reported again that may not have been
 * confirmed the first time.
 */
export async function waitForStandbys(db: Database): Promise<void> {
  await db.run({ text: "select pg_logical_emit_message(true, 'standfirst', 'told again')" })
}
