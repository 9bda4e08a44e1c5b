import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { statements as authorStatements } from '../../server/features/authors/queries.ts'
import { newest, statements } from '../../server/features/pieces/queries.ts'
import { containing } from '../../server/platform/db/like-pattern.ts'
import { median } from '../../testkit/percentile.ts'
import { databaseUrl, pgbench } from './cluster.ts'
import { load, ports, withServers } from './servers.ts'

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
  /** What pgbench asks: the statement with its parameters written out, one script each. */
  readonly scripts: readonly string[]
  readonly bare: boolean
}

const seconds = 3

/** Ours and the baselines in turn, round after round. */
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

/** Addresses to ask in turn. */
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
  const { pieceById, recentPage, recentPageOfCategory } = statements
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

/** pgbench has no parameters but numbers, so the values are written into the text; it prepares the result. */
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
