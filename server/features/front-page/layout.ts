import { policy } from '#config/policy.ts'
import { type FrontPageState, type Listed, newestCount, placesOfAuthor, topPlaces } from './state.ts'

/** Which piece is where on the front page. No piece is there twice. */
export interface FrontPageLayout {
  /** One large, and up to two beside it. */
  readonly lead: readonly string[]
  /** Below them. */
  readonly row: readonly string[]
  readonly mostRead: readonly string[]
  readonly sections: readonly { readonly category: string; readonly ids: readonly string[] }[]
  /** The newest that have no other place. */
  readonly rest: readonly string[]
}

const leads = 3
const mostReadCount = 5
/** Fewer would not make a list. */
const fewestMostRead = 3
/** A section has one large piece and a list, or a row. */
const ofSection = [5, 4] as const
const fewestOfSection = 3

/**
 * Pinned pieces first, then the newest; then most read, sections and the rest. Among the first ten places an author has at
 * most two while other authors have pieces.
 */
export function layOut({ pins, newest, spread, sections, trending }: FrontPageState): FrontPageLayout {
  const used = new Set<string>()
  const ofAuthor = new Map<string, number>()
  /** Whether other authors have pieces for the first places. */
  let isLimited = true

  const pick = (from: readonly Listed[], count: number): Listed[] => {
    const picked: Listed[] = []
    for (const piece of from) {
      if (picked.length === count) break
      if (used.has(piece.id)) continue
      const already = picked.filter(({ author }) => author === piece.author).length + (ofAuthor.get(piece.author) ?? 0)
      const isFirst = used.size + picked.length < topPlaces
      if (!(isLimited && isFirst && already >= placesOfAuthor)) picked.push(piece)
    }
    return picked
  }
  /** None, and nothing used, if there are fewer than `fewest`. */
  const take = (from: readonly Listed[], count: number, fewest = 0): string[] => {
    const picked = pick(from, count)
    if (picked.length < fewest) return []
    for (const { id, author } of picked) {
      used.add(id)
      ofAuthor.set(author, (ofAuthor.get(author) ?? 0) + 1)
    }
    return picked.map(({ id }) => id)
  }

  const top = take(pins, policy.front_page_pins)
  const shown = newest.slice(0, newestCount)
  const others = spread.length > 0 ? spread : shown
  top.push(...take(others, policy.front_page_pins - top.length))
  if (top.length < policy.front_page_pins) {
    isLimited = false
    top.push(...take(shown, policy.front_page_pins - top.length))
  }
  const mostRead = take(trending, mostReadCount, fewestMostRead)
  const bySection = Map.groupBy(sections, ({ category }) => category)
  const blocks: { category: string; ids: string[] }[] = []
  for (const [category, pieces] of bySection) {
    const ids = take(pieces, ofSection[blocks.length % ofSection.length]!, fewestOfSection)
    if (ids.length > 0) blocks.push({ category, ids })
  }
  const rest = take(others, Math.max(0, topPlaces - used.size))
  rest.push(...shown.filter(({ id }) => !used.has(id)).map(({ id }) => id))
  return { lead: top.slice(0, leads), row: top.slice(leads), mostRead, sections: blocks, rest }
}
