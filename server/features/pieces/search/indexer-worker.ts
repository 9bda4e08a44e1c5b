import { parentPort, workerData } from 'node:worker_threads'
import type { Access } from '#platform/db/access.ts'
import { type IndexCounts, readIndexCounts } from './index-stats.ts'
import { indexingRules, reindexIfRestored, runIndexStep, type Step } from './indexer.ts'
import { openIndexerConnection } from './indexer-lock.ts'

/**
 * Entry point of the indexer's thread: runs index steps on its own connection until it gets a message. A thread, since a
 * step may compute for seconds. It can be terminated at any moment: the next one repeats what was not committed.
 */

export type CompletedStep = Exclude<Step, 'idle'> | 'reindexed'

export type IndexerMessage =
  | ({ readonly step: CompletedStep; readonly ms: number } & IndexCounts)
  | { readonly error: string }

export interface IndexerWorkerData {
  readonly access: Access
  /** Identifies the holder of the lease; the same for all threads of a supervisor. */
  readonly holder: string
  /** Milliseconds between polls. */
  readonly pause: number
}

/** After an idle step, so many polls only renew the lease unless many pieces wait: a whole step runs seven statements. */
const pollsAfterIdle = 11

/** To close a connection that may no longer respond. */
const closeTimeout = 1_000

const port = parentPort!
const post = (message: IndexerMessage) => port.postMessage(message)
const { access, holder, pause } = workerData as IndexerWorkerData

let ending = false
let wake: (() => void) | undefined
port.once('message', () => {
  ending = true
  wake?.()
})

function sleep(milliseconds: number): Promise<void> {
  if (ending) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

async function runOnOneConnection(): Promise<void> {
  const indexer = await openIndexerConnection(access, holder)
  const report = async (step: CompletedStep, started: number) =>
    post({ step, ms: Math.round(performance.now() - started), ...(await readIndexCounts(indexer)) })
  let keepLease = false
  try {
    let token: string | undefined
    let quietPolls = 0
    while (!ending) {
      const started = performance.now()
      const current = await indexer.acquireLease()
      const isNew = current !== token
      token = current
      if (!token) await sleep(pause)
      else if (isNew && (await reindexIfRestored(indexer))) await report('reindexed', started)
      else if (quietPolls > 0 && indexer.waiting < indexingRules.minBatch) {
        quietPolls -= 1
        await sleep(pause)
      } else {
        const step = await runIndexStep(indexer)
        quietPolls = step === 'idle' ? pollsAfterIdle : 0
        if (step === 'idle') await sleep(pause)
        else await report(step, started)
        // Training reads thousands of texts into memory, which V8 returns only when the thread ends. The next one goes on.
        if (step === 'trained') {
          ending = true
          keepLease = true
        }
      }
    }
  } finally {
    await Promise.race([
      indexer.end(keepLease).catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, closeTimeout)),
    ])
  }
}

while (!ending) {
  try {
    await runOnOneConnection()
  } catch (error) {
    post({ error: (error as { message?: string }).message || String(error) })
    await sleep(pause)
  }
}
port.close()
