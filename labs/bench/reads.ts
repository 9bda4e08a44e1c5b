import pg from 'pg'
import { statements as listStatements, newest } from '../../server/features/pieces/list-queries.ts'
import { statements } from '../../server/features/pieces/queries.ts'
import { statements as trendingStatements } from '../../server/features/trending/reads.ts'
import { percentile } from '../../testkit/measure.ts'
import { databaseUrl } from './cluster.ts'

export interface BufferResult {
  readonly name: string
  readonly buffers: number
  readonly bar: number | undefined
}

/** Maximum shared buffers of the other reads over a hundred draws: independent of time and load. */
export async function benchBuffers(name: string): Promise<BufferResult[]> {
  const client = new pg.Client({ connectionString: databaseUrl(name) })
  await client.connect()
  try {
    const places = await drawPlaces(client)
    const most = async (text: string, all: readonly unknown[][]) => {
      const counted: number[] = []
      for (const values of all) counted.push(await explainedBuffers(client, text, values))
      return percentile(counted, 1)
    }
    const { pieceById } = statements
    const { recentPages } = listStatements
    const recentPage = recentPages({})
    const recentPageOfCategory = recentPages({ category: 'life' })
    const page = (place: { publishedAt: Date; id: string }, limit: number) =>
      recentPage.values({ ...place, limit: limit + 1 })
    const inCategory = (place: { publishedAt: Date; id: string }) =>
      recentPageOfCategory.values({ ...place, limit: 101, category: 'life' })
    const { trendingPage, trendingPageOfCategory } = trendingStatements
    // Read counts like those of a site in use.
    await client.query('select app.score_trending()')
    await client.query('vacuum (analyze) pub.trending')
    const windows = ['24h', '7d', '30d'] as const
    const trending = (limit: number, after = 0) =>
      windows.map((window) => trendingPage.values({ window, after, limit: limit + 1 }))
    const trendingLife = (limit: number) =>
      windows.map((window) => trendingPageOfCategory.values({ window, after: 0, limit: limit + 1, category: 'life' }))
    return [
      {
        name: 'one piece',
        bar: 16,
        buffers: await most(
          pieceById.text,
          places.map(({ id }) => pieceById.values({ id })),
        ),
      },
      { name: 'recent, 20', bar: 100, buffers: await most(recentPage.text, [page(newest, 20)]) },
      {
        name: 'recent, 20, at a deep cursor',
        bar: 100,
        buffers: await most(
          recentPage.text,
          places.map((place) => page(place, 20)),
        ),
      },
      {
        name: 'recent of a category, 100',
        bar: 500,
        buffers: await most(recentPageOfCategory.text, [inCategory(newest)]),
      },
      {
        name: 'recent of a category, 100, at a deep cursor',
        bar: 500,
        buffers: await most(recentPageOfCategory.text, places.map(inCategory)),
      },
      { name: 'trending, 10', bar: 120, buffers: await most(trendingPage.text, trending(10)) },
      { name: 'trending, 10, at a deep cursor', bar: 120, buffers: await most(trendingPage.text, trending(10, 300)) },
      {
        name: 'trending of a category, 10',
        bar: 120,
        buffers: await most(trendingPageOfCategory.text, trendingLife(10)),
      },
      { name: 'trending, 50', bar: undefined, buffers: await most(trendingPage.text, trending(50)) },
    ]
  } finally {
    await client.end()
  }
}

async function drawPlaces(client: pg.Client): Promise<{ id: string; publishedAt: Date }[]> {
  const { rows } = await client.query<{ id: string; published_at: Date }>(
    'select id, published_at from pub.pieces order by id limit 100',
  )
  return rows.map(({ id, published_at }) => ({ id, publishedAt: published_at }))
}

/** Shared buffers of one statement, from its plan. Detoasting for output is not included. */
export async function explainedBuffers(client: pg.Client, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query(`explain (analyze, buffers, timing off, format json) ${text}`, [...values])
  const plan = rows[0]['QUERY PLAN'][0].Plan
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}
