import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Access } from '#platform/db/access.ts'
import type { FilingData, Told } from './indexer-worker.ts'

export interface FilingTold {
  onStep(done: Extract<Told, { step: string }>): void
  onTrouble(trouble: unknown): void
}

/** Between two looks, and before another thread. What waits is searched as well, so nobody waits for this. */
const usualPause = 5_000
/** For the step under way; most are shorter, and what is cut off is done again. */
const longestFarewell = 2_000

/** Keeps the index up with what is public, in a thread; another takes its place when it ends. */
export function keepFiled(access: Access, told: FilingTold, pause = usualPause): { stop(): Promise<void> } {
  const holder = randomUUID()
  let thread: Worker | undefined
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  const start = () => {
    thread = new Worker(new URL('./indexer-worker.ts', import.meta.url), {
      workerData: { access, holder, pause } satisfies FilingData,
      execArgv: [],
    })
    thread.on('message', (message: Told) => {
      if ('trouble' in message) told.onTrouble(new Error(message.trouble))
      else told.onStep(message)
    })
    thread.on('error', told.onTrouble)
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
      const cut = setTimeout(() => last.terminate(), longestFarewell)
      await ended
      clearTimeout(cut)
    },
  }
}
