import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Fingerprint, fingerprint, tablesOf } from './rows.ts'

/** A moment between two commits, and every row as it was then, taken while the site goes on writing. */
export interface Moment {
  /** By the clock of the database, as pgBackRest takes it. */
  readonly time: string
  readonly ms: number
  readonly rows: Fingerprint
  /** Milliseconds that writers waited for it. */
  readonly held: number
}

/** Without it a value may be written in another way where it is read again. */
const plain = "set timezone = 'UTC'; set extra_float_digits = 1; set bytea_output = 'hex'"

export async function openPlain(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  await client.query(plain)
  return client
}

/**
 * A lock that lets everybody read and nobody write is had only when all who wrote have committed. Under it a second
 * connection takes its view of the database and the clock is read: what is committed by then is in that view, and what
 * comes later has a later time. Then writers go on, and the rows are read at leisure.
 */
export async function takeMoment(url: string): Promise<Moment> {
  const [holder, reader] = await Promise.all([openPlain(url), openPlain(url)])
  try {
    const names = (await tablesOf(holder)).map(({ name }) => name).join(', ')
    for (let tries = 1; ; tries += 1) {
      try {
        // Shorter than writers wait for theirs: whoever would be kept too long goes first.
        await holder.query("begin; set local lock_timeout = '250ms'")
        await holder.query(`lock table only ${names.replaceAll(', ', ', only ')} in share mode`)
        break
      } catch (error) {
        await holder.query('rollback')
        if (tries === 100) throw error
        await pause(50)
      }
    }
    const began = performance.now()
    await reader.query('begin isolation level repeatable read read only')
    await reader.query('select 1')
    const { rows } = await holder.query<{ time: string; ms: string }>(
      "select to_char(t at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') || '+00' as time, extract(epoch from t) * 1000 as ms from clock_timestamp() as t",
    )
    // So that no commit after it has the same time.
    await pause(5)
    await holder.query('commit')
    const held = performance.now() - began
    const { time, ms } = rows[0]!
    return { time, ms: Number(ms), held, rows: await fingerprint(reader) }
  } finally {
    await Promise.all([holder.end(), reader.end()])
  }
}
