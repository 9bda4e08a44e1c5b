import type { SearchFigures, SearchResult } from './search/cost.ts'

interface Drawing {
  fixed(value: number, digits?: number): string
  row(cells: readonly string[]): string
  head(cells: readonly string[]): string
}

/** Search results by number of pieces. */
export interface SizedSearch {
  readonly size: number
  readonly search: SearchResult
}

/** Of the sizes, those in which search was measured. */
export const searchesOf = (
  results: Readonly<Record<string, { readonly search?: SearchResult }>>,
  sizes: readonly number[],
): SizedSearch[] =>
  sizes.flatMap((size) => {
    const search = results[size]?.search
    return search ? [{ size, search }] : []
  })

/** By the limit of the page: p99 of all questions together. */
const bars: Readonly<Record<number, { readonly milliseconds: number; readonly buffers: number }>> = {
  20: { milliseconds: 50, buffers: 5_000 },
  100: { milliseconds: 100, buffers: 12_000 },
}

/** The classes of any size: a small site may have been asked none of the rarest. */
export const classNames = (measured: readonly SizedSearch[]): string[] => [
  ...new Set(measured.flatMap(({ search }) => search.classes.map(({ name }) => name))),
]

/** Two tables: all questions beside their bars, and each class at the limit most ask for. */
export function searchSection(measured: readonly SizedSearch[], when: string, { fixed, row, head }: Drawing): string {
  const times = ({ p50, p99 }: SearchFigures) => `${fixed(p50, 1)} / ${fixed(p99, 1)}`
  const share = ({ partial }: SearchFigures) => `${fixed(100 * partial, partial > 0 ? 1 : 0)} %`
  const columns = (buffers: string) =>
    measured.flatMap(({ size }) => [`${fixed(size)}: p50 / p99 ms`, `buffers, ${buffers}`, 'partial'])
  const cells = (
    pick: (search: SearchResult) => SearchFigures | undefined,
    buffers: (one: SearchFigures) => readonly number[],
  ) =>
    measured.flatMap(({ search }) => {
      const one = pick(search)
      if (!one) return ['', '', '']
      const counts = buffers(one).map((count) => fixed(count))
      return [times(one), counts.join(' / '), share(one)]
    })
  const allRows = Object.entries(bars).map(([limit, bar]) =>
    row([
      `limit ${limit}`,
      ...cells(
        ({ all }) => all.find((one) => one.limit === Number(limit)),
        ({ buffersP50, buffersP99, buffersMax }) => [buffersP50, buffersP99, buffersMax],
      ),
      `${fixed(bar.milliseconds)} ms, ${fixed(bar.buffers)} buffers`,
    ]),
  )
  const classRows = classNames(measured).map((name) =>
    row([
      name,
      ...cells(
        ({ classes }) => classes.find((one) => one.name === name),
        ({ buffersP50, buffersMax }) => [buffersP50, buffersMax],
      ),
    ]),
  )
  return `## Search

Measured ${when}. The targets are for the p99 of all queries together; [search.md](search.md) describes how it works and has more figures.

${head(['all queries', ...columns('median / p99 / max'), 'target, p99'])}${allRows.join('')}
${head(['class, at limit 20', ...columns('median / max')])}${classRows.join('')}`
}
