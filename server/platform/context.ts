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
