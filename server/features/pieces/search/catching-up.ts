import type pg from 'pg'
import { type FilingRules, fileNext, filingRules } from './filing.ts'
import { holdFiling } from './filing-connection.ts'
import { type Filed, filedIn } from './filing-figures.ts'

/** Nobody publishes a few more in a moment: all is filed at once. */
const atOnce: FilingRules = { ...filingRules, fewestFiled: 1, longestWait: 0 }
const lookAgain = 2_000

/** Files all that waits and binds it. While another process files, this only watches it. */
export async function catchUp(client: pg.ClientBase, told: (filed: Filed) => void): Promise<Filed> {
  let held = await holdFiling(client)
  for (;;) {
    const step = held ? await fileNext(client, atOnce) : undefined
    const filed = await filedIn(client)
    told(filed)
    // What is thrown away can wait for a worker.
    const done = held ? step === 'idle' || step === 'cleared' : filed.waiting === 0
    if (done) return filed
    if (held) continue
    await new Promise((resolve) => setTimeout(resolve, lookAgain))
    held = await holdFiling(client)
  }
}
