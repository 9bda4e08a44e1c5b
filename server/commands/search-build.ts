import { openFiling } from '#features/pieces/search/indexer-lock.ts'
import type { Config } from '#platform/config.ts'
import { fileSite } from '#seed/search-index.ts'
import { ownerUrl } from './as-owner.ts'
import { inNumbers } from './backup/format.ts'

/** `standfirst search build`: what a worker does by and by, at once. Ended in the middle, the next one goes on. */
export async function build(config: Config): Promise<void> {
  const filing = await openFiling({ url: ownerUrl(config), address: 'DATABASE_URL', role: 'svc_worker' })
  try {
    const { filed, volumes } = await fileSite(filing)
    console.log(`Nothing waits: ${inNumbers(filed)} pieces in ${inNumbers(volumes)} volumes.`)
  } finally {
    await filing.end()
  }
}
