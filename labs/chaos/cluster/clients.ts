import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { hashOf, secretToken } from '../../../server/platform/crypto.ts'
import { type DeskRequest, deskAt, type Result } from '../../../testkit/desk-client.ts'
import { type MadeWriter, makeKey, makeWriter } from '../../../testkit/factories.ts'
import type { Mark, Recorder } from './evidence.ts'
import { withRetry } from './start.ts'

/** Authors and readers of the site during a run, and how they reach it. */

interface Draft {
  readonly mark: Mark
  readonly piece: string
}

export interface Author {
  readonly writer: MadeWriter
  readonly key: string
  /** Acknowledged and not yet published. */
  readonly drafts: Draft[]
}

/** Drafts beyond this stay drafts. */
const maxDrafts = 200

export async function makeAuthors(admin: pg.Pool, prefix: string, count: number): Promise<Author[]> {
  const authors: Author[] = []
  for (let number = 1; number <= count; number += 1) {
    const slug = `${prefix}-${number}`
    const writer = await withRetry(() => makeWriter(admin, { slug, name: `Writer ${number} of ${prefix}` }))
    const { key } = await withRetry(() => makeKey(admin, writer))
    authors.push({ writer, key, drafts: [] })
  }
  return authors
}

/** Creates a new session, as a sign-in would. */
async function signInAgain(admin: pg.Pool, writer: MadeWriter): Promise<MadeWriter> {
  const { token } = secretToken()
  const { rows } = await withRetry(() =>
    admin.query<{ id: string }>(
      "insert into app.sessions (account_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day') returning id",
      [writer.accountId, hashOf(token)],
    ),
  )
  return { ...writer, sessionId: rows[0]!.id, sessionToken: token }
}

function addDraft({ drafts }: Author, draft: Draft): void {
  if (drafts.length < maxDrafts) drafts.push(draft)
}

/** The endpoints of a site with several servers: each request goes to one of them. */
export interface Endpoints {
  readonly bases: readonly string[]
  any(): string
  readonly desk: DeskRequest
}

export function endpointsAt(bases: readonly string[], random: () => number): Endpoints {
  const any = () => bases[Math.floor(random() * bases.length)]!
  return { bases, any, desk: (...asked) => deskAt(any())(...asked) }
}

export interface HttpAnswer {
  /** Null where none came. */
  readonly status: number | null
  readonly text: string
}

const longestWait = 10_000

export async function request(url: string, init: RequestInit = {}): Promise<HttpAnswer> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(longestWait) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: null, text: '' }
  }
}

