import { setTimeout as pause } from 'node:timers/promises'
import { type DeskWriter, makeWriters } from '../../../testkit/desk-client.ts'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { createSiteDatabase, type Postgres, startPrimary, startReplica } from '../../../testkit/engines/postgres.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'

/** A primary, a prompt replica and one that is held back, a server on each, a desk and a worker. */

export interface Site {
  readonly prompt: Postgres
  /** Reads from the prompt replica, or from the one that is held back. */
  readonly near: SiteProcess
  readonly far: SiteProcess
  readonly desk: SiteProcess
  readonly writers: readonly DeskWriter[]
}

/** What is replayed there is older than this. */
export const heldBackBy = 5

export async function startSite(writers: number, drafts: number): Promise<Site> {
  const logs = scratchFolder('logs')
  const primary = await startPrimary()
  const { admin, name: database, urlOf } = await createSiteDatabase(primary)
  const [prompt, late] = await Promise.all([
    startReplica(primary, 'prompt', { hot_standby_feedback: 'on' }),
    startReplica(primary, 'late', { hot_standby_feedback: 'on', recovery_min_apply_delay: `${heldBackBy}s` }),
  ])
  const made = await makeWriters(admin, writers, drafts)

  const replicaOf = (replica: Postgres) => replica.urlOf(database, 'svc_public')
  const reader = (name: string, replica: Postgres) =>
    startServer(
      {
        env: {
          PUBLIC_DATABASE_URL: urlOf('svc_public'),
          REPLICA_DATABASE_URL: replicaOf(replica),
          LOAD_FACTOR: '20',
          TIMEOUT_FACTOR: '2',
          // A search that ran out of its time is partial, and not stale.
          SEARCH_BUDGET: '5000',
        },
        log: `${logs}/${name}`,
      },
      '--surfaces',
      'public',
    )
  const [near, far, desk] = await Promise.all([
    reader('near', prompt),
    reader('far', late),
    startServer(
      {
        env: { DESK_DATABASE_URL: urlOf('svc_desk'), LOAD_FACTOR: '20', TIMEOUT_FACTOR: '2' },
        log: `${logs}/desk`,
      },
      '--surfaces',
      'desk',
    ),
    startWorker({
      env: {
        WORKER_DATABASE_URL: urlOf('svc_worker'),
        REPLICA_DATABASE_URL: [prompt, late].map(replicaOf).join(','),
      },
      log: `${logs}/worker`,
    }),
  ])
  return { prompt, near, far, desk, writers: made }
}

/** What a reader requests right after a change, and what they must find. */

interface Shown {
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

const lookAt = (site: Site, piece: Shown, isPublic: boolean, cookie: string | undefined): Promise<Look> =>
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

export async function placedAt({ adminBase }: SiteProcess): Promise<Placed> {
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

/** Writers who publish and unpublish without a pause, each looking at once whether readers see it. */

export interface Acting {
  readonly acts: number
  /** Not acknowledged: nothing is promised of them. */
  readonly refused: number
  readonly looks: readonly Look[]
}

/**
 * Runs until this many changes are done or the signal aborts. `pace` is milliseconds between the changes of one writer.
 */
export async function act(site: Site, wanted: number, pace = 0, signal?: AbortSignal): Promise<Acting> {
  const looks: Look[] = []
  let [acts, refused] = [0, 0]
  await Promise.all(
    site.writers.map(async (writer) => {
      const pieces = states.get(writer) ?? writer.drafts.map((id, place) => new Piece(writer, id, place))
      states.set(writer, pieces)
      for (let turn = 0; acts < wanted && !signal?.aborted; turn += 1) {
        const begun = performance.now()
        acts += 1
        const piece = pieces[turn % pieces.length]!
        const cookie = await piece.turnOver(site.desk.base)
        if (cookie === undefined) refused += 1
        else looks.push(await lookAt(site, piece.shown, piece.isPublic, cookie))
        const left = pace - (performance.now() - begun)
        if (left > 0) await pause(left)
      }
    }),
  )
  return { acts, refused, looks }
}

const states = new WeakMap<DeskWriter, Piece[]>()

class Piece {
  isPublic = false
  readonly #writer: DeskWriter
  readonly #id: string
  readonly #headline: string
  #page: string | undefined

  constructor(writer: DeskWriter, id: string, place: number) {
    this.#writer = writer
    this.#id = id
    // As testkit/desk-client.ts names them: with fewer than ten of each, none is part of another.
    this.#headline = `Piece ${place + 1} of ${writer.slug}`
  }

  get shown(): Shown {
    return { id: this.#id, writer: this.#writer.slug, headline: this.#headline, page: this.#page }
  }

  /** Publishes what is not public, and the other way round. Answers with the writer's cookie; undefined where it was refused. */
  async turnOver(base: string): Promise<string | undefined> {
    const at = `${base}/desk/api/pieces/${this.#id}`
    const nonce = this.isPublic ? undefined : (await this.#ask('POST', `${at}/preview`)).body?.nonce
    const done = this.isPublic
      ? await this.#ask('POST', `${at}/unpublish`)
      : await this.#ask('POST', `${at}/publish`, { nonce })
    if (done.status !== 200 || !done.cookie) {
      // It may have happened all the same.
      const { body } = await this.#ask('GET', at)
      if (body?.piece) this.isPublic = body.piece.status === 'approved'
      return undefined
    }
    this.isPublic = !this.isPublic
    const { url } = done.body!.piece!
    if (url) this.#page = new URL(url).pathname
    return done.cookie
  }

  async #ask(method: string, url: string, payload?: object): Promise<Answer> {
    try {
      const answer = await fetch(url, {
        method,
        headers: {
          cookie: `desk=${this.#writer.sessionToken}`,
          'sec-fetch-site': 'same-origin',
          ...(payload ? { 'content-type': 'application/json' } : {}),
        },
        ...(payload ? { body: JSON.stringify(payload) } : {}),
        signal: AbortSignal.timeout(20_000),
      })
      const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0]!)
      const body = (await answer.json()) as Answer['body']
      return { status: answer.status, body, cookie: cookies.find((one) => one.startsWith('wrote=')) }
    } catch {
      return { status: 0, body: undefined, cookie: undefined }
    }
  }
}

interface Answer {
  /** 0 where no answer came. */
  readonly status: number
  readonly body: { readonly nonce?: string; readonly piece?: { status: string; url: string | null } } | undefined
  readonly cookie: string | undefined
}
