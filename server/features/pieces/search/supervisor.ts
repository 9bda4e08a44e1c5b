import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Access } from '#platform/db/access.ts'
import type { IndexerMessage, IndexerWorkerData } from './indexer-worker.ts'

export interface IndexerCallbacks {
  onStep(done: Extract<IndexerMessage, { step: string }>): void
  onError(error: unknown): void
}

/** Milliseconds between polls, and before a restart. Waiting pieces are searched too, so this delays no result. */
const defaultPause = 5_000
/** For the step under way; most are shorter, and one that is cut off is repeated. */
const stopTimeout = 2_000

/** Runs the indexer in a thread, and starts another one whenever it ends. */
export function superviseIndexer(
  access: Access,
  callbacks: IndexerCallbacks,
  pause = defaultPause,
): { stop(): Promise<void> } {
  const holder = randomUUID()
  let thread: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const start = () => {
    thread = new Worker(new URL('./indexer-worker.ts', import.meta.url), {
      workerData: { access, holder, pause } satisfies IndexerWorkerData,
      execArgv: [],
    })
    thread.on('message', (message: IndexerMessage) => {
      if ('error' in message) callbacks.onError(new Error(message.error))
      else callbacks.onStep(message)
    })
    thread.on('error', callbacks.onError)
    thread.on('exit', () => {
      thread = undefined
      if (!stopped) timer = setTimeout(start, pause)
    })
  }
  start()
  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      const last = thread
      if (!last) return
      const ended = new Promise((resolve) => last.once('exit', resolve))
      last.postMessage('end')
      const timeout = setTimeout(() => last.terminate(), stopTimeout)
      await ended
      clearTimeout(timeout)
    },
  }
}
