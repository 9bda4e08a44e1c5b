import type { Category, MatchSite } from '../schema.ts'

/** A piece as it is filed: its texts by site, best first, and its category as a mark. */
export const sites: readonly MatchSite[] = ['headline', 'standfirst', 'body']
export const siteCount = sites.length

/** FNV-1a: a number for a name, the same for ever. */
export function markOf(category: Category): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < category.length; at += 1) hash = Math.imul(hash ^ category.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
