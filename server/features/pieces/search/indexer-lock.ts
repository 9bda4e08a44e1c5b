import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Access, beginStatement, connectionOptions, verifyConnection } from '#platform/db/access.ts'

const statementTimeout = 120_000
/**
 * Within a step the transaction is idle while this process computes: training the trie for a million pieces takes 18 s on
 * an otherwise idle core, minutes on a busy machine. No other process can index meanwhile.
 */
const maxIdleInTransaction = 600_000
const settings = {
  statement_timeout: String(statementTimeout),
  lock_timeout: '0',
  idle_in_transaction_session_timeout: String(maxIdleInTransaction),
  jit: 'off',
}

/**
 * Milliseconds since the last write, after which another process may take over. A process that pauses longer between two
 * writes loses the lease and repeats its step.
 */
const leaseDuration = 10_000
/** A write renews a lease older than this. */
const renewAfter = 2_000

/**
 * Any number, as long as all processes use the same. Releases before 0043 hold the lock for a whole session; while one of
 * them does, it alone indexes.
 */
const lockKey = 7_305_325
const tryLock = `pg_try_advisory_xact_lock(${lockKey}::bigint)`
const until = `clock_timestamp() + interval '${leaseDuration} milliseconds'`

/** Runs SQL: a connection, or `IndexerConnection`. */
export interface SqlClient {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

/** Another process has taken over and will repeat what was not committed. */
class LeaseLost extends Error {
  constructor() {
    super('another process files for search now')
  }
}

/**
 * The connection of an indexer and its lease, without which it writes nothing. No session state: the session may belong
 * to a connection pooler. Unusable after a query on it failed.
 */
export class IndexerConnection implements SqlClient {
  readonly client: pg.Client
  readonly #holder: string
  readonly #begin: string
  #token: string | undefined
  #renewed = 0
  /** Pieces that waited to be indexed when the lease was last renewed, counted up to 100. */
  waiting = 0

  /** The same holder on a new connection keeps the lease. */
  constructor(client: pg.Client, holder: string = randomUUID(), begin = 'begin') {
    this.client = client
    this.#holder = holder
    this.#begin = begin
  }

  /** Takes or renews the lease. Returns its fencing token, or undefined while another process holds the lease. */
  async acquireLease(): Promise<string | undefined> {
    const { rows } = await this.client.query<{ token: string; waiting: number }>(
      `update search.lease
          set holder = $1, until = ${until}, token = token + (holder is distinct from $1)::integer
        where (holder = $1 or until < clock_timestamp()) and ${tryLock}
        returning token, (select count(*)::integer from (select from search.waiting limit 100) w) as waiting`,
      [this.#holder],
    )
    this.#token = rows[0]?.token
    this.waiting = rows[0]?.waiting ?? 0
    this.#renewed = performance.now()
    return this.#token
  }

  async query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>> {
    const run = () => this.client.query<Row>(text, values)
    return this.#begin === 'begin' ? run() : this.#transaction(this.#begin, run)
  }

  /** Runs a write transaction. No other process can take the lease until it ends, however long `work` takes. */
  async write<T>(work: (client: SqlClient) => Promise<T>): Promise<T> {
    // The token is read by a later statement than the lock: an earlier snapshot could show an old token.
    const lockAndCheck = `select where ${tryLock}; select from search.lease where token = ${Number(this.#token ?? -1)}`
    return this.#transaction(`${this.#begin}; ${lockAndCheck}`, async (begun) => {
      if (begun.slice(-2).some(({ rowCount }) => rowCount === 0)) throw new LeaseLost()
      const result = await work(this.client)
      if (performance.now() - this.#renewed > renewAfter)
        await this.client.query(`update search.lease set until = ${until}`)
      return result
    })
  }

  /** Runs each statement in its own write transaction. */
  get autocommit(): SqlClient {
    return { query: (text, values) => this.write((client) => client.query(text, values)) }
  }

  async #transaction<T>(begin: string, work: (begun: pg.QueryResult[]) => Promise<T>): Promise<T> {
    const begun = await this.client.query(begin)
    try {
      // One result per statement, which the types of pg do not know.
      const result = await work(begun as unknown as pg.QueryResult[])
      await this.client.query('commit')
      return result
    } catch (error) {
      await this.client.query('rollback').catch(() => {})
      throw error
    }
  }

  /** With `keepLease` the same holder continues on its next connection. */
  async end(keepLease = false): Promise<void> {
    if (this.#token !== undefined && !keepLease)
      await this.client
        .query("update search.lease set until = '-infinity' where token = $1", [this.#token])
        .catch(() => {})
    await this.client.end()
  }
}

export async function openIndexerConnection(access: Access, holder?: string): Promise<IndexerConnection> {
  const client = new pg.Client({
    connectionString: access.url,
    application_name: 'standfirst indexer',
    keepAlive: true,
    connectionTimeoutMillis: 5000,
    // The server cannot enforce its timeout while it is frozen.
    query_timeout: statementTimeout + 10_000,
    ...connectionOptions(access, settings),
  })
  // A broken connection fails the next query; without a listener it would end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await verifyConnection(client, access, settings, 5000)
  } catch (error) {
    await client.end()
    throw error
  }
  return new IndexerConnection(client, holder, beginStatement(access, settings))
}

/** SQL condition: some process is the indexer of this database. */
export const hasIndexer = `(exists (select from search.lease where until > clock_timestamp()) or exists (
  select from pg_locks join pg_database d on d.oid = database
   where locktype = 'advisory' and classid = 0 and objid = ${lockKey} and objsubid = 1 and granted
     and d.datname = current_database()))`
