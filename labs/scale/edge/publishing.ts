import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Ask, DeskWriter } from '../../../testkit/desk-client.ts'
import { makeDraft, makeWriter } from '../../../testkit/factories.ts'

/** Somebody who publishes at an even pace, at the desk, looking at each piece first as its page does. */
export interface Publishing {
  readonly done: number
  readonly failed: number
  stop(): Promise<void>
}

export async function keepPublishing(admin: pg.Pool, ask: Ask, aSecond: number, seconds: number): Promise<Publishing> {
  const writers = await makeWriters(admin, 'steady', aSecond, seconds + 5)
  const under = new Set<Promise<void>>()
  let [done, failed, turn] = [0, 0, 0]
  const publish = async (writer: DeskWriter) => {
    const id = writer.drafts.pop()
    if (id === undefined) return
    if (await act(ask, writer, id, 'publish')) done += 1
    else failed += 1
  }
  const timer = setInterval(() => {
    const one = publish(writers[turn % writers.length]!)
    turn += 1
    under.add(one)
    void one.finally(() => under.delete(one))
  }, 1000 / aSecond)
  return {
    get done() {
      return done
    },
    get failed() {
      return failed
    },
    stop: async () => {
      clearInterval(timer)
      await Promise.all(under)
    },
  }
}

/** Writers with something to publish. No two runs of a proof may have the same name. */
export async function makeWriters(admin: pg.Pool, name: string, count: number, drafts: number): Promise<DeskWriter[]> {
  const numbers = Array.from({ length: count }, (_, number) => number)
  return Promise.all(
    numbers.map(async (number) => {
      const writer = await makeWriter(admin, { slug: `${name}-${number}`, name: `${name} ${number}` })
      const made: string[] = []
      for (let draft = 0; draft < drafts; draft += 1) {
        made.push(
          await makeDraft(admin, writer, {
            headline: `Piece ${draft}`,
            body_md: 'It was morning.\n\nAnd then it was not.',
          }),
        )
      }
      return { ...writer, drafts: made }
    }),
  )
}

/** A site that is busy asks to come back; whoever publishes does. */
const mostTries = 10

/** Whether it was done. */
export async function act(ask: Ask, writer: DeskWriter, id: string, name: 'publish' | 'unpublish'): Promise<boolean> {
  for (let tries = 1; tries < mostTries; tries += 1) {
    if (await tryOnce(ask, writer, id, name)) return true
    await pause(500)
  }
  return tryOnce(ask, writer, id, name)
}

async function tryOnce(ask: Ask, writer: DeskWriter, id: string, name: 'publish' | 'unpublish'): Promise<boolean> {
  if (name === 'unpublish') return (await ask(writer, 'POST', `pieces/${id}/unpublish`)).status === 200
  const shown = await ask(writer, 'POST', `pieces/${id}/preview`)
  return (await ask(writer, 'POST', `pieces/${id}/publish`, { nonce: shown.body?.nonce })).status === 200
}
