import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Access, beginWith, startingWith } from '#platform/db/access.ts'
import { verifyConnection } from '#platform/db/verify.ts'

const longestStatement = 120_000
/**
 * In the middle of a step the connection waits for this process to count: 18 s to learn a million pieces on a core of its
 * own, minutes on a machine that is busy. Nobody else can file until then.
 */
const longestCount = 600_000
const settings = {
  statement_timeout: String(longestStatement),
  lock_timeout: '0',
  idle_in_transaction_session_timeout: String(longestCount),
  jit: 'off',
}

/** From the last write on. Another may take over after it; whoever is between two writes for longer begins its step again. */
const lease = 10_000
/** A write renews it when it is older than this. */
const young = 2_000

/** Any number, as long as every process has the same. Releases before 0043 hold it for a session, and file alone then. */
const lockKey = 7_305_325
const locked = `pg_try_advisory_xact_lock(${lockKey}::bigint)`
const until = `clock_timestamp() + interval '${lease} milliseconds'`

/** What reads and writes can be asked of: a connection, or one statement at a time of `Filing`. */
export interface Queries {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

/** Another process has taken over. What was not written is done by it. */
class LeaseLost extends Error {
  constructor() {
    super('another process files for search now')
  }
}

/**
 * A connection that files for search, and the lease without which it writes nothing. Nothing of it is kept in a session,
 * which may be that of a connection pooler. Once a query on it failed it is of no more use.
 */
export class Filing implements Queries {
  readonly client: pg.Client
  readonly #holder: string
  readonly #begin: string
  #token: string | undefined
  #renewed = 0
  /** Pieces that waited to be indexed when the lease was last renewed, counted up to a hundred. */
  waiting = 0

  /** The same holder over another connection goes on at once. */
  constructor(client: pg.Client, holder: string = randomUUID(), begin = 'begin') {
    this.client = client
    this.#holder = holder
    this.#begin = begin
  }

  /** Takes or renews the lease: the same number as long as it stays in these hands. Undefined while another has it. */
  async hold(): Promise<string | undefined> {
    const { rows } = await this.client.query<{ token: string; waiting: number }>(
      `update search.lease
          set holder = $1, until = ${until}, token = token + (holder is distinct from $1)::integer
        where (holder = $1 or until < clock_timestamp()) and ${locked}
        returning token, (select count(*)::integer from (select from search.waiting limit 100) w) as waiting`,
      [this.#holder],
    )
    this.#token = rows[0]?.token
    this.waiting = rows[0]?.waiting ?? 0
    this.#renewed = performance.now()
    return this.#token
  }

  async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>> {
    const ask = () => this.client.query<Row>(text, values)
    return this.#begin === 'begin' ? ask() : this.#transaction(this.#begin, ask)
  }

  /** Nobody else can take the lease until this has ended, however long `work` counts. */
  async write<T>(work: (client: Queries) => Promise<T>): Promise<T> {
    // The token is read after the lock was had: by an earlier look it could be of the past.
    const held = `select where ${locked}; select from search.lease where token = ${Number(this.#token ?? -1)}`
    return this.#transaction(`${this.#begin}; ${held}`, async (begun) => {
      if (begun.slice(-2).some(({ rowCount }) => rowCount === 0)) throw new LeaseLost()
      const result = await work(this.client)
      if (performance.now() - this.#renewed > young) await this.client.query(`update search.lease set until = ${until}`)
      return result
    })
  }

  /** Each statement a write of its own. */
  get writing(): Queries {
    return { query: (text, values) => this.write((client) => client.query(text, values)) }
  }

  async #transaction<T>(begin: string, work: (begun: pg.QueryResult[]) => Promise<T>): Promise<T> {
    const begun = await this.client.query(begin)
    try {
      // As many as statements, which the types do not say.
      const result = await work(begun as unknown as pg.QueryResult[])
      await this.client.query('commit')
      return result
    } catch (error) {
      await this.client.query('rollback').catch(() => {})
      throw error
    }
  }

  /** The same holder may keep the lease for its next connection. */
  async end(keepsLease = false): Promise<void> {
    if (this.#token !== undefined && !keepsLease)
      await this.client
        .query("update search.lease set until = '-infinity' where token = $1", [this.#token])
        .catch(() => {})
    await this.client.end()
  }
}

export async function openFiling(access: Access, holder?: string): Promise<Filing> {
  const client = new pg.Client({
    connectionString: access.url,
    application_name: 'standfirst filing',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    // The server's own time-out does nothing while the server is frozen.
    query_timeout: longestStatement + 10_000,
    ...startingWith(access, settings),
  })
  // A connection that breaks fails the next query; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await verifyConnection(client, access, settings, 5000)
  } catch (error) {
    await client.end()
    throw error
  }
  return new Filing(client, holder, beginWith(access, settings))
}

/** SQL: whether any process files this database now, or would if it had to. */
export const isHeld = `(exists (select from search.lease where until > clock_timestamp()) or exists (
  select from pg_locks join pg_database d on d.oid = database
   where locktype = 'advisory' and classid = 0 and objid = ${lockKey} and objsubid = 1 and granted
     and d.datname = current_database()))`
