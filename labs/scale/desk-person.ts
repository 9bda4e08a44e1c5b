import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Ask, type DeskWriter, deskAt, makeWriters } from '../../testkit/desk-client.ts'

/** Somebody at the desk who looks at a piece and publishes it, and another, while all else goes on. */

interface Published {
  readonly tried: number
  /** Pieces whose publication was acknowledged. */
  readonly published: readonly string[]
  /** What else was answered. */
  readonly refusals: readonly (number | null)[]
  /** Milliseconds of looking and publishing together, in order of length. */
  readonly times: readonly number[]
}

export interface Person {
  /** Publishes again and again, every so many milliseconds, until told to stop. */
  begin(base: string, every: number): { stop(): Promise<Published> }
}

let made = 0

/** Whose drafts are ready, at this database. */
export async function personAtTheDesk(databaseUrl: string, drafts: number): Promise<Person> {
  const admin = new pg.Pool({ connectionString: databaseUrl, max: 2 })
  admin.on('error', () => {})
  made += 1
  const [writer] = await makeWriters(admin, 1, drafts, made)
  await admin.end()
  return { begin: (base, every) => publishing(deskAt(base), writer!, every) }
}

function publishing(ask: Ask, writer: DeskWriter, every: number): { stop(): Promise<Published> } {
  const published: string[] = []
  const refusals: (number | null)[] = []
  const times: number[] = []
  let tried = 0
  let isOver = false
  const publishOne = async (piece: string) => {
    const start = performance.now()
    const shown = await ask(writer, 'POST', `pieces/${piece}/preview`)
    if (shown.status !== 200) return void refusals.push(shown.status)
    const { status } = await ask(writer, 'POST', `pieces/${piece}/publish`, { nonce: shown.body.nonce })
    if (status !== 200) return void refusals.push(status)
    times.push(performance.now() - start)
    published.push(piece)
  }
  const work = async () => {
    const running: Promise<void>[] = []
    while (!isOver) {
      const piece = writer.drafts.pop()
      if (!piece) throw new Error('there are no more drafts to publish')
      tried += 1
      running.push(publishOne(piece))
      await pause(every)
    }
    await Promise.all(running)
  }
  const done = work()
  return {
    stop: async () => {
      isOver = true
      await done
      return { tried, published, refusals, times: times.toSorted((one, other) => one - other) }
    },
  }
}
