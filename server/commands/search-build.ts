import type { Config } from '#config/config.ts'
import { openIndexerConnection } from '#features/pieces/search/indexer-lock.ts'
import { drainWithProgress } from '#seed/search-index.ts'
import { inNumbers } from './backup/checksums.ts'
import { ownerUrl } from './command-support.ts'

/** `standfirst search build`: indexes at once what a worker indexes bit by bit. If interrupted, the next run continues. */
export async function build(config: Config): Promise<void> {
  const indexer = await openIndexerConnection({ url: ownerUrl(config), address: 'DATABASE_URL', role: 'svc_worker' })
  try {
    const { indexed, segments } = await drainWithProgress(indexer)
    console.log(`Nothing waits: ${inNumbers(indexed)} pieces in ${inNumbers(segments)} volumes.`)
  } finally {
    await indexer.end()
  }
}
