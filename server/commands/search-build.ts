import { openFiling } from '#features/pieces/search/filing-connection.ts'
import type { Config } from '#platform/config.ts'
import { fileHouse } from '#seed/filing.ts'
import { inNumbers } from './backup/words.ts'
import { ownerUrl } from './owner.ts'

/** `standfirst search build`: what a worker does by and by, at once. Ended in the middle, the next one goes on. */
export async function build(config: Config): Promise<void> {
  const filing = await openFiling({ url: ownerUrl(config), address: 'DATABASE_URL', role: 'svc_worker' })
  try {
    const { filed, volumes } = await fileHouse(filing)
    console.log(`Nothing waits: ${inNumbers(filed)} pieces in ${inNumbers(volumes)} volumes.`)
  } finally {
    await filing.end()
  }
}
