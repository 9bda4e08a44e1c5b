import { estimateIndexing, type IndexCounts, readIndexCounts } from '#features/pieces/search/index-stats.ts'
import { drain } from '#features/pieces/search/indexer.ts'
import type { IndexerConnection } from '#features/pieces/search/indexer-lock.ts'
import { progress } from './progress.ts'

/** Indexes everything that waits, with a progress bar. */
export async function drainWithProgress(indexer: IndexerConnection): Promise<IndexCounts> {
  const { waiting: all } = await readIndexCounts(indexer)
  const bar = progress('Filing')
  const started = performance.now()
  const end = await drain(indexer, ({ waiting }) => {
    const done = Math.max(0, all - waiting)
    const left = estimateIndexing(waiting, done > 0 ? (performance.now() - started) / done : undefined)
    bar.step(
      done / Math.max(all, 1),
      `${inNumbers(done)} of ${inNumbers(all)} filed, ${waiting > 0 ? left : 'binding'}`,
    )
  })
  bar.done(`${inNumbers(all)} filed`)
  return end
}

const inNumbers = (count: number): string => count.toLocaleString('en')
