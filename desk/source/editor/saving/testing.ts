import type { Clock } from './clock.ts'
import type { Entry } from './journal.ts'
import { blank, changed, type Manuscript } from './manuscript.ts'
import { type Found, meet } from './restore.ts'
import { openSaver } from './saver.ts'
import type { Outcome, PieceStore, Saved } from './status.ts'

/** A desk by itself, for tests of the saver: time, server and journal in a few lines each. */

/** A clock turned by hand: everything due happens, in order, and whatever waits for it is let through. */
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

/** A server in a few lines: revisions, refusal of what was made from another one, and failures to order. */
function store(first?: Manuscript) {
  const revisions: Manuscript[] = first ? [first] : []
  const calls: string[] = []
  let failing: Outcome['kind'] | 'lost' | undefined
  const at = (): Saved => ({ id: 'p', etag: `"${revisions.length}"`, manuscript: revisions.at(-1)! })
  const answer = (act: () => Outcome): Promise<Outcome> => {
    if (failing === 'lost') {
      act()
      return Promise.resolve({ kind: 'unreachable' })
    }
    if (failing) return Promise.resolve({ kind: failing, detail: 'No.', problems: [] } as Outcome)
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
      calls.push(`save ${changed(before, after).join(' ')}`)
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
    fail: (how?: Outcome['kind'] | 'lost') => {
      failing = how
    },
  }
}

function memory() {
  const entries = new Map<string, Entry>()
  return {
    entries,
    isFull: false,
    async keep(entry: Entry) {
      if (this.isFull) throw new Error('full')
      entries.set(entry.key, entry)
    },
    forget: async (key: string) => void entries.delete(key),
  }
}

export const words = (body_md: string, more: Partial<Manuscript> = {}): Manuscript => ({ ...blank, body_md, ...more })

export function desk(first?: Manuscript, found?: Found) {
  const clock = handClock()
  const server = store(first)
  const journal = memory()
  const saver = openSaver({
    key: 'p',
    writer: 'w',
    found: found ?? meet(undefined, first ? server.at() : null),
    journal,
    pieces: server.pieces,
    clock,
  })
  return { clock, server, journal, saver }
}
