import pg from 'pg'
import { overloaded, ServiceError } from '../errors.ts'
import { refusalOf } from './refusals.ts'
import type { Statement } from './statement.ts'

/** A connection with a transaction open on it. */
export interface Transaction {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

/** Settings of one transaction: the credential it acts with, as a hash the database looks up by itself. */
export type Acting = Readonly<Partial<Record<'app.key_hash' | 'app.session_hash', Buffer>>>

export interface PoolSettings {
  /** What logs and metrics call it. */
  readonly name: string
  readonly url: string
  /** Taken on with SET ROLE; left out where the address signs in as the role itself. */
  readonly role?: string
  readonly connections: number
  readonly statementTimeout: number
  /** Further settings of the connection, such as `jit=off`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Told of connections that broke. */
  readonly onError?: (error: Error) => void
}

/** Above this many waiting for a connection, another would wait longer than its caller does. */
const mostWaiting = 50
const waitForConnection = 1000

/** One pool of connections, all of one role. */
export class Database {
  readonly name: string
  readonly pool: pg.Pool

  constructor({ name, url, role, connections, statementTimeout, settings = {}, onError = () => {} }: PoolSettings) {
    const options = Object.entries({
      ...(role ? { role } : {}),
      statement_timeout: String(statementTimeout),
      lock_timeout: '1000',
      idle_in_transaction_session_timeout: '5000',
      jit: 'off',
      ...settings,
    })
    this.name = name
    this.pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: waitForConnection,
      // The server's own time-out does nothing while the server is frozen; this one does.
      query_timeout: statementTimeout + 1000,
      keepAlive: true,
      application_name: `standfirst ${name}`,
      options: options.map(([key, value]) => `-c ${key}=${value}`).join(' '),
    })
    // A connection that breaks, idle or at work, is replaced by the pool; without listeners it would end the process.
    this.pool.on('error', onError)
    this.pool.on('connect', (client) => client.on('error', onError))
  }

  /** The hot path: the pool's own query, which makes no promise for the connection. A failure costs its connection. */
  async query<Parameters, Row>(statement: Statement<Parameters, Row>, parameters: Parameters): Promise<Row[]> {
    this.#refuseCrowd()
    const { name, text } = statement
    try {
      const result = await this.pool.query<Row & pg.QueryResultRow>({
        name,
        text,
        values: statement.values(parameters),
      })
      const { rows } = result
      // pg's time-out keeps the result for a while; without its rows they are free to go as soon as they are sent.
      result.rows = []
      return rows
    } catch (error) {
      throw explained(error)
    }
  }

  /** Unnamed: planned anew for its values, for statements whose best plan depends on them. They may be cancelled. */
  async run<Row>(query: pg.QueryConfig): Promise<Row[]> {
    return this.#withClient(
      async (client) => (await client.query<Row & pg.QueryResultRow>(query.text, query.values)).rows,
    )
  }

  /** Kept whole or not at all. An error of `work` rolls it back and rises. */
  async transaction<T>(acting: Acting, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#withClient(async (client) => {
      // One round trip: the values are hashes, written in hexadecimal.
      const settings = Object.entries(acting).map(([name, hash]) => `; set local ${name} = '${hash.toString('hex')}'`)
      await client.query(`begin${settings.join('')}`)
      try {
        const result = await work(client)
        await client.query('commit')
        return result
      } catch (error) {
        if (!isSilence(error)) await client.query('rollback')
        throw error
      }
    })
  }

  async #withClient<T>(work: (client: Transaction) => Promise<T>): Promise<T> {
    this.#refuseCrowd()
    const client = await this.pool.connect().catch((error) => {
      throw explained(error)
    })
    const query: Transaction['query'] = (text, values) =>
      client.query(text, values as unknown[]).catch((error) => {
        throw explained(error)
      })
    try {
      const result = await work({ query })
      client.release()
      return result
    } catch (error) {
      const silent = isSilence(error)
      if (silent) destroySocket(client)
      client.release(silent)
      throw error
    }
  }

  #refuseCrowd(): void {
    if (this.pool.waitingCount >= mostWaiting) throw overloaded('Too many requests are waiting for the database.')
  }

  async close(): Promise<void> {
    await this.pool.end()
  }
}

/** No answer of the server at all: a time-out, a connection that broke. */
const isSilence = (error: unknown): boolean =>
  error instanceof ServiceError && error.cause instanceof Error && !(error.cause instanceof pg.DatabaseError)

/** The house's own refusals in our words, PostgreSQL's as they are; silence and business are for the caller to know. */
function explained(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !isBusy(error)) return refusalOf(error) ?? error
  const refusal = overloaded('The database did not answer in time. Try again in a moment.')
  refusal.cause = error
  return refusal
}

/** A frozen server never answers a polite goodbye. */
function destroySocket(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}

/** Statement and lock time-outs. */
const cancelledCodes = ['57014', '55P03']
/** Also: no connection to be had, a server that is stopping or starting. It may work in a moment. */
const busyCodes = [...cancelledCodes, '53300', '53400', '57P01', '57P02', '57P03']

const isBusy = (error: pg.DatabaseError): boolean => busyCodes.includes(error.code ?? '')

/** Whether PostgreSQL ended a statement because it took too long. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof pg.DatabaseError && cancelledCodes.includes(error.cause.code ?? '')
