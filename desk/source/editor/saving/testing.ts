import { type JournalEntry, type Restored, restoreText } from './journal.ts'
import { changedMembers, emptyManuscript, type Manuscript } from './manuscript.ts'
import type { PieceStore, SavedPiece, SaveOutcome } from './save-status.ts'
import { type Clock, openSaver } from './saver.ts'

/** Fakes for tests of the saver: clock, server and journal. */

/** A clock advanced by hand: runs everything due, in order, and lets pending promises settle. */
function handClock(): Clock & { pass(milliseconds: number): Promise<void> } {
  let now = 0
  let waiting: { at: number; act: () => void }[] = []
  return {
    now: () => now,
    after(milliseconds, act) {
      const one = { at: now + milliseconds, act }
      waiting.push(one)
      return () => {
        waiting = waiting.filter((other) => other !== one)
      }
    },
    async pass(milliseconds) {
      const end = now + milliseconds
      for (;;) {
        await settled()
        const next = waiting.filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
        if (!next) break
        waiting = waiting.filter((other) => other !== next)
        now = next.at
        next.act()
      }
      now = end
      await settled()
    },
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A fake server: revisions, 412 for stale etags, and failures on demand. */
function store(first?: Manuscript) {
  const revisions: Manuscript[] = first ? [first] : []
  const calls: string[] = []
  let failing: SaveOutcome['kind'] | 'lost' | undefined
  const at = (): SavedPiece => ({ id: 'p', etag: `"${revisions.length}"`, manuscript: revisions.at(-1)! })
  const answer = (act: () => SaveOutcome): Promise<SaveOutcome> => {
    if (failing === 'lost') {
      act()
      return Promise.resolve({ kind: 'unreachable' })
    }
    if (failing) return Promise.resolve({ kind: failing, detail: 'No.', problems: [] } as SaveOutcome)
    return Promise.resolve(act())
  }
  const pieces: PieceStore = {
    begin: (_id, manuscript) => {
      calls.push('begin')
      return answer(() => {
        if (revisions.length === 0) revisions.push(manuscript)
        return { kind: 'saved', at: at() }
      })
    },
    save: (_id, etag, before, after) => {
      calls.push(`save ${changedMembers(before, after).join(' ')}`)
      return answer(() => {
        if (etag !== at().etag) return { kind: 'stale' }
        revisions.push(after)
        return { kind: 'saved', at: at() }
      })
    },
    read: () => {
      calls.push('read')
      return answer(() => (revisions.length ? { kind: 'saved', at: at() } : { kind: 'gone' }))
    },
  }
  return {
    pieces,
    revisions,
    calls,
    at,
    fail: (how?: SaveOutcome['kind'] | 'lost') => {
      failing = how
    },
  }
}

function memory() {
  const entries = new Map<string, JournalEntry>()
  return {
    entries,
    isFull: false,
    async put(entry: JournalEntry) {
      if (this.isFull) throw new Error('full')
      entries.set(entry.key, entry)
    },
    remove: async (key: string) => void entries.delete(key),
  }
}

export const words = (body_md: string, more: Partial<Manuscript> = {}): Manuscript => ({
  ...emptyManuscript,
  body_md,
  ...more,
})

export function desk(first?: Manuscript, found?: Restored) {
  const clock = handClock()
  const server = store(first)
  const journal = memory()
  const saver = openSaver({
    key: 'p',
    writer: 'w',
    found: found ?? restoreText(undefined, first ? server.at() : null),
    journal,
    pieces: server.pieces,
    clock,
  })
  return { clock, server, journal, saver }
}
