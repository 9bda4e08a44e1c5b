import { catchUp } from '#features/pieces/search/drain.ts'
import { type Filed, filedIn, timeToFile } from '#features/pieces/search/index-stats.ts'
import type { Filing } from '#features/pieces/search/indexer-lock.ts'
import { progress } from './progress.ts'

/** Files all that waits to be found, and shows how far it is. */
export async function fileSite(filing: Filing): Promise<Filed> {
  const { waiting: all } = await filedIn(filing)
  const bar = progress('Filing')
  const started = performance.now()
  const end = await catchUp(filing, ({ waiting }) => {
    const done = Math.max(0, all - waiting)
    const left = timeToFile(waiting, done > 0 ? (performance.now() - started) / done : undefined)
    bar.step(
      done / Math.max(all, 1),
      `${inNumbers(done)} of ${inNumbers(all)} filed, ${waiting > 0 ? left : 'binding'}`,
    )
  })
  bar.done(`${inNumbers(all)} filed`)
  return end
}

const inNumbers = (count: number): string => count.toLocaleString('en')
