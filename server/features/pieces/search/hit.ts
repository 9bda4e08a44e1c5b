import type { MatchSite } from '../schema.ts'

/** A match and its place in the order of all matches. */
export interface Place {
  readonly site: MatchSite
  readonly publishedAt: Date
  readonly id: string
}

export interface Hit extends Place {
  readonly snippet: string | null
}
