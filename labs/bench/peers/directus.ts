import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createDatabase, databaseUrl } from '../cluster.ts'
import { directusFolder, versions } from './install.ts'
import { ready, start } from './load.ts'
import { areNewest, type Corpus, found, type Peer, type Post } from './peer.ts'
import { backends } from './standfirst.ts'

const port = 28_083
const home = `http://127.0.0.1:${port}`
const database = 'peers_directus'
const token = randomBytes(16).toString('hex')

/** Production settings: its data cache is off by default; its load shedding is off since it would refuse. */
function settings(): NodeJS.ProcessEnv {
  const { hostname, port: databasePort, username } = new URL(databaseUrl(database))
  return {
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: home,
    DB_CLIENT: 'pg',
    DB_HOST: hostname,
    DB_PORT: databasePort,
    DB_USER: username,
    DB_PASSWORD: 'trusted',
    DB_DATABASE: database,
    DB_POOL__MIN: '0',
    DB_POOL__MAX: '10',
    SECRET: randomBytes(32).toString('hex'),
    ADMIN_EMAIL: 'owner@example.com',
    ADMIN_PASSWORD: randomBytes(12).toString('hex'),
    ADMIN_TOKEN: token,
    TELEMETRY: 'false',
    PRESSURE_LIMITER_ENABLED: 'false',
    LOG_STYLE: 'raw',
  }
}

export async function startDirectus(corpus: Corpus): Promise<Peer> {
  await createDatabase(database)
  const env = settings()
  const cli = 'node_modules/directus/cli.js'
  execFileSync(process.execPath, [cli, 'bootstrap'], { cwd: directusFolder, env, stdio: 'ignore' })
  const server = start(0, [process.execPath, cli, 'start'], { cwd: directusFolder, env })
  await ready(server, `${home}/server/ping`)
  await load(corpus)
  const list = 'fields=id,title,slug,excerpt,published_at,author.name,author.slug'
  const titles = (body: string): string[] => JSON.parse(body).data.map(({ title }: Post) => title)
  return {
    name: `Directus ${versions.directus}`,
    pid: server.pid!,
    port,
    databasePids: () => backends(database),
    reads: {
      'one post': corpus.posts.slice(0, 500).map((post) => ({
        path: `/items/posts/${post.id}?${list},html`,
        answeredBy: (body) => {
          const { data } = JSON.parse(body)
          return data.id === post.id && data.title === post.title && data.html === post.html
        },
      })),
      'a list of 20': [
        {
          path: `/items/posts?limit=20&sort=-published_at&${list}`,
          answeredBy: (body) => areNewest(corpus, titles(body)),
        },
      ],
      search: corpus.words.map(({ word, title }) => ({
        path: `/items/posts?limit=20&sort=-published_at&search=${word}&${list}`,
        answeredBy: (body) => found(title, titles(body)),
      })),
    },
  }
}

/** Loads through its API: two collections, their relation, the rows, and public read permission. */
async function load({ authors, posts }: Corpus): Promise<void> {
  const id = { field: 'id', type: 'uuid', schema: { is_primary_key: true } }
  const column = (field: string, type: string, schema = {}) => ({ field, type, schema })
  await post('/collections', {
    collection: 'authors',
    schema: {},
    fields: [id, column('name', 'string'), column('slug', 'string')],
  })
  await post('/collections', {
    collection: 'posts',
    schema: {},
    fields: [
      id,
      column('title', 'text'),
      column('slug', 'string'),
      column('excerpt', 'text'),
      column('html', 'text'),
      column('published_at', 'timestamp', { is_indexed: true }),
      column('author', 'uuid', { is_indexed: true }),
    ],
  })
  await post('/relations', { collection: 'posts', field: 'author', related_collection: 'authors', schema: {} })
  await post('/items/authors', authors)
  const rows = posts.map(({ text: _, publishedAt, ...row }) => ({ ...row, published_at: publishedAt.toISOString() }))
  // A request may be a megabyte.
  for (let from = 0; from < rows.length; from += 50) await post('/items/posts', rows.slice(from, from + 50))
  for (const collection of ['authors', 'posts'])
    await post('/permissions', {
      policy: await everybody(),
      collection,
      action: 'read',
      permissions: {},
      fields: ['*'],
    })
}

async function everybody(): Promise<string> {
  const { data } = (await asked('/policies')) as { data: { id: string; name: string }[] }
  const policy = data.find(({ name }) => name === '$t:public_label')
  if (!policy) throw new Error('Directus has no policy for everybody')
  return policy.id
}

const post = (path: string, body: unknown): Promise<unknown> =>
  asked(path, { method: 'POST', body: JSON.stringify(body) })

async function asked(path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${home}${path}`, { ...init, headers })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`Directus answered ${answer.status} at ${path}: ${text.slice(0, 500)}`)
  return text ? JSON.parse(text) : undefined
}
