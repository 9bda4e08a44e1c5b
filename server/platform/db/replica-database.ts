import pg from 'pg'
import { ServiceError } from '../errors.ts'
import { Database, type PoolSettings } from './database.ts'
import { isClosing, isNoAnswer } from './pg-errors.ts'
import type { ReadRouter, ReadTarget } from './read-routing.ts'
import type { Statement } from './statement.ts'

/** Reads from a replica while it is fresh, else from the primary. If one is down, the read is repeated at the other. */
export class ReplicaDatabase extends Database {
  readonly #primary: Database
  readonly #router: ReadRouter

  constructor(settings: PoolSettings, primary: Database, router: ReadRouter) {
    super(settings)
    this.#primary = primary
    this.#router = router
  }

  override query<Parameters, Row>(statement: Statement<Parameters, Row>, parameters: Parameters): Promise<Row[]> {
    return this.#read((place) =>
      place === 'replica' ? super.query(statement, parameters) : this.#primary.query(statement, parameters),
    )
  }

  override run<Row>(query: pg.QueryConfig): Promise<Row[]> {
    return this.#read((place) => (place === 'replica' ? super.run(query) : this.#primary.run(query)))
  }

  override probe(text: string): Promise<void> {
    return this.#read((place) => (place === 'replica' ? super.probe(text) : this.#primary.probe(text)))
  }

  override get pools(): readonly Database[] {
    return [this, this.#primary]
  }

  /** The replica is gone: queries waiting for it fail immediately. */
  leaveReplica(): void {
    this.breakConnections()
  }

  leavePrimary(): void {
    this.#primary.breakConnections()
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#primary.close()])
  }

  /** Reads can be repeated safely. */
  async #read<T>(ask: (place: ReadTarget) => Promise<T>): Promise<T> {
    const place = this.#router.current
    try {
      return await ask(place)
    } catch (error) {
      const other = place === 'replica' ? this.#besideReplica(error) : await this.#besidePrimary(error)
      if (!other) throw error
      this.#router.move(other)
      return ask(other)
    }
  }

  #besideReplica(error: unknown): ReadTarget | undefined {
    const isFrozen = isCrowd(error) && this.#router.isDoubtful('replica')
    if (!isFrozen && !isNoAnswer(error) && !isStandbysOwn(error)) return undefined
    this.#router.doubtReplica()
    return 'primary'
  }

  /** If the primary has just failed, the replica takes over; a broken connection is replaced. */
  async #besidePrimary(error: unknown): Promise<ReadTarget | undefined> {
    if (isCrowd(error)) return this.#router.isDoubtful('primary') ? 'replica' : undefined
    return isNoAnswer(error) || isClosing(causeOf(error)) ? this.#router.place() : undefined
  }
}

/** Too many are waiting. That is no reason to refuse while the server they wait for is frozen. */
const isCrowd = (error: unknown): boolean =>
  error instanceof ServiceError && error.cause === undefined && ['overloaded', 'database_away'].includes(error.reason)

/** Cancelled by replay, waiting for a replayed lock, or out of connections. */
const standbysOwn = ['40001', '40P01', '55P03', '53300', '53400']

/** The PostgreSQL error behind ours. */
const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

function isStandbysOwn(error: unknown): boolean {
  const cause = causeOf(error)
  return isClosing(cause) || (cause instanceof pg.DatabaseError && standbysOwn.includes(cause.code ?? ''))
}
