import { type Filed, filedIn } from './index-stats.ts'
import { type FilingRules, fileNext, filingRules } from './indexer.ts'
import type { Filing } from './indexer-lock.ts'

/** Nobody publishes a few more in a moment: all is filed at once. */
const atOnce: FilingRules = { ...filingRules, fewestFiled: 1, longestWait: 0 }
const lookAgain = 2_000

/** Files all that waits and binds it. While another process files, this only watches it. */
export async function catchUp(filing: Filing, told: (filed: Filed) => void): Promise<Filed> {
  for (;;) {
    const held = await filing.hold()
    const step = held ? await fileNext(filing, atOnce) : undefined
    const filed = await filedIn(filing)
    told(filed)
    // What is thrown away can wait for a worker.
    const done = held ? step === 'idle' || step === 'cleared' : filed.waiting === 0
    if (done) return filed
    if (!held) await new Promise((resolve) => setTimeout(resolve, lookAgain))
  }
}
