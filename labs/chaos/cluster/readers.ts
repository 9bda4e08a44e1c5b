import { setTimeout as pause } from 'node:timers/promises'
import type { Change, Mark } from './evidence.ts'
import { type Answered, type Author, ask, type Endpoints, rest } from './people.ts'
import type { Recorder } from './recorder.ts'

/** Those who read: every public surface, again and again, and what they are not supposed to find. */

export interface Reading {
  readonly endpoints: Endpoints
  readonly record: Recorder
  readonly random: () => number
  isOver(): boolean
}

/** Pieces that are looked at one by one are among so many of the newest. */
const newest = 400

/** One reader. */
export async function read(reading: Reading, authors: readonly Author[], every: number): Promise<void> {
  const { endpoints, record, random, isOver } = reading
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)]
  while (!isOver()) {
    const kind = random()
    const author = pick(authors)!
    if (kind < 0.5) await lookAtOne(reading, pick(lastOf(record.publications)))
    else if (kind < 0.65) await seek(reading, pick(author.drafts)?.mark)
    else await readAt(reading, endpoints.any(), pick(surfacesOf(author.writer.slug))!)
    await rest(random, every * 0.5, every * 1.5)
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

async function readAt({ record }: Reading, base: string, path: string): Promise<void> {
  const start = Date.now()
  const { status, text } = await ask(`${base}${path}`)
  if (status !== null) record.read(path, start, text)
}

type Published = readonly [Mark, { readonly piece: string }]

const lastOf = (publications: Recorder['publications']): Published[] => [
  ...publications.entries().drop(Math.max(0, publications.size - newest)),
]

interface Way {
  readonly where: string
  look(base: string, piece: string): Promise<Answered>
}

const ways: readonly Way[] = [
  { where: '/api/public/pieces/{id}', look: (base, piece) => ask(`${base}/api/public/pieces/${piece}`) },
  { where: '/p/{id}', look: (base, piece) => ask(`${base}/p/${piece}`) },
  { where: 'get_piece', look: (base, piece) => callTool(base, 'get_piece', { id: piece }) },
]

/** By the API, by its permanent address, which leads to its page, or by a tool. */
async function lookAtOne({ endpoints, record, random }: Reading, published: Published | undefined): Promise<void> {
  if (!published) return
  const [mark, { piece }] = published
  const { where, look } = ways[Math.floor(random() * ways.length)]!
  const start = Date.now()
  const { status, text } = await look(endpoints.any(), piece)
  if (status === null) return
  record.read(where, start, text)
  if (status === 404) record.missed({ mark, where, start, end: Date.now() })
}

const atLast = 100
const abreast = 8

/**
 * When everybody has ended: what is public is there at every server and in every way, and what was taken back is gone.
 * What is not as it should be is looked at so many times, and noted then.
 */
export async function lookAtLast(endpoints: Endpoints, record: Recorder, times: number): Promise<void> {
  const isCertain = ([, { result }]: readonly [Mark, Change]) => result === 'ok'
  const published = [...record.publications].filter((one) => isCertain(one) && !record.unpublications.has(one[0]))
  const unpublished = [...record.unpublications].filter(isCertain)
  record.settle()
  // A look begins after that, by the clock that both are read from.
  await pause(2)
  const [there, gone] = [published.slice(-atLast), unpublished.slice(-atLast)]
  const isGone = ({ text }: Answered) => !gone.some(([mark]) => text.includes(mark))
  const writers = new Set([...record.publications.values()].map(({ writer }) => writer))
  const looks = endpoints.bases.flatMap((base): LastLook[] => [
    ...there.flatMap(([mark, { piece }]) =>
      ways.map(({ where, look }) => ({
        where,
        mark,
        look: () => look(base, piece),
        isRight: ({ status }: Answered) => status !== 404,
      })),
    ),
    ...gone.flatMap(([, { piece }]) =>
      ways.map(({ where, look }) => ({ where, look: () => look(base, piece), isRight: isGone })),
    ),
    ...[...writers]
      .flatMap(surfacesOf)
      .map((path) => ({ where: path, look: () => ask(`${base}${path}`), isRight: isGone })),
  ])
  await Promise.all(
    Array.from({ length: abreast }, async () => {
      for (let look = looks.pop(); look; look = looks.pop()) await lookUntil(look, record, times)
    }),
  )
}

interface LastLook {
  readonly where: string
  /** Of a piece that must be there. */
  readonly mark?: Mark
  look(): Promise<Answered>
  isRight(answer: Answered): boolean
}

async function lookUntil({ where, mark, look, isRight }: LastLook, record: Recorder, times: number): Promise<void> {
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

/** Looks for a draft by what it is known by: nothing of it may come back. The answer may repeat what was asked. */
async function seek({ endpoints, record, random }: Reading, mark: Mark | undefined): Promise<void> {
  if (mark === undefined) return
  const start = Date.now()
  const { status, text } = await (random() < 0.5
    ? ask(`${endpoints.any()}/api/public/pieces/search?q=${mark}`)
    : callTool(endpoints.any(), 'search_pieces', { q: mark }))
  if (status !== null) record.read('a search', start, text)
}

const callTool = (base: string, name: string, args: object): Promise<Answered> =>
  ask(`${base}/api/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })

/** Whether both wings of the database hold the same pieces, in one statement, now and then. */
export async function compareWings(
  ask: (text: string) => Promise<readonly { readonly id: string }[]>,
  { record, isOver }: Pick<Reading, 'record' | 'isOver'>,
  every: number,
): Promise<void> {
  while (!isOver()) {
    await compareOnce(ask, record)
    for (const end = Date.now() + every; Date.now() < end && !isOver(); ) await pause(100)
  }
}

export async function compareOnce(
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
