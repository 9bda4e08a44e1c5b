import pg from 'pg'
import { message } from '#messages/message.ts'
import { databaseAway, overloaded } from '../errors.ts'
import { type PoolWatch, watchPool } from '../observability/database.ts'
import {
  type Access,
  beginStatement,
  connectionOptions,
  openingError,
  poolSettings,
  verifyConnection,
  WrongConnection,
} from './access.ts'
import {
  classifyFailure,
  isConnectionClosing,
  isNoAnswer,
  isWrongConnection,
  translateError,
  unconfirmedCommit,
} from './pg-errors.ts'
import type { Statement } from './statement.ts'
import { commitWithPosition, currentWrite, isUnconfirmed } from './wal-position.ts'

/** An open transaction. */
export interface Transaction {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

/**
 * Settings of one transaction: the hash of the credential it acts with, which the database looks up itself, or what is
 * known of an anonymous visitor, as JSON.
 */
export type TransactionSettings = Readonly<Partial<Record<'app.key_hash' | 'app.session_hash' | 'app.visitor', Buffer>>>

export interface PoolSettings extends Access {
  /** Its name in logs and metrics. */
  readonly name: string
  readonly connections: number
  readonly statementTimeout: number
  /** Multiplies every timeout. */
  readonly timeoutFactor?: number
  /** Further connection settings, such as `jit=off`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Nothing is written here, so no answer depends on standbys. */
  readonly readsOnly?: true
  /** Called for connections that broke or are misconfigured. */
  readonly onError?: (error: Error) => void
}

/**
 * With this many waiting per connection, another would wait longer than its client does: half a second, at 20 ms per
 * statement. A page sends several statements at once, so a few dozen readers are within the limit.
 */
const mostWaitingForEach = 25
const waitForConnection = 1000

/** A connection pool of one role. */
export class Database {
  readonly name: string
  readonly pool: pg.Pool
  readonly #access: Access
  readonly #mostWaiting: number
  readonly #readsOnly: boolean
  /** Begins a transaction. Longer than `begin` if a pooler is in between and the role has other settings. */
  readonly #begin: string
  readonly #verify: (client: pg.PoolClient) => Promise<void>
  readonly #watch: PoolWatch
  /** The last attempt did not reach the server. */
  #isAway = false
  readonly #clients = new Set<pg.PoolClient>()
  /** Clients whose last commit no standby has confirmed. */
  readonly #unconfirmedCommit = new WeakSet<pg.PoolClient>()

  constructor(given: PoolSettings) {
    const { name, url, connections, timeoutFactor = 1, readsOnly, onError = () => {} } = given
    const statementTimeout = given.statementTimeout * timeoutFactor
    const connectionTimeout = waitForConnection * timeoutFactor
    const settings = poolSettings(statementTimeout, timeoutFactor, given.settings)
    this.name = name
    this.#access = given
    this.#mostWaiting = mostWaitingForEach * connections
    this.#readsOnly = readsOnly ?? false
    this.#begin = beginStatement(given, settings)
    this.#verify = async (client) => {
      try {
        await verifyConnection(client, given, settings, connectionTimeout)
      } catch (error) {
        if (error instanceof WrongConnection) onError(error)
        throw error
      }
    }
    this.#watch = watchPool(name)
    this.pool = new pg.Pool({
      connectionString: url,
      max: connections,
      connectionTimeoutMillis: connectionTimeout,
      // The server's statement timeout does nothing while the server is frozen; this one does.
      query_timeout: statementTimeout + 1000 * timeoutFactor,
      keepAlive: true,
      application_name: `standfirst ${name}`,
      ...connectionOptions(given, settings),
      onConnect: (client) => this.#verify(client as pg.PoolClient),
      // A pooler may switch to other server connections, which have not been verified.
      ...(given.pooled ? { maxLifetimeSeconds: 60 } : {}),
    })
    // The pool replaces a connection that breaks; without listeners the error would end the process.
    this.pool.on('error', onError)
    this.pool.on('connect', (client) => {
      client.on('error', onError)
      client.on('notice', (notice) => {
        if (isUnconfirmed(notice)) this.#unconfirmedCommit.add(client)
      })
      this.#clients.add(client)
    })
    this.pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** With the other pools it reads from. */
  get pools(): readonly Database[] {
    return [this]
  }

  async query<Parameters, Row>(statement: Statement<Parameters, Row>, parameters: Parameters): Promise<Row[]> {
    const { text } = statement
    const values = statement.values(parameters)
    if (this.#begin !== 'begin') return this.#alone<Row>({ text, values })
    const { pooled } = this.#access
    const asked = pooled && !pooled.knowsNamedStatements ? { text, values } : { name: statement.name, text, values }
    return this.#readsOnly ? this.#read<Row>(asked) : this.#withClient((client) => client.ask<Row>(asked))
  }

  /** In its own transaction, with the settings of this pool. */
  #alone<Row>({ text, values }: pg.QueryConfig): Promise<Row[]> {
    return this.transaction({}, async (tx) => (await tx.query<Row & pg.QueryResultRow>(text, values)).rows)
  }

