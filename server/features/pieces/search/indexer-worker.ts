import { parentPort, workerData } from 'node:worker_threads'
import type { Access } from '#platform/db/access.ts'
import { type Filed, filedIn } from './index-stats.ts'
import { fileNext, filingRules, type Step } from './indexer.ts'
import { openFiling } from './indexer-lock.ts'
import { beginAnewIfMoved } from './reindex.ts'

/**
 * Files whatever is public, on a connection of its own, until told to end. A thread, since a step may count for
 * seconds. It can be ended at any moment: what a step had not committed is done again.
 */

export type Told =
  | ({ readonly step: Exclude<Step, 'idle'> | 'begun_anew'; readonly ms: number } & Filed)
  | { readonly trouble: string }

export interface FilingData {
  readonly access: Access
  /** Of the lease, whichever thread it is. */
  readonly holder: string
  readonly pause: number
}

/** So many times in a row, when there was nothing to do, the lease is only renewed unless many wait: a whole look asks seven questions. */
const restsAfterIdle = 11

/** For a connection that no longer answers. */
const farewell = 1_000

const port = parentPort!
const tell = (told: Told) => port.postMessage(told)
const { access, holder, pause } = workerData as FilingData

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
  const filing = await openFiling(access, holder)
  const did = async (step: Exclude<Step, 'idle'> | 'begun_anew', started: number) =>
    tell({ step, ms: Math.round(performance.now() - started), ...(await filedIn(filing)) })
  let keepsLease = false
  try {
    let token: string | undefined
    let rests = 0
    while (!ending) {
      const started = performance.now()
      const held = await filing.hold()
      const isNew = held !== token
      token = held
      if (!held) await sleep(pause)
      else if (isNew && (await beginAnewIfMoved(filing))) await did('begun_anew', started)
      else if (rests > 0 && filing.waiting < filingRules.fewestFiled) {
        rests -= 1
        await sleep(pause)
      } else {
        const step = await fileNext(filing)
        rests = step === 'idle' ? restsAfterIdle : 0
        if (step === 'idle') await sleep(pause)
        else await did(step, started)
        // It held some thousand texts in memory, which V8 gives back when the thread ends. The next one goes on.
        if (step === 'learned') {
          ending = true
          keepsLease = true
        }
      }
    }
  } finally {
    await Promise.race([
      filing.end(keepsLease).catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, farewell)),
    ])
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
