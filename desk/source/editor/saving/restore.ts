import type { Entry } from './journal.ts'
import { blank, changed, type Manuscript, merged, saysTheSame } from './manuscript.ts'
import type { Saved, Standing } from './status.ts'

/** How a piece is found when it is opened: what the server has, and what this device kept and the server has not. */
export interface Found {
  readonly base: Saved | null
  readonly manuscript: Manuscript
  /** When what was put back was written; null if nothing had to be. */
  readonly putBack: number | null
  readonly contested: Extract<Standing, { kind: 'contested' }> | null
}

export function meet(entry: Entry | undefined, saved: Saved | null): Found {
  if (!entry) return { base: saved, manuscript: saved?.manuscript ?? blank, putBack: null, contested: null }
  const { manuscript: mine, at: putBack } = entry
  if (!saved) return { base: null, manuscript: mine, putBack, contested: null }
  const base = baseOf(entry, saved)
  if (!base) return { base: saved, manuscript: mine, putBack, contested: contestedBy(saved) }
  if (changed(base.manuscript, mine).length === 0) {
    return { base: saved, manuscript: saved.manuscript, putBack: null, contested: null }
  }
  const together = merged(base.manuscript, mine, saved.manuscript)
  if (!together) return { base, manuscript: mine, putBack, contested: contestedBy(saved) }
  if (saysTheSame(saved.manuscript, together)) return meet(undefined, saved)
  return { base: saved, manuscript: together, putBack, contested: null }
}

/** What was under way when the tab ended may have arrived: then it is that the text was changed from. */
export function baseOf({ base, sent }: Pick<Entry, 'base' | 'sent'>, saved: Saved): Saved | null {
  return sent && saysTheSame(sent, saved.manuscript) ? { ...saved, manuscript: sent } : base
}

export const contestedBy = ({ manuscript, etag }: Saved): Extract<Standing, { kind: 'contested' }> => ({
  kind: 'contested',
  theirs: manuscript,
  etag,
})
