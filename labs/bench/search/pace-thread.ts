import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Stream, send } from './pace.ts'

/** One stream from a thread of its own, before others where the machine lets it: a sender that waits is late itself. */
try {
  setPriority(-10)
} catch {
  // Only root may; `late` tells what it cost.
}
parentPort!.postMessage(await send(workerData as Stream))
