import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { asDesk, type MadeWriter, makeWriter } from './factories.ts'

/** Writers at the desk of a running site, over HTTP as their browsers speak. */

export interface DeskWriter extends MadeWriter {
  /** Not published yet. */
  readonly drafts: string[]
}

interface DeskAnswer {
  /** Null where no answer came. */
  readonly status: number | null
  // biome-ignore lint/suspicious/noExplicitAny: the shapes are those of the desk's schemas
  readonly body: any
}

export type DeskRequest = (writer: MadeWriter, method: string, path: string, payload?: object) => Promise<DeskAnswer>

export function deskAt(base: string): DeskRequest {
  return async ({ sessionToken }, method, path, payload) => {
    try {
      const answer = await fetch(`${base}/desk/api/${path}`, {
        method,
        headers: {
          cookie: `desk=${sessionToken}`,
          'sec-fetch-site': 'same-origin',
          ...(payload ? { 'content-type': 'application/json' } : {}),
        },
        ...(payload ? { body: JSON.stringify(payload) } : {}),
        signal: AbortSignal.timeout(20_000),
      })
      return { status: answer.status, body: answer.status === 204 ? undefined : await answer.json() }
    } catch {
      return { status: null, body: undefined }
    }
  }
}

/** `name` and number are in their slugs. */
export async function makeWriters(
  admin: pg.Pool,
  count: number,
  drafts: number,
  { first = 1, name = 'writer' } = {},
): Promise<DeskWriter[]> {
  const writers: DeskWriter[] = []
  for (let number = first; number < first + count; number += 1) {
    const slug = `${name}-${number}`
    const writer = await makeWriter(admin, { slug, name: `${name} ${number}` })
    const { rows } = await asDesk(admin, writer, (client) =>
      client.query<{ id: string }>(
        `insert into app.pieces (writer_id, headline, body_md, category, tags, style)
         select $1, 'Piece ' || n || ' of ' || $3, 'It was the ' || n || 'th morning.\n\nAnd nothing was lost.', 'building', '{}', 'essay'
           from generate_series(1, $2::integer) as n returning id`,
        [writer.id, drafts, slug],
      ),
    )
    writers.push({ ...writer, drafts: rows.map(({ id }) => id) })
  }
  return writers
}

/** Sets each writer's webhook at the desk and waits until all have answered their ping. */
export async function addWebhooks(
  ask: DeskRequest,
  writers: readonly DeskWriter[],
  urlOf: (writer: string) => string,
  trust: (writer: string, secret: string) => void,
): Promise<void> {
  for (const writer of writers) {
    const { status, body } = await ask(writer, 'PUT', 'webhook', { url: urlOf(writer.slug) })
    if (status !== 200) throw new Error(`no webhook: ${JSON.stringify(body)}`)
    trust(writer.slug, body.secret)
  }
  for (const writer of writers) {
    for (const end = Date.now() + 30_000; ; await pause(200)) {
      const { body } = await ask(writer, 'GET', 'webhook')
      if (body?.webhook?.state === 'live') break
      if (Date.now() > end) throw new Error(`the webhook of ${writer.slug} did not get live`)
    }
  }
}

/** The outcome as the client knows it: done, refused, or no answer. */
export type Result = 'ok' | 'fail' | 'unknown'

/** Previews the piece, then publishes that revision. The preview is retried; the publish request is sent once. */
export async function publish(
  ask: DeskRequest,
  writer: MadeWriter,
  piece: string,
): Promise<{ start: number; result: Result }> {
  const nonce = await previewNonce(ask, writer, piece)
  const start = Date.now()
  const { status } = await ask(writer, 'POST', `pieces/${piece}/publish`, { nonce })
  const result = status === 200 ? 'ok' : status !== null && status >= 400 && status < 500 ? 'fail' : 'unknown'
  return { start, result }
}

export async function previewNonce(ask: DeskRequest, writer: MadeWriter, piece: string): Promise<string> {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(200)) {
    const { status, body } = await ask(writer, 'POST', `pieces/${piece}/preview`)
    if (status === 200) return body.nonce
  }
  throw new Error(`no preview of ${piece} within a minute`)
}

/** Resends every delivery that the writer's log lists as undelivered. */
export async function resendUndelivered(ask: DeskRequest, writer: MadeWriter): Promise<void> {
  for (const state of ['pending', 'held', 'exhausted']) {
    const { body } = await ask(writer, 'GET', `webhook/deliveries?state=${state}&limit=100`)
    const left: { id: string; can_resend: boolean }[] = body?.deliveries ?? []
    for (const { id, can_resend } of left) {
      if (can_resend) await ask(writer, 'POST', `webhook/deliveries/${id}/resend`)
    }
  }
}
