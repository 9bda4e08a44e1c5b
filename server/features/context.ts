import type { Urls } from '#features/urls.ts'
import type { Database } from '#platform/db/database.ts'

/** For public reads: the public schema `pub`, through connections that can read nothing else. */
export interface ReadContext {
  readonly db: Database
  /** Separate connections for searches, so that slow searches do not delay other reads. */
  readonly searchDb: Database
  /** Time budget of a search in milliseconds. */
  readonly searchBudget: number
  readonly urls: Urls
}

/** For API keys: the drafts of the key's owner, through connections that cannot publish. */
export interface WriteContext {
  readonly db: Database
  readonly urls: Urls
}

/** For signed-in users: their own work; publishing goes through database functions. */
export interface DeskContext {
  readonly db: Database
  readonly urls: Urls
}
