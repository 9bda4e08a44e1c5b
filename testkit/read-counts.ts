import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { until } from './waiting.ts'

/** Readers and their counted reads. */

export const browserAgent = 'Mozilla/5.0 (X11; Linux x64; rv:150.0) Gecko/20100101 Firefox/150.0'

export interface Reading {
  readonly from?: string
  readonly headers?: Record<string, string>
  readonly method?: 'GET' | 'HEAD'
}

/** Requests a piece's pixel, as a browser does with its page. */
export const readPixel = (app: FastifyInstance, id: string, { from = '198.51.100.1', headers, method }: Reading = {}) =>
  app.inject({
    method: method ?? 'GET',
    url: `/r/${id}.gif`,
    remoteAddress: from,
    headers: { 'user-agent': browserAgent, ...headers },
  })

/** Reads of each piece, as they are kept. */
export async function countsOf(admin: pg.Pool): Promise<Record<string, number>> {
  const { rows } = await admin.query<{ piece_id: string; reads: string }>(
    'select piece_id, reads from app.piece_reads where reads > 0',
  )
  return Object.fromEntries(rows.map(({ piece_id, reads }) => [piece_id, Number(reads)]))
}

/** Waits until all earlier reads are counted: one more read, by another reader of another piece, is counted last. */
export async function waitForCountedReads(app: FastifyInstance, admin: pg.Pool, marker: string): Promise<void> {
  const before = (await countsOf(admin))[marker] ?? 0
  // From a separate network, so that no other reader's rate limit applies.
  const from = `10.${240 + Math.floor(before / 256)}.${before % 256}.1`
  await readPixel(app, marker, { from, headers: { 'user-agent': `Marker/${before}` } })
  await until(async () => ((await countsOf(admin))[marker] ?? 0) > before, 'the read of the marker is counted')
}

/** Adds reads that were counted some hours ago. */
export async function addPastReads(admin: pg.Pool, piece: string, reads: number, hoursAgo: number): Promise<void> {
  await admin.query(
    `with kept as (
       insert into app.piece_reads as k (piece_id, author_id, reads)
       select id, author_id, $2 from pub.pieces where id = $1
       on conflict (piece_id) do update set reads = k.reads + excluded.reads returning piece_id, author_id
     ), daily as (
       insert into app.piece_reads_daily as d (piece_id, author_id, day, reads)
       select piece_id, author_id, ((now() - make_interval(hours => $3)) at time zone 'UTC')::date, $2 from kept
       on conflict (piece_id, day) do update set reads = d.reads + excluded.reads
     )
     insert into app.piece_reads_hourly as h (piece_id, hour, reads)
     select piece_id, date_trunc('hour', now() - make_interval(hours => $3), 'UTC'), $2 from kept
     on conflict (piece_id, hour) do update set reads = h.reads + excluded.reads`,
    [piece, reads, hoursAgo],
  )
}

export const scoreNow = (admin: pg.Pool): Promise<unknown> => admin.query('select app.score_trending()')