  /** The hot path: the pool's own query, without a promise for the connection. A failure costs its connection. */
  async #read<Row>(asked: pg.QueryConfig): Promise<Row[]> {
    this.#refuseCrowd()
    // If none is idle, the wait for one is measured separately from the statement.
    if (this.pool.idleCount <= this.pool.waitingCount) return this.#withClient((client) => client.ask<Row>(asked))
    const end = this.#watch.begin(asked.text, asked.name)
    try {
      const rows = rowsOf<Row>(await this.pool.query(asked))
      this.#isAway = false
      end()
      return rows
    } catch (error) {
      end(error)
      throw this.#translateError(error)
    }
  }

  /** Unnamed, so planned for its values each time: for statements whose best plan depends on them. May be cancelled. */
  async run<Row>(query: pg.QueryConfig): Promise<Row[]> {
    const asked = { text: query.text, ...(query.values ? { values: query.values } : {}) }
    return this.#begin === 'begin' ? this.#withClient(({ ask }) => ask<Row>(asked)) : this.#alone<Row>(asked)
  }

  /** An error in `work` rolls back and is rethrown. */
  async transaction<T>(acting: TransactionSettings, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#withClient(async ({ query, commit }) => {
      // One round trip: the values are hashes in hexadecimal.
      const settings = Object.entries(acting).map(([name, hash]) => `; set local ${name} = '${hash.toString('hex')}'`)
      await query(`${this.#begin}${settings.join('')}`)
      let result: T
      try {
        result = await work({ query })
      } catch (error) {
        if (!isNoAnswer(error)) await query('rollback')
        throw error
      }
      await commit()
      return result
    })
  }

  async #withClient<T>(work: (client: Client, connection: pg.PoolClient) => Promise<T>): Promise<T> {
    this.#refuseCrowd()
    const client = await this.#connect()
    try {
      const result = await work(this.#speaking(client), client)
      this.#isAway = false
      if (this.#unconfirmedCommit.has(client)) throw unconfirmedCommit()
      client.release()
      return result
    } catch (error) {
      const silent = isNoAnswer(error)
      if (silent) destroySocket(client)
      client.release(silent || isConnectionClosing(error) || this.#unconfirmedCommit.has(client))
      throw error
    }
  }

  /** Throws `WrongConnection` if a connection can be had and is misconfigured. */
  async verify(): Promise<void> {
    await this.#withClient(async () => {}).catch((error) => {
      if (isWrongConnection(error)) throw error.cause
    })
  }

  /** Checks that the database answers, and as the right role. If not as that, all connections are verified again. */
  async probe(text: string): Promise<void> {
    try {
      await this.#withClient(async ({ ask }, client) => {
        await this.#verify(client).catch((error) => {
          throw this.#translateError(error)
        })
        await ask({ text })
      })
    } catch (error) {
      if (isWrongConnection(error)) this.breakConnections()
      throw error
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const isWaiting = this.pool.idleCount <= this.pool.waitingCount
    const start = performance.now()
    try {
      return await this.pool.connect()
    } catch (error) {
      throw this.#translateError(error)
    } finally {
      if (isWaiting) this.#watch.waited(performance.now() - start)
    }
  }

  #refuseCrowd(): void {
    if (this.pool.waitingCount < this.#mostWaiting) return
    this.#watch.failed(this.#isAway ? 'away' : 'crowded')
    throw this.#isAway ? databaseAway() : overloaded(message('error.busy'))
  }

  #translateError(given: unknown): unknown {
    const error = openingError(given, this.#access)
    const kind = classifyFailure(error, this.#isAway)
    if (kind !== 'busy') this.#isAway = kind === 'away'
    if (kind !== 'answered') this.#watch.failed(kind)
    return translateError(error, kind)
  }

  /** Statements over a connection, with errors translated. */
  #speaking(client: pg.PoolClient): Client {
    const timed = async <T>(text: string, asked: () => Promise<T>, name?: string): Promise<T> => {
      const end = this.#watch.begin(text, name)
      try {
        const answer = await asked()
        end()
        return answer
      } catch (error) {
        end(error)
        throw this.#translateError(error)
      }
    }
    const query: Transaction['query'] = (text, values) => timed(text, () => client.query(text, values as unknown[]))
    return {
      query,
      ask: (asked) => timed(asked.text, async () => rowsOf(await client.query(asked)), asked.name),
      commit: async () => {
        const act = currentWrite()
        try {
          // One round trip for both: the position is read after the commit.
          if (!act?.changed) await query('commit')
          else act.committed = await timed('commit', () => commitWithPosition(client))
        } catch (error) {
          if (isNoAnswer(error)) throw unconfirmedCommit(error)
          await query('rollback')
          throw error
        }
      },
    }
  }

  /** Waiting clients fail immediately. */
  breakConnections(): void {
    for (const client of this.#clients) destroySocket(client)
  }

  async close(): Promise<void> {
    await this.pool.end()
  }
}

interface Client extends Transaction {
  ask<Row>(query: pg.QueryConfig): Promise<Row[]>
  commit(): Promise<void>
}

/** pg's timeout holds the result for a while; without its rows they can be collected as soon as they are sent. */
function rowsOf<Row>(result: { rows: unknown[] }): Row[] {
  const { rows } = result
  result.rows = []
  return rows as Row[]
}

/** A frozen server would never answer a regular close. */
function destroySocket(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}
