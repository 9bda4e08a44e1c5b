import { setTimeout as pause } from 'node:timers/promises'
import { type DeskRequest, type DeskWriter, deskAt, makeWriters } from '../../testkit/desk-client.ts'
import { createSiteDatabase, type Postgres, type SiteDatabase, startPrimary } from '../../testkit/engines/postgres.ts'
import { runCli } from '../../testkit/engines/site.ts'
import type { Kind } from '../../testkit/load/load.ts'

export type Length = 'short' | 'usual' | 'long'
/** Prints what it measured. False where a claim did not hold. */
export type Proof = (length: Length) => Promise<boolean>

/** Prints each claim with a tick or a cross. */
export function allHold(...claims: readonly (readonly [string, boolean])[]): boolean {
  for (const [words, isSo] of claims) console.log(`${isSo ? '✓' : '✗'} ${words}`)
  return claims.every(([, isSo]) => isSo)
}

const pieces = 1_500

export interface FilledSite {
  readonly postgres: Postgres
  readonly database: SiteDatabase
  /** What its programs are started with, as in production. */
  readonly env: Readonly<Record<string, string>>
  /** What a site is asked for of which no edge knows the answer, by shares; all of it by readers. */
  readonly mix: readonly Kind[]
}

let filled: Promise<FilledSite> | undefined

/** A seeded site on a separate PostgreSQL, created once for all proofs of a run. */
export function filledSite(): Promise<FilledSite> {
  filled ??= fill()
  return filled
}

async function fill(): Promise<FilledSite> {
  const postgres = await startPrimary()
  const database = await createSiteDatabase(postgres)
  const url = database.urlOf()
  const env = { DATABASE_URL: url, LOG_LEVEL: 'error' }
  await runCli(env, 'seed', '--pieces', String(pieces))
  await runCli(env, 'search', 'build')
  const production = {
    DATABASE_URL: url,
    NODE_ENV: 'production',
    SMTP_URL: 'smtp://127.0.0.1:1',
    BASE_URL: 'http://127.0.0.1',
  }
  return { postgres, database, env: production, mix: await mixOf(database) }
}

const browser = ['accept: text/html', 'accept-encoding: gzip, br']
const program = ['accept: application/json']

async function mixOf({ admin }: SiteDatabase): Promise<Kind[]> {
  const { rows } = await admin.query<{ id: string; page: string; slug: string; word: string }>(
    `select p.id, '/author/' || a.slug || '/' || p.slug as page, a.slug,
            (regexp_match(lower(p.headline), '[a-z]{5,}'))[1] as word
       from pub.pieces p join pub.authors a on a.id = p.author_id order by p.id limit 1000`,
  )
  const words = [...new Set(rows.map(({ word }) => word).filter(Boolean))].slice(0, 200)
  const authors = [...new Set(rows.map(({ slug }) => slug))]
  const call = (name: string, given: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
  return [
    { name: 'page', share: 50, paths: rows.map(({ page }) => page), headers: browser },
    { name: 'piece', share: 20, paths: rows.map(({ id }) => `/api/public/pieces/${id}`), headers: program },
    {
      name: 'list',
      share: 25,
      paths: [
        '/',
        '/category/life',
        '/api/public/pieces/recent',
        ...authors.slice(0, 20).map((slug) => `/author/${slug}`),
      ],
      headers: browser,
    },
    {
      name: 'tools',
      share: 4,
      method: 'POST',
      paths: ['/api/mcp'],
      headers: [
        'accept: application/json, text/event-stream',
        'content-type: application/json',
        'mcp-protocol-version: 2025-06-18',
      ],
      body: call('recent_pieces', { limit: 5 }),
    },
    {
      name: 'search',
      share: 1,
      paths: words.map((word) => `/api/public/pieces/search?q=${word}`),
      headers: program,
    },
  ]
}

/** A writer who previews and publishes one piece after another under load. */

interface Published {
  readonly tried: number
  /** Pieces whose publication was acknowledged. */
  readonly published: readonly string[]
  /** What else was answered. */
  readonly refusals: readonly (number | null)[]
  /** Milliseconds of looking and publishing together. */
  readonly times: readonly number[]
}

export interface Person {
  /** Publishes every this many milliseconds until stopped. */
  begin(base: string, every: number): { stop(): Promise<Published> }
}

let made = 0

/** Whose drafts are ready, at this database. */
export async function personAtTheDesk({ admin }: SiteDatabase, drafts: number): Promise<Person> {
  made += 1
  const [writer] = await makeWriters(admin, 1, drafts, { first: made })
  return { begin: (base, every) => publishing(deskAt(base), writer!, every) }
}

function publishing(ask: DeskRequest, writer: DeskWriter, every: number): { stop(): Promise<Published> } {
  const published: string[] = []
  const refusals: (number | null)[] = []
  const times: number[] = []
  let tried = 0
  let isOver = false
  const publishOne = async (piece: string) => {
    const start = performance.now()
    const shown = await ask(writer, 'POST', `pieces/${piece}/preview`)
    if (shown.status !== 200) return void refusals.push(shown.status)
    const { status } = await ask(writer, 'POST', `pieces/${piece}/publish`, { nonce: shown.body.nonce })
    if (status !== 200) return void refusals.push(status)
    times.push(performance.now() - start)
    published.push(piece)
  }
  const work = async () => {
    const running: Promise<void>[] = []
    while (!isOver) {
      const piece = writer.drafts.pop()
      if (!piece) throw new Error('there are no more drafts to publish')
      tried += 1
      running.push(publishOne(piece))
      await pause(every)
    }
    await Promise.all(running)
  }
  const done = work()
  return {
    stop: async () => {
      isOver = true
      await done
      return { tried, published, refusals, times }
    },
  }
}
