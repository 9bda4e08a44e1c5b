import pg from 'pg'
import { databaseUrl } from './cluster.ts'
import { pathsScript } from './http.ts'
import { type Compared, compare, withServers } from './servers.ts'

export interface FaceResult extends Compared {
  readonly name: string
}

/** Feeds and pages, beside a handler that reads the same rows and sends stored bytes. */
export async function benchFace(database: string, rounds: number): Promise<FaceResult[]> {
  const addresses = await drawAddresses(database)
  return withServers(database, async () =>
    addresses.map(({ name, paths }) => {
      const compared = compare(pathsScript(paths), rounds)
      const { ours, bare, ratio } = compared
      console.error(`${name}: ${ours.toFixed(0)}/s, stored bytes ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`)
      return { name, ...compared }
    }),
  )
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
