import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { statements as authorStatements } from '../../server/features/authors/queries.ts'
import { mintKeyAsOwner } from '../../server/features/keys/manage.ts'
import { statements as listStatements, newest } from '../../server/features/pieces/list-queries.ts'
import { statements } from '../../server/features/pieces/queries.ts'
import { containing } from '../../server/platform/db/statement.ts'
import { writePiece } from '../../server/seed/prose.ts'
import { median } from '../../testkit/measure.ts'
import { databaseUrl, pgbench } from './cluster.ts'
import { type Compared, compare, load, ports, withServers } from './servers.ts'

export interface HttpResult {
  readonly name: string
  /** Requests a second, medians of the rounds. */
  readonly ours: number
  readonly bare: number | undefined
  readonly constant: number
  readonly database: number | undefined
  readonly ratio: number | undefined
}

interface Endpoint {
  readonly name: string
  readonly paths: readonly string[]
  /** The pgbench scripts: the statement with its parameters inlined, one script each. */
  readonly scripts: readonly string[]
  readonly bare: boolean
}

const seconds = 3

/** Measures our server and the baselines alternately, in rounds. */
export async function benchHttp(name: string, rounds: number): Promise<HttpResult[]> {
  const endpoints = await drawEndpoints(name)
  return withServers(name, async () => {
    const results: HttpResult[] = []
    for (const endpoint of endpoints) results.push(await measure(name, endpoint, rounds))
    return results
  })
}

async function measure(database: string, endpoint: Endpoint, rounds: number): Promise<HttpResult> {
  const script = pathsScript(endpoint.paths)
  const taken: Record<'ours' | 'bare' | 'constant' | 'database', number[]> = {
    ours: [],
    bare: [],
    constant: [],
    database: [],
  }
  load(ports.ours, script, 1)
  if (endpoint.bare) load(ports.bare, script, 1)
  for (let round = 0; round < rounds; round += 1) {
    taken.ours.push(load(ports.ours, script, seconds))
    if (endpoint.bare) taken.bare.push(load(ports.bare, script, seconds))
    taken.constant.push(load(ports.bare, pathsScript(['/constant']), seconds))
    if (endpoint.scripts.length > 0) taken.database.push(pgbench(database, endpoint.scripts, seconds))
  }
  const ours = median(taken.ours)
  const bare = endpoint.bare ? median(taken.bare) : undefined
  const ratio = endpoint.bare ? median(taken.ours.map((one, round) => one / taken.bare[round]!)) : undefined
  const databaseRate = endpoint.scripts.length > 0 ? median(taken.database) : undefined
  console.error(
    `${endpoint.name}: ${ours.toFixed(0)}/s, bare ${bare?.toFixed(0)}/s, ratio ${ratio?.toFixed(2)}, constant ${median(taken.constant).toFixed(0)}/s, pgbench ${databaseRate?.toFixed(0)}/s`,
  )
  return { name: endpoint.name, ours, bare, constant: median(taken.constant), database: databaseRate, ratio }
}

/** A wrk script that requests these addresses in turn. */
export function pathsScript(paths: readonly string[]): string {
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'paths.lua')
  const list = paths.map((path) => JSON.stringify(path)).join(',\n')
  writeFileSync(
    file,
    `local paths = {${list}}\nlocal next = 0\nrequest = function()\n  next = next % #paths + 1\n  return wrk.format("GET", paths[next])\nend\n`,
  )
  return file
}

