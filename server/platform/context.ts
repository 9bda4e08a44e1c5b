import type { Database } from './db/database.ts'
import type { Urls } from './urls.ts'

/** What a public read may touch: the public wing, through connections that can see nothing else. */
export interface ReadContext {
  readonly db: Database
  /** Connections of their own for searches, so that slow ones never hold up the other reads. */
  readonly searchDb: Database
  /** Milliseconds a search may take. */
  readonly searchBudget: number
  readonly urls: Urls
}

/** What a key's holder may touch: drafts of their own, through connections that can make nothing public. */
export interface WriteContext {
  readonly db: Database
  readonly urls: Urls
}

/** What a signed-in person may touch: their own work, and publishing through the database's own functions. */
export interface DeskContext {
  readonly db: Database
  readonly urls: Urls
}
