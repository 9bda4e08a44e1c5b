import type { Program } from '../../../testkit/engines/site.ts'
import type { Site } from './site.ts'

/** What a reader asks right after somebody's act, and what they must find. */

export interface Shown {
  readonly id: string
  readonly writer: string
  readonly headline: string
  /** Of its page, once it has one. */
  readonly page: string | undefined
}

const ways = ['piece', 'page', 'list', 'recent', 'search', 'feed'] as const
type Way = (typeof ways)[number]

/** Lists hold all that a run ever has public at once. */
const paths: Readonly<Record<Way, (piece: Shown) => string>> = {
  piece: ({ id }) => `/api/public/pieces/${id}`,
  page: ({ page, id }) => page ?? `/api/public/pieces/${id}`,
  list: ({ writer }) => `/api/public/pieces/recent?limit=50&author=${writer}`,
  recent: () => '/api/public/pieces/recent?limit=50',
  search: ({ headline }) => `/api/public/pieces/search?q=${encodeURIComponent(headline)}`,
  feed: ({ writer }) => `/author/${writer}/feed.json`,
}

export interface Look {
  readonly way: Way
  readonly server: 'near' | 'far'
  readonly withCookie: boolean
  readonly ms: number
  /** `failed`: no answer, or one that no reader should get. */
  readonly found: 'as it is' | 'stale' | 'failed'
  readonly said: string
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

export const lookAt = (site: Site, piece: Shown, isPublic: boolean, cookie: string | undefined): Promise<Look> =>
  look(site, pick(['near', 'far'] as const), pick(ways), piece, isPublic, Math.random() < 0.5 ? cookie : undefined)

async function look(
  site: Site,
  server: Look['server'],
  way: Way,
  piece: Shown,
  isPublic: boolean,
  cookie: string | undefined,
): Promise<Look> {
  const start = performance.now()
  const { status, body } = await ask(`${site[server].base}${paths[way](piece)}`, cookie)
  const isThere = status === 200 && body.includes(piece.id)
  const isKnown = status === 200 || (status === 404 && (way === 'piece' || way === 'page'))
  const found = !isKnown ? 'failed' : isThere === isPublic ? 'as it is' : 'stale'
  const said = `${status} ${found === 'failed' ? body.slice(0, 300) : ''}`
  return { way, server, withCookie: cookie !== undefined, ms: performance.now() - start, found, said }
}

async function ask(url: string, cookie: string | undefined): Promise<{ status: number; body: string }> {
  try {
    const answer = await fetch(url, { headers: cookie ? { cookie } : {}, signal: AbortSignal.timeout(10_000) })
    return { status: answer.status, body: await answer.text() }
  } catch (error) {
    return { status: 0, body: String((error as Error).cause ?? error) }
  }
}

/** A reader of nothing in particular, for the load. */
export async function readAnything(base: string): Promise<{ status: number; ms: number }> {
  const start = performance.now()
  const { status } = await ask(
    `${base}${pick(['/api/public/pieces/recent', '/', '/api/public/pieces/recent?limit=50'])}`,
    undefined,
  )
  return { status, ms: performance.now() - start }
}

export interface Placed {
  readonly replica: number
  readonly primary: number
  /** Those that waited for their replica, by how long at the most, in seconds. */
  readonly waited: readonly { readonly atMost: number; readonly count: number }[]
}

export async function placedAt({ adminBase }: Program): Promise<Placed> {
  const text = await (await fetch(`${adminBase}/metrics`)).text()
  const of = (place: string) =>
    Number(new RegExp(`^standfirst_placed_reads_total\\{place="${place}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  const waited = [...text.matchAll(/^standfirst_replica_wait_seconds_bucket\{le="([^"]+)"\} (\d+)/gm)].map(
    ([, atMost, count]) => ({
      atMost: atMost === '+Inf' ? Number.POSITIVE_INFINITY : Number(atMost),
      count: Number(count),
    }),
  )
  return { replica: of('replica'), primary: of('primary'), waited }
}