/** Creates a draft by API key. Retries use the same Idempotency-Key until the outcome is known. */
function createDraft(base: string, key: string, mark: Mark): Promise<HttpAnswer> {
  return request(`${base}/api/v1/pieces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': mark },
    body: JSON.stringify({
      headline: `CANARY-${mark}`,
      body_md: `It was a quiet morning.\n\nCANARY-${mark} sang.\n\nAnd nothing was lost.`,
      tags: ['quiet'],
    }),
  })
}

const newMark = (): Mark => randomUUID()

/** Whether a retry may settle the outcome: no answer, overload, or the same request still in progress. */
const isUndecided = (status: number | null): boolean =>
  status === null || status >= 500 || status === 409 || status === 429

export const pauseBetween = (random: () => number, least: number, most: number) =>
  pause(least + random() * (most - least))

/** Writers: by API key, at the desk, and with keys that are revoked. */

export interface ClientContext {
  readonly endpoints: Endpoints
  readonly record: Recorder
  readonly random: () => number
  isOver(): boolean
  /** Resolved when it is over. */
  readonly over: Promise<void>
}

const retryFor = 90_000

/** Creates drafts one after the other, retrying each until its outcome is known. */
export async function createDrafts(
  { endpoints, record, random, isOver }: ClientContext,
  author: Author,
  every: number,
): Promise<void> {
  while (!isOver()) {
    const [mark, start] = [newMark(), Date.now()]
    let [result, piece]: [Result, string | null] = ['unknown', null]
    for (const end = start + retryFor; Date.now() < end; await pause(250)) {
      const tried = Date.now()
      const { status, text } = await createDraft(endpoints.any(), author.key, mark)
      if (status !== null) record.answered(tried, Date.now())
      if (isUndecided(status)) continue
      result = status === 201 ? 'ok' : 'fail'
      piece = status === 201 ? JSON.parse(text).id : null
      break
    }
    record.created(start, { mark, piece, end: Date.now(), result })
    if (piece !== null) addDraft(author, { mark, piece })
    await pause(Math.max(0, start + every * (0.5 + random()) - Date.now()))
  }
}

/** Share of publications that are unpublished later. */
const unpublishedShare = 0.3

/** Publishes each draft once and unpublishes some later. A publish request is never repeated. */
export async function publishDrafts(acting: ClientContext, authors: readonly Author[], every: number): Promise<void> {
  const { endpoints, record, random, isOver } = acting
  const unpublishing = new Set<Promise<void>>()
  while (!isOver()) {
    const began = Date.now()
    const author = authors[Math.floor(random() * authors.length)]!
    const draft = author.drafts.pop()
    if (draft) {
      const { writer } = author
      const nonce = await previewNonce(acting, author, draft.piece)
      if (nonce !== undefined) {
        const start = Date.now()
        // Recorded before the request: from here on readers may see it.
        const change = { piece: draft.piece, writer: writer.slug, start }
        record.publications.set(draft.mark, { ...change, end: Number.POSITIVE_INFINITY, result: 'unknown' })
        const { status } = await endpoints.desk(writer, 'POST', `pieces/${draft.piece}/publish`, { nonce })
        record.published(draft.mark, { ...change, end: Date.now(), result: resultOf(status) })
        if (status === 200 && random() < unpublishedShare) {
          record.toBeUnpublished.add(draft.mark)
          const back = unpublishLater(acting, author, draft.mark, draft.piece).finally(() => unpublishing.delete(back))
          unpublishing.add(back)
        }
      }
    }
    await pause(Math.max(20, began + every * (0.5 + random()) - Date.now()))
  }
  await Promise.all(unpublishing)
}

async function previewNonce(
  { endpoints, isOver }: ClientContext,
  { writer }: Author,
  piece: string,
): Promise<string | undefined> {
  for (; !isOver(); await pause(250)) {
    const { status, body } = await endpoints.desk(writer, 'POST', `pieces/${piece}/preview`)
    if (status === 200) return body.nonce
    if (status !== null && status < 500) return undefined
  }
  return undefined
}

async function unpublishLater(acting: ClientContext, { writer }: Author, mark: string, piece: string): Promise<void> {
  const { endpoints, record, random, over } = acting
  await Promise.race([pauseBetween(random, 500, 9000), over])
  const change = { piece, writer: writer.slug, start: Date.now() }
  record.unpublications.set(mark, { ...change, end: Number.POSITIVE_INFINITY, result: 'unknown' })
  const { status } = await endpoints.desk(writer, 'POST', `pieces/${piece}/unpublish`)
  record.unpublished(mark, { ...change, end: Date.now(), result: resultOf(status) })
}

const resultOf = (status: number | null): Result =>
  status !== null && status < 300 ? 'ok' : status !== null && status < 500 ? 'fail' : 'unknown'

/** A sign-in counts as fresh for ten minutes. */
const freshFor = 8 * 60_000
const usesAfterRevocation = 4

/** Creates a key, writes with it, revokes it and tries it again at every server. */
export async function mintAndRevoke(acting: ClientContext, admin: pg.Pool, author: Author): Promise<void> {
  const { endpoints, record, random, isOver } = acting
  let [writer, since] = [await signInAgain(admin, author.writer), Date.now()]
  while (!isOver()) {
    if (Date.now() - since > freshFor) [writer, since] = [await signInAgain(admin, author.writer), Date.now()]
    const start = Date.now()
    const minted = await endpoints.desk(writer, 'POST', 'keys', { name: 'For a minute' })
    if (minted.status !== 201) {
      await pauseBetween(random, 300, 1000)
      continue
    }
    const { id, key } = minted.body as { id: string; key: string }
    record.minted(id, start, Date.now(), 'ok')
    const mark = newMark()
    const created = Date.now()
    const { status, text } = await createDraft(endpoints.any(), key, mark)
    const piece = status === 201 ? (JSON.parse(text).id as string) : null
    record.created(created, { mark, piece, end: Date.now(), result: resultOf(status) })
    await revoke(acting, writer, id)
    for (let use = 0; use < usesAfterRevocation; use += 1) {
      const base = endpoints.bases[use % endpoints.bases.length]!
      const used = Date.now()
      const again = await request(`${base}/api/v1/pieces/me`, { headers: { authorization: `Bearer ${key}` } })
      record.used({ key: id, start: used, status: again.status })
      await pauseBetween(random, 20, 400)
    }
  }
}

async function revoke({ endpoints, record }: ClientContext, writer: Author['writer'], id: string): Promise<void> {
  for (const end = Date.now() + retryFor; Date.now() < end; await pause(250)) {
    const start = Date.now()
    const { status } = await endpoints.desk(writer, 'DELETE', `keys/${id}`)
    record.revoked(id, start, Date.now(), resultOf(status))
    if (status !== null && status < 500) return
  }
}
