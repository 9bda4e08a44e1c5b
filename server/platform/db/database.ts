import pg from 'pg'
import { databaseAway, overloaded } from '../errors.ts'
import { type PoolWatch, watchPool } from '../observability/database.ts'
import { type Access, beginWith, poolSettings, startingWith } from './access.ts'
import { commitAndLook, isUnconfirmed } from './commit.ts'
import { explained, isGoing, isSilence, isWrong, kindOf, unconfirmed } from './failures.ts'
import type { Statement } from './statement.ts'
import { openingError, verifyConnection, WrongConnection } from './verify.ts'
import { actNow } from './write-context.ts'

/** A connection with a transaction open on it. */
export interface Transaction {
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
}

/**
 * Settings of one transaction: the credential it acts with, as a hash the database looks up by itself, or what is known of
 * a visitor who has none, as JSON.
 */
export type Acting = Readonly<Partial<Record<'app.key_hash' | 'app.session_hash' | 'app.visitor', Buffer>>>

export interface PoolSettings extends Access {
  /** What logs and metrics call it. */
  readonly name: string
  readonly connections: number
  readonly statementTimeout: number
  /** Multiplies every limit of time. */
  readonly timeoutFactor?: number
  /** Further settings of the connection, such as `jit=off`. */
  readonly settings?: Readonly<Record<string, string>>
  /** Nothing is written here, so no answer depends on a standby having it. */
  readonly readsOnly?: true
  /** Told of connections that broke, or are not what they must be. */
  readonly onError?: (error: Error) => void
}

/**
 * With this many waiting for each connection, another would wait longer than its caller does: half a second, of
 * statements that take 20 ms. A page asks several at once, so a few dozen readers are no crowd.
 */
const mostWaitingForEach = 25
const waitForConnection = 1000

/** One pool of connections, all of one role. */
export class Database {
  readonly name: string
  readonly pool: pg.Pool
  readonly #access: Access
  readonly #mostWaiting: number
  readonly #readsOnly: boolean
  /** Begins a transaction. Longer than `begin` where a pooler is in between and the role brings other settings along. */
  readonly #begin: string
  readonly #verify: (client: pg.PoolClient) => Promise<void>
  readonly #watch: PoolWatch
  /** It was not reached when it was last asked. */
  #isAway = false
  readonly #clients = new Set<pg.PoolClient>()
  /** Whose last commit no standby has confirmed. */
  readonly #unconfirmed = new WeakSet<pg.PoolClient>()

