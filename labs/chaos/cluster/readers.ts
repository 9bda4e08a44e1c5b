import { setTimeout as pause } from 'node:timers/promises'
import { type Author, type Endpoints, type HttpAnswer, pauseBetween, request } from './clients.ts'
import type { Change, Mark, Recorder } from './evidence.ts'

/** Readers: request every public surface repeatedly, and search for drafts that must not be found. */

export interface Reading {
  readonly endpoints: Endpoints
  readonly record: Recorder
  readonly random: () => number
  isOver(): boolean
}

/** Single pieces are drawn from this many of the newest. */
const recentPieces = 400

/** One reader. */
export async function readAll(reading: Reading, authors: readonly Author[], every: number): Promise<void> {
  const { endpoints, record, random, isOver } = reading
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  while (!isOver()) {
    const kind = random()
    const author = pick(authors)!
    if (kind < 0.5) await readPiece(reading, pick(lastOf(record.publications)))
    else if (kind < 0.65) await searchForDraft(reading, pick(author.drafts)?.mark)
    else await readPath(reading, endpoints.any(), pick(surfacesOf(author.writer.slug))!)
    await pauseBetween(random, every * 0.5, every * 1.5)
  }
}

const surfacesOf = (slug: string): readonly string[] => [
  '/',
  '/api/public/pieces/recent?limit=50',
  '/api/public/pieces/trending',
  '/feed.json',
  '/feed.xml',
  `/author/${slug}`,
  `/author/${slug}/feed.json`,
  `/api/public/authors/${slug}`,
  '/category/building',
  '/sitemap.xml',
  '/llms.txt',
]

async function readPath({ record }: Reading, base: string, path: string): Promise<void> {
  const start = Date.now()
  const { status, text } = await request(`${base}${path}`)
  if (status !== null) record.read(path, start, text)
}

type Published = readonly [Mark, { readonly piece: string }]

const lastOf = (publications: Recorder['publications']): Published[] => [
  ...publications.entries().drop(Math.max(0, publications.size - recentPieces)),
]

interface Lookup {
  readonly where: string
  look(base: string, piece: string): Promise<HttpAnswer>
}

const lookups: readonly Lookup[] = [
  { where: '/api/public/pieces/{id}', look: (base, piece) => request(`${base}/api/public/pieces/${piece}`) },
  { where: '/p/{id}', look: (base, piece) => request(`${base}/p/${piece}`) },
  { where: 'get_piece', look: (base, piece) => callTool(base, 'get_piece', { id: piece }) },
]

/** Reads a piece by the API, by its permanent address, or by an MCP tool. */
async function readPiece({ endpoints, record, random }: Reading, published: Published | undefined): Promise<void> {
  if (!published) return
  const [mark, { piece }] = published
  const { where, look } = lookups[Math.floor(random() * lookups.length)]!
  const start = Date.now()
  const { status, text } = await look(endpoints.any(), piece)
  if (status === null) return
  record.read(where, start, text)
  if (status === 404) record.missed({ mark, where, start, end: Date.now() })
}

const finalPieces = 100
const parallelLooks = 8

/**
 * After all clients have stopped: every public piece is readable at every server in every way, and unpublished pieces
 * are gone. A wrong answer is retried up to `times` times before it is recorded.
 */
export async function checkFinalState(endpoints: Endpoints, record: Recorder, times: number): Promise<void> {
  const isCertain = ([, { result }]: readonly [Mark, Change]) => result === 'ok'
  const published = [...record.publications].filter((one) => isCertain(one) && !record.unpublications.has(one[0]))
  const unpublished = [...record.unpublications].filter(isCertain)
  record.settle()
  // So that the first read begins at a later millisecond.
  await pause(2)
  const [there, gone] = [published.slice(-finalPieces), unpublished.slice(-finalPieces)]
  const isGone = ({ text }: HttpAnswer) => !gone.some(([mark]) => text.includes(mark))
  const writers = new Set([...record.publications.values()].map(({ writer }) => writer))
  const looks = endpoints.bases.flatMap((base): FinalLook[] => [
    ...there.flatMap(([mark, { piece }]) =>
      lookups.map(({ where, look }) => ({
        where,
        mark,
        look: () => look(base, piece),
        isRight: ({ status }: HttpAnswer) => status !== 404,
      })),
    ),
    ...gone.flatMap(([, { piece }]) =>
      lookups.map(({ where, look }) => ({ where, look: () => look(base, piece), isRight: isGone })),
    ),
    ...[...writers]
      .flatMap(surfacesOf)
      .map((path) => ({ where: path, look: () => request(`${base}${path}`), isRight: isGone })),
  ])
  await Promise.all(
    Array.from({ length: parallelLooks }, async () => {
      for (let look = looks.pop(); look; look = looks.pop()) await lookRepeatedly(look, record, times)
    }),
  )
}

interface FinalLook {
  readonly where: string
  /** Of a piece that must be there. */
  readonly mark?: Mark
  look(): Promise<HttpAnswer>
  isRight(answer: HttpAnswer): boolean
}

async function lookRepeatedly(
  { where, mark, look, isRight }: FinalLook,
  record: Recorder,
  times: number,
): Promise<void> {
  for (let left = times; left > 0; left -= 1) {
    const start = Date.now()
    const answer = await look()
    if (left > 1 && (answer.status === null || !isRight(answer))) {
      await pause(500)
      continue
    }
    record.read(where, start, answer.text)
    if (mark !== undefined && answer.status === 404) record.missed({ mark, where, start, end: Date.now() })
    return
  }
}

/** Searches for a draft by its mark: it must not be found. The answer may repeat the query. */
async function searchForDraft({ endpoints, record, random }: Reading, mark: Mark | undefined): Promise<void> {
  if (mark === undefined) return
  const start = Date.now()
  const { status, text } = await (random() < 0.5
    ? request(`${endpoints.any()}/api/public/pieces/search?q=${mark}`)
    : callTool(endpoints.any(), 'search_pieces', { q: mark }))
  if (status !== null) record.read('a search', start, text)
}

const callTool = (base: string, name: string, args: object): Promise<HttpAnswer> =>
  request(`${base}/api/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })

/** Compares the published pieces in schemas app and pub in one statement, at intervals. */
export async function watchSchemas(
  ask: (text: string) => Promise<readonly { readonly id: string }[]>,
  { record, isOver }: Pick<Reading, 'record' | 'isOver'>,
  every: number,
): Promise<void> {
  while (!isOver()) {
    await compareSchemas(ask, record)
    for (const end = Date.now() + every; Date.now() < end && !isOver(); ) await pause(100)
  }
}

export async function compareSchemas(
  ask: (text: string) => Promise<readonly { readonly id: string }[]>,
  record: Recorder,
): Promise<void> {
  const at = Date.now()
  const rows = await ask(
    `(select id from app.pieces where editor_status = 'approved' except select id from pub.pieces)
     union all
     (select id from pub.pieces except select id from app.pieces where editor_status = 'approved')`,
  ).catch(() => undefined)
  if (rows) record.compared({ at, pieces: rows.map(({ id }) => id) })
}
