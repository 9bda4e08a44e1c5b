import pg from 'pg'
import { ServiceError } from '../errors.ts'
import { Database, type PoolSettings } from './database.ts'
import { isClosing, isSilence } from './failures.ts'
import type { Place, ReadRouting } from './read-routing.ts'
import type { Statement } from './statement.ts'

/** Reads at a replica while it is fresh, else at the primary; what fails for want of one of them is asked of the other. */
export class ReplicaDatabase extends Database {
  readonly #primary: Database
  readonly #freshness: ReadRouting

  constructor(settings: PoolSettings, primary: Database, freshness: ReadRouting) {
    super(settings)
    this.#primary = primary
    this.#freshness = freshness
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

  /** The replica is gone: whoever waits for its answer is told so at once. */
  leaveReplica(): void {
    this.breakConnections()
  }

  leavePrimary(): void {
    this.#primary.breakConnections()
  }

  override async close(): Promise<void> {
    await Promise.all([super.close(), this.#primary.close()])
  }

  /** Reads may be repeated: they change nothing. */
  async #read<T>(ask: (place: Place) => Promise<T>): Promise<T> {
    const place = this.#freshness.current
    try {
      return await ask(place)
    } catch (error) {
      const other = place === 'replica' ? this.#besideReplica(error) : await this.#besidePrimary(error)
      if (!other) throw error
      this.#freshness.move(other)
      return ask(other)
    }
  }

  #besideReplica(error: unknown): Place | undefined {
    const isFrozen = isCrowd(error) && this.#freshness.isDoubtful('replica')
    if (!isFrozen && !isSilence(error) && !isStandbysOwn(error)) return undefined
    this.#freshness.doubtReplica()
    return 'primary'
  }

  /** Where the primary has just gone the replica takes over; a connection of its own that broke is made anew. */
  async #besidePrimary(error: unknown): Promise<Place | undefined> {
    if (isCrowd(error)) return this.#freshness.isDoubtful('primary') ? 'replica' : undefined
    return isSilence(error) || isClosing(causeOf(error)) ? this.#freshness.place() : undefined
  }
}

/** Too many wait. Nobody is refused for that while the server they wait for is frozen. */
const isCrowd = (error: unknown): boolean =>
  error instanceof ServiceError && error.cause === undefined && ['overloaded', 'database_away'].includes(error.reason)

/** Cancelled for what it replays, waiting for a lock it replays, or out of connections. */
const standbysOwn = ['40001', '40P01', '55P03', '53300', '53400']

/** PostgreSQL's own word, behind ours. */
const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

function isStandbysOwn(error: unknown): boolean {
  const cause = causeOf(error)
  return isClosing(cause) || (cause instanceof pg.DatabaseError && standbysOwn.includes(cause.code ?? ''))
}
