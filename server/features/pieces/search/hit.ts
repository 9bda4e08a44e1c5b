import type { MatchSite } from '../schema.ts'
import type { Member } from './docs.ts'

/** A match and its place in the order of all matches. */
export interface Place extends Member {
  readonly site: MatchSite
}

export interface Hit extends Place {
  readonly snippet: string | null
}
