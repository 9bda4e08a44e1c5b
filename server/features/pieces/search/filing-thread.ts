import { parentPort, workerData } from 'node:worker_threads'
import { beginAnewIfMoved } from './beginning-anew.ts'
import { fileNext, type Step } from './filing.ts'
import { type FilingAccess, holdFiling, openFiling } from './filing-connection.ts'
import { type Filed, filedIn } from './filing-figures.ts'

/**
 * Files whatever is public, on a connection of its own, until told to end. A thread, since a step may count for
 * seconds. It can be ended at any moment: what a step had not committed is done again.
 */

export type Told =
  | ({ readonly step: Exclude<Step, 'idle'> | 'begun_anew'; readonly ms: number } & Filed)
  | { readonly trouble: string }

/** For a connection that no longer answers. */
const farewell = 1_000

const port = parentPort!
const tell = (told: Told) => port.postMessage(told)
const { pause, ...access } = workerData as FilingAccess & { readonly pause: number }

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

async function fileOnOneConnection(): Promise<void> {
  const client = await openFiling(access)
  const did = async (step: Exclude<Step, 'idle'> | 'begun_anew', started: number) =>
    tell({ step, ms: Math.round(performance.now() - started), ...(await filedIn(client)) })
  try {
    while (!ending && !(await holdFiling(client))) await sleep(pause)
    if (ending) return
    const begun = performance.now()
    if (await beginAnewIfMoved(client)) await did('begun_anew', begun)
    while (!ending) {
      const started = performance.now()
      const step = await fileNext(client)
      if (step === 'idle') await sleep(pause)
      else await did(step, started)
    }
  } finally {
    await Promise.race([client.end().catch(() => {}), new Promise((resolve) => setTimeout(resolve, farewell))])
  }
}

while (!ending) {
  try {
    await fileOnOneConnection()
  } catch (error) {
    tell({ trouble: (error as { message?: string }).message || String(error) })
    await sleep(pause)
  }
}
port.close()