async function drawEndpoints(database: string): Promise<Endpoint[]> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  const { rows: pieces } = await client.query<{ id: string }>('select id from pub.pieces order by id limit 2000')
  const { rows: authors } = await client.query<{ slug: string }>(
    'select slug from pub.authors order by slug limit 1000',
  )
  await client.end()
  const { pieceById } = statements
  const { recentPages } = listStatements
  const recentPage = recentPages({})
  const recentPageOfCategory = recentPages({ category: 'life' })
  const { authorBySlug, searchAuthors } = authorStatements
  const of = <Parameters, Row>(
    statement: { text: string; values(given: Parameters): unknown[]; row?: Row },
    given: Parameters,
  ) => written(statement.text, statement.values(given))
  return [
    {
      name: 'one piece',
      bare: true,
      paths: pieces.map(({ id }) => `/api/public/pieces/${id}`),
      scripts: pieces.slice(0, 50).map(({ id }) => of(pieceById, { id })),
    },
    {
      name: 'recent, 20',
      bare: true,
      paths: ['/api/public/pieces/recent'],
      scripts: [of(recentPage, { ...newest, limit: 21 })],
    },
    {
      name: 'recent of a category, 100',
      bare: true,
      paths: ['/api/public/pieces/recent?category=life&limit=100'],
      scripts: [of(recentPageOfCategory, { ...newest, limit: 101, category: 'life' })],
    },
    {
      name: 'one author',
      bare: true,
      paths: authors.map(({ slug }) => `/api/public/authors/${slug}`),
      scripts: authors.slice(0, 50).map(({ slug }) => of(authorBySlug, { slug })),
    },
    {
      name: 'search authors',
      bare: true,
      paths: ['/api/public/authors/search?q=garden'],
      scripts: [
        of(searchAuthors, { like: containing('garden'), verified: true, count: 2_147_483_647, slug: '', limit: 11 }),
      ],
    },
    { name: 'search pieces, common word', bare: false, paths: ['/api/public/pieces/search?q=people'], scripts: [] },
  ]
}

/** pgbench supports only numeric parameters, so values are inlined; it prepares the result. */
function written(text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d+)/g, (_, place: string) => {
    const value = values[Number(place) - 1]
    return typeof value === 'number' ? String(value) : `'${value instanceof Date ? value.toISOString() : value}'`
  })
}

export const machine = (): string =>
  execFileSync('sh', ['-c', 'lscpu | sed -n "s/^Model name: *//p"; nproc'], { encoding: 'utf8' })
    .trim()
    .replace('\n', ', cores: ')

export interface FaceResult extends Compared {
  readonly name: string
}

/** Feeds and pages, compared with a handler that reads the same rows and sends stored bytes. */
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

export interface CreatingResult extends Compared {
  readonly name: string
}

/** Creates drafts by API key, compared with a handler that only runs the INSERT. Every commit is flushed. */
export async function benchCreating(database: string, rounds: number): Promise<CreatingResult[]> {
  const key = await newKeyIn(database)
  return withServers(database, async () =>
    [false, true].map((retried) => {
      const compared = compare(creatingScript(key, retried), rounds)
      const name = retried ? 'create a draft, with an Idempotency-Key' : 'create a draft'
      const { ours, bare, ratio } = compared
      console.error(`${name}: ${ours.toFixed(0)}/s, bare ${bare.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`)
      return { name, ...compared }
    }),
  )
}

async function newKeyIn(database: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl(database) })
  await client.connect()
  const { rows } = await client.query<{ slug: string }>('select slug from app.writers order by slug limit 1')
  const minted = await mintKeyAsOwner(client, rows[0]!.slug, 'Bench', null)
  await client.end()
  return minted!.key
}

/** Bodies of generated prose, some 4 kB each, in turn. */
function creatingScript(key: string, retried: boolean): string {
  const bodies = Array.from({ length: 50 }, (_, index) => {
    const { headline, sub, bodyMd: body_md, category, tags } = writePiece(7, index)
    return JSON.stringify(JSON.stringify({ headline, sub: sub ?? 'A standfirst.', body_md, category, tags }))
  })
  const file = join(mkdtempSync(join(tmpdir(), 'bench-')), 'creating.lua')
  writeFileSync(
    file,
    `local bodies = {${bodies.map(lua).join(',\n')}}
local next = 0
local run = tostring(os.time()) .. tostring({})
request = function()
  next = next + 1
  local headers = { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer ${key}" }
  ${retried ? 'headers["Idempotency-Key"] = run:gsub("[^%w]", "") .. next' : ''}
  return wrk.format("POST", "/api/v1/pieces", headers, bodies[next % #bodies + 1])
end
`,
  )
  return file
}

/** JSON's escapes of a string are Lua's, but for \\u and the slash. */
const lua = (json: string): string => json.replace(/\\u([0-9a-f]{4})/gi, (_, code) => `\\u{${code}}`)
