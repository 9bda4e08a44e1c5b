import { type IndexCounts, indexingMinutes, readIndexCounts } from '#features/pieces/search/index-stats.ts'
import { drain } from '#features/pieces/search/indexer.ts'
import type { IndexerConnection } from '#features/pieces/search/indexer-lock.ts'
import { cliTranslator } from '#messages/cli.ts'
import { progress } from './progress.ts'

const t = cliTranslator()

/** Indexes everything that waits, with a progress bar. */
export async function drainWithProgress(indexer: IndexerConnection): Promise<IndexCounts> {
  const { waiting: all } = await readIndexCounts(indexer)
  const bar = progress(t('cli.search.progress'))
  const started = performance.now()
  const end = await drain(indexer, ({ waiting }) => {
    const done = Math.max(0, all - waiting)
    const minutes = indexingMinutes(waiting, done > 0 ? (performance.now() - started) / done : undefined)
    const note =
      waiting > 0 ? t('cli.search.progress_left', { done, total: all, minutes }) : t('cli.search.progress_merging')
    bar.step(done / Math.max(all, 1), note)
  })
  bar.done(t('cli.search.progress_done', { count: all }))
  return end
}
