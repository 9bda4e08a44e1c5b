import { setTimeout as pause } from 'node:timers/promises'
import type { Ask, DeskWriter } from '../../../testkit/desk-client.ts'
import { type Backend, startVarnish } from '../../../testkit/engines/varnish.ts'
import { act } from './publishing.ts'
import { watch } from './watch.ts'

const readsASecond = 200

/** Seconds that an edge which is told nothing goes on showing a piece that was unpublished, read 200 times a second. */
export async function untilGone(server: Backend, ask: Ask, writer: DeskWriter): Promise<number> {
  // Not in PURGE_URL: to this one every purge is lost.
  const edge = await startVarnish({ backends: [server, server] })
  const id = writer.drafts.pop()!
  if (!(await act(ask, writer, id, 'publish'))) throw new Error('the desk did not publish')
  const reading = watch(`${edge.base}/api/public/pieces/${id}`, readsASecond)
  while (reading.lastOf(200) < 0) await pause(20)
  if (!(await act(ask, writer, id, 'unpublish'))) throw new Error('the desk did not unpublish')
  const acknowledged = performance.now()
  while (performance.now() - Math.max(reading.lastOf(200), acknowledged) < 2_000) await pause(50)
  await reading.stop()
  await edge.stop()
  return (reading.lastOf(200) - acknowledged) / 1000
}
