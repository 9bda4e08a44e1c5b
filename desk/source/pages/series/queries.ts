import { queryOptions, useQuery } from '@tanstack/react-query'
import type { DeskPage } from '../../../../server/features/pieces/desk-schema.ts'
import type { DeskSeries, DeskSeriesFound, DeskSeriesList } from '../../../../server/features/series/schema.ts'
import { callApi } from '../../api/client.ts'
import { withQuery } from '../../api/pages.ts'
import { invalidate, queries } from '../../api/queries.ts'

export type { DeskSeries }
export type SeriesPiece = DeskSeries['pieces'][number]

/** The same limits as the server's. */
export const limits = { title: 120, description: 500, pieces: 200 } as const

const seriesQuery = queryOptions({
  queryKey: ['series'],
  queryFn: async () => (await callApi<DeskSeriesList>('GET', '/series')).series,
})

export const useSeries = () => useQuery(seriesQuery)

/** As it is saved now. */
export const readSeries = async (id: string): Promise<DeskSeries | undefined> =>
  (await queries.fetchQuery({ ...seriesQuery, staleTime: 0 })).find((series) => series.id === id)

/** The writer's pieces that match, last changed first: as many as there can be, since those in a series are left out. */
export const usePiecesToAdd = (q: string) =>
  useQuery({
    queryKey: ['series-pieces', q],
    queryFn: async ({ signal }) =>
      (await callApi<DeskPage>('GET', withQuery('/pieces', { limit: '100', q }), undefined, { signal })).pieces,
    placeholderData: (before) => before,
  })

export interface SeriesValues {
  readonly title: string
  readonly description: string
  readonly pieces: readonly SeriesPiece[]
}

/** Makes it if there is no revision yet; repeated, that makes nothing twice. */
export async function saveSeries(
  id: string,
  { title, description, pieces }: SeriesValues,
  revision: number | null,
): Promise<DeskSeries> {
  const body = { title, description: description.trim() || null, pieces: pieces.map((piece) => piece.id), revision }
  const { series } = await callApi<DeskSeriesFound>('PUT', `/series/${id}`, body)
  await invalidateSeries()
  return series
}

export async function deleteSeries(id: string): Promise<void> {
  await callApi('DELETE', `/series/${id}`)
  await invalidateSeries()
}

const invalidateSeries = (): Promise<void> => invalidate('series')
