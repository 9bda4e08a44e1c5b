import { setTimeout as pause } from 'node:timers/promises'
import { type DeskRequest, type DeskWriter, deskAt } from '../../../testkit/desk-client.ts'
import { median } from '../../../testkit/measure.ts'
import type { Proof } from '../proof.ts'
import { act, edgeSite, makeWriters, watch } from './site.ts'

const readsASecond = 200
/** Addresses at once. */
const sideBySide = 3
const promised = 2_000
const rounds = { short: 1, usual: 17, long: 100 }

interface Lateness {
  /** Milliseconds from the desk's answer to Publish until the last request began that did not get it; below 0, before that answer. */
  readonly published: number
  /** The same from Unpublish, of the last that still did. */
  readonly unpublished: number
}

/** How long the edge serves stale content while an address is read 200 times a second. */
export const fresh: Proof = async (length) => {
  const { edge, server, admin } = await edgeSite(length)
  const ask = deskAt(server.base)
  const writers = await makeWriters(admin, 'fresh', sideBySide, rounds[length])
  const times: Lateness[] = []
  const failures: string[] = []
  for (let round = 0; round < rounds[length]; round += 1) {
    times.push(...(await Promise.all(writers.map((writer) => lateness(edge.base, ask, writer, failures)))))
  }
  const all = (kind: keyof Lateness) => times.map((one) => one[kind])
  const worst = (kind: keyof Lateness) => Math.max(...all(kind))
  for (const kind of ['published', 'unpublished'] as const) {
    console.log(
      `${kind} ${times.length} times, late by ${median(all(kind)).toFixed(0)} ms in the middle, ${worst(kind).toFixed(0)} ms at worst; promised ${promised}`,
    )
  }
  if (failures.length > 0) console.log(`${failures.length} reads failed: ${failures[0]}`)
  return failures.length === 0 && worst('published') <= promised && worst('unpublished') <= promised
}

async function lateness(base: string, ask: DeskRequest, writer: DeskWriter, failures: string[]): Promise<Lateness> {
  const id = writer.drafts.pop()!
  const reading = watch(`${base}/api/public/pieces/${id}`, readsASecond)
  const done = async (name: 'publish' | 'unpublish', before: number) => {
    await pause(300)
    if (!(await act(ask, writer, id, name))) throw new Error(`the desk did not ${name}`)
    const acknowledged = performance.now()
    await pause(promised + 500)
    return reading.lastOf(before) - acknowledged
  }
  try {
    return { published: await done('publish', 404), unpublished: await done('unpublish', 200) }
  } finally {
    await reading.stop()
    failures.push(...reading.failures)
  }
}
