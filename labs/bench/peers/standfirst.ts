import pg from 'pg'
import { seedSite } from '../../../server/seed/seed.ts'
import { migrate } from '../../../server/sql/migrate.ts'
import { createDatabase, databaseUrl } from '../cluster.ts'
import { ports, startOurs } from '../servers.ts'
import { adopt, ready } from './load.ts'
import { areNewest, type Corpus, found, type Peer, type Post, type PostAuthor, shows } from './peer.ts'

const database = 'peers_site'

/** Creates and seeds a site with this many pieces. */
export async function seedCorpus(pieces: number): Promise<Corpus> {
  await createDatabase(database)
  await migrate(databaseUrl(database))
  const until = new Date('2026-11-15T00:00:00Z')
  await seedSite(databaseUrl(database), { authors: Math.ceil(pieces / 100), pieces, rng: 1, until })
  return ask(async (client) => {
    const { rows: authors } = await client.query<PostAuthor>('select id, slug, name from pub.authors order by slug')
    const { rows: posts } = await client.query<Post>(
      `select id, slug, headline as title, summary as excerpt, html, text, published_at as "publishedAt",
              piece.author_id as author
         from pub.pieces piece join pub.piece_contents on piece_id = id order by published_at desc, id desc`,
    )
    return { authors, posts, words: wordsOf(posts) }
  })
}

/** Fifty words, each of another headline. */
function wordsOf(posts: readonly Post[]): Corpus['words'] {
  const words = new Map(
    posts.flatMap(({ title }) => (title.match(/\b[a-z]{5,}\b/g) ?? []).slice(0, 1).map((word) => [word, title])),
  )
  return [...words].slice(0, 50).map(([word, title]) => ({ word, title }))
}

interface Item {
  readonly id: string
  readonly title: string
}

export async function startSite(corpus: Corpus): Promise<Peer> {
  const server = adopt(startOurs(database))
  await ready(server, `http://127.0.0.1:${ports.admin}/healthz`)
  const slugs = new Map(corpus.authors.map(({ id, slug }) => [id, slug]))
  const titles = (body: string, list: 'items' | 'results') => JSON.parse(body)[list].map(({ title }: Item) => title)
  return {
    name: 'Standfirst',
    pid: server.pid!,
    port: ports.ours,
    databasePids: () => backends(database),
    reads: {
      'one post': corpus.posts.slice(0, 500).map((post) => ({
        path: `/api/public/pieces/${post.id}`,
        answeredBy: (body) => {
          const { piece } = JSON.parse(body)
          return piece.id.endsWith(post.id) && piece.title === post.title && piece.content_html === post.html
        },
      })),
      'a list of 20': [
        {
          path: '/api/public/pieces/recent?limit=20',
          answeredBy: (body) => areNewest(corpus, titles(body, 'items')),
        },
      ],
      search: corpus.words.map(({ word, title }) => ({
        path: `/api/public/pieces/search?q=${word}&limit=20`,
        answeredBy: (body) => found(title, titles(body, 'results')),
      })),
      'a page': corpus.posts.slice(0, 500).map((post) => ({
        path: `/author/${slugs.get(post.author)}/${post.slug}`,
        answeredBy: (body) => shows(body, post),
      })),
    },
  }
}

/** The processes that serve a database's connections. */
export const backends = (name: string): Promise<number[]> =>
  ask(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
      [name],
    )
    return rows.map(({ pid }) => pid)
  })

async function ask<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