  constructor(given: PoolSettings) {
    const { name, url, connections, timeoutFactor = 1, readsOnly, onError = () => {} } = given
    const statementTimeout = given.statementTimeout * timeoutFactor
    const connectionTimeout = waitForConnection * timeoutFactor
    const settings = poolSettings(statementTimeout, timeoutFactor, given.settings)
    this.name = name
    this.#access = given
    this.#mostWaiting = mostWaitingForEach * connections
    this.#readsOnly = readsOnly ?? false
    this.#begin = beginWith(given, settings)
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
      // The server's own time-out does nothing while the server is frozen; this one does.
      query_timeout: statementTimeout + 1000 * timeoutFactor,
      keepAlive: true,
      application_name: `standfirst ${name}`,
      ...startingWith(given, settings),
      onConnect: (client) => this.#verify(client as pg.PoolClient),
      // A pooler may go on with other connections of its own, which nobody has looked at.
      ...(given.pooled ? { maxLifetimeSeconds: 60 } : {}),
    })
    // A connection that breaks, idle or at work, is replaced by the pool; without listeners it would end the process.
    this.pool.on('error', onError)
    this.pool.on('connect', (client) => {
      client.on('error', onError)
      client.on('notice', (notice) => {
        if (isUnconfirmed(notice)) this.#unconfirmed.add(client)
      })
      this.#clients.add(client)
    })
    this.pool.on('remove', (client) => this.#clients.delete(client))
  }

  /** With whatever else it reads from. */
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

  /** In a transaction of its own, which has the settings of this pool. */
  #alone<Row>({ text, values }: pg.QueryConfig): Promise<Row[]> {
    return this.transaction({}, async (tx) => (await tx.query<Row & pg.QueryResultRow>(text, values)).rows)
  }

  /** The hot path: the pool's own query, which makes no promise for the connection. A failure costs its connection. */
  async #read<Row>(asked: pg.QueryConfig): Promise<Row[]> {
    this.#refuseCrowd()
    // With none idle the wait for one is measured, and is not the statement's.
    if (this.pool.idleCount <= this.pool.waitingCount) return this.#withClient((client) => client.ask<Row>(asked))
    const end = this.#watch.begin(asked.text, asked.name)
    try {
      const rows = rowsOf<Row>(await this.pool.query(asked))
      this.#isAway = false
      end()
      return rows
    } catch (error) {
      end(error)
      throw this.#explained(error)
    }
  }

  /** Unnamed: planned anew for its values, for statements whose best plan depends on them. They may be cancelled. */
  async run<Row>(query: pg.QueryConfig): Promise<Row[]> {
    const asked = { text: query.text, ...(query.values ? { values: query.values } : {}) }
    return this.#begin === 'begin' ? this.#withClient(({ ask }) => ask<Row>(asked)) : this.#alone<Row>(asked)
  }

  /** Kept whole or not at all. An error of `work` rolls it back and rises. */
  async transaction<T>(acting: Acting, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.#withClient(async ({ query, commit }) => {
      // One round trip: the values are hashes, written in hexadecimal.
      const settings = Object.entries(acting).map(([name, hash]) => `; set local ${name} = '${hash.toString('hex')}'`)
      await query(`${this.#begin}${settings.join('')}`)
      let result: T
      try {
        result = await work({ query })
      } catch (error) {
        if (!isSilence(error)) await query('rollback')
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
      if (this.#unconfirmed.has(client)) throw unconfirmed()
      client.release()
      return result
    } catch (error) {
      const silent = isSilence(error)
      if (silent) destroySocket(client)
      client.release(silent || isGoing(error) || this.#unconfirmed.has(client))
      throw error
    }
  }

  /** Whether its connections are what they must be, where one can be had: throws `WrongConnection`. */
  async verify(): Promise<void> {
    await this.#withClient(async () => {}).catch((error) => {
      if (isWrong(error)) throw error.cause
    })
  }

  /** Whether it can be asked now, as whom it must be. If not as that, every connection is verified again. */
  async probe(text: string): Promise<void> {
    try {
      await this.#withClient(async ({ ask }, client) => {
        await this.#verify(client).catch((error) => {
          throw this.#explained(error)
        })
        await ask({ text })
      })
    } catch (error) {
      if (isWrong(error)) this.breakConnections()
      throw error
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    const isWaiting = this.pool.idleCount <= this.pool.waitingCount
    const start = performance.now()
    try {
      return await this.pool.connect()
    } catch (error) {
      throw this.#explained(error)
    } finally {
      if (isWaiting) this.#watch.waited(performance.now() - start)
    }
  }

  #refuseCrowd(): void {
    if (this.pool.waitingCount < this.#mostWaiting) return
    this.#watch.failed(this.#isAway ? 'away' : 'crowded')
    throw this.#isAway ? databaseAway() : overloaded('Too many requests are waiting for the database.')
  }

  #explained(given: unknown): unknown {
    const error = openingError(given, this.#access)
    const kind = kindOf(error, this.#isAway)
    if (kind !== 'busy') this.#isAway = kind === 'away'
    if (kind !== 'answered') this.#watch.failed(kind)
    return explained(error, kind)
  }

  /** What can be said over a connection, with errors in our words. */
  #speaking(client: pg.PoolClient): Client {
    const timed = async <T>(text: string, asked: () => Promise<T>, name?: string): Promise<T> => {
      const end = this.#watch.begin(text, name)
      try {
        const answer = await asked()
        end()
        return answer
      } catch (error) {
        end(error)
        throw this.#explained(error)
      }
    }
    const query: Transaction['query'] = (text, values) => timed(text, () => client.query(text, values as unknown[]))
    return {
      query,
      ask: (asked) => timed(asked.text, async () => rowsOf(await client.query(asked)), asked.name),
      commit: async () => {
        const act = actNow()
        try {
          // One round trip for both: the position is asked for after what was committed has one.
          if (!act?.changed) await query('commit')
          else act.committed = await timed('commit', () => commitAndLook(client))
        } catch (error) {
          if (isSilence(error)) throw unconfirmed(error)
          await query('rollback')
          throw error
        }
      },
    }
  }

  /** Whoever waits for an answer is told at once that none will come. */
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

/** pg's time-out keeps the result for a while; without its rows they are free to go as soon as they are sent. */
function rowsOf<Row>(result: { rows: unknown[] }): Row[] {
  const { rows } = result
  result.rows = []
  return rows as Row[]
}

/** A frozen server never answers a polite goodbye. */
function destroySocket(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection?: { stream?: { destroy(): void } } }
  connection?.stream?.destroy()
}
