import pg from 'pg'
import { databaseUrl } from './cluster.ts'
import { pathsScript } from './http.ts'
import { median } from './numbers.ts'
import { load, ports, withServers } from './servers.ts'

export interface FaceResult {
  readonly name: string
  /** Answers a second, medians of the rounds. */
  readonly ours: number
  readonly bare: number
  readonly ratio: number
}

const seconds = 4

/** Feeds and pages, beside a handler that reads the same rows and sends stored bytes. */
export async function benchFace(database: string, rounds: number): Promise<FaceResult[]> {
  const addresses = await drawAddresses(database)
  return withServers(database, async () => {
    const results: FaceResult[] = []
    for (const { name, paths } of addresses) {
      const script = pathsScript(paths)
      const taken: { ours: number; bare: number }[] = []
      load(ports.ours, script, 2)
      load(ports.bare, script, 2)
      for (let round = 0; round < rounds; round += 1) {
        taken.push({ ours: load(ports.ours, script, seconds), bare: load(ports.bare, script, seconds) })
      }
      const ours = median(taken.map((one) => one.ours))
      const bare = median(taken.map((one) => one.bare))
      const ratio = median(taken.map((one) => one.ours / one.bare))
      console.error(`${name}: ${ours.toFixed(0)}/s, stored bytes ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`)
      results.push({ name, ours, bare, ratio })
    }
    return results
  })
}

/** Authors whose feed is full. */
async function drawAddresses(database: string): Promise<{ name: string; paths: string[] }[]> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  const { rows: authors } = await client.query<{ slug: string }>(
    'select slug from pub.authors where pieces_count > 30 order by slug',
  )
  const { rows: pieces } = await client.query<{ author: string; slug: string }>(
    `select author.slug as author, piece.slug from pub.pieces piece join pub.authors author on author.id = author_id
      where pieces_count > 30 order by piece.id limit 500`,
  )
  await client.end()
  const feeds = authors.map(({ slug }) => `/author/${slug}/feed.json`)
  return [
    { name: 'feed.json, 20 authors in turn', paths: feeds.slice(0, 20) },
    { name: `feed.json, ${feeds.length} authors in turn`, paths: feeds },
    { name: 'a page, 500 pieces in turn', paths: pieces.map(({ author, slug }) => `/author/${author}/${slug}`) },
  ]
}
