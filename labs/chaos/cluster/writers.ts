import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { Result } from '../../../testkit/desk-client.ts'
import {
  type Author,
  addDraft,
  ask,
  createDraft,
  type Endpoints,
  isOpen,
  newMark,
  rest,
  signInAgain,
} from './people.ts'
import type { Recorder } from './recorder.ts'

/** Those who write: by key, at the desk, and with keys that end. */

export interface Acting {
  readonly endpoints: Endpoints
  readonly record: Recorder
  readonly random: () => number
  isOver(): boolean
  /** Resolved when it is over. */
  readonly over: Promise<void>
}

const longestTrying = 90_000

/** Creates drafts, one after the other, each until it is known whether it is there. */
export async function create(
  { endpoints, record, random, isOver }: Acting,
  author: Author,
  every: number,
): Promise<void> {
  while (!isOver()) {
    const [mark, start] = [newMark(), Date.now()]
    let [result, piece]: [Result, string | null] = ['unknown', null]
    for (const end = start + longestTrying; Date.now() < end; await pause(250)) {
      const tried = Date.now()
      const { status, text } = await createDraft(endpoints.any(), author.key, mark)
      if (status !== null) record.answered(tried, Date.now())
      if (isOpen(status)) continue
      result = status === 201 ? 'ok' : 'fail'
      piece = status === 201 ? JSON.parse(text).id : null
      break
    }
    record.created(start, { mark, piece, end: Date.now(), result })
    if (piece !== null) addDraft(author, { mark, piece })
    await pause(Math.max(0, start + every * (0.5 + random()) - Date.now()))
  }
}

/** Of what is published so much is taken back, a while later. */
const takenBack = 0.3

/** Publishes what authors have in their drawers, each piece once; takes some back. Nobody repeats a press. */
export async function publish(acting: Acting, authors: readonly Author[], every: number): Promise<void> {
  const { endpoints, record, random, isOver } = acting
  const takingBack = new Set<Promise<void>>()
  while (!isOver()) {
    const began = Date.now()
    const author = authors[Math.floor(random() * authors.length)]!
    const draft = author.drafts.pop()
    if (draft) {
      const { writer } = author
      const nonce = await previewed(acting, author, draft.piece)
      if (nonce !== undefined) {
        const start = Date.now()
        // Before it is asked: whoever sees it from now on may.
        const change = { piece: draft.piece, writer: writer.slug, start }
        record.publications.set(draft.mark, { ...change, end: Number.POSITIVE_INFINITY, result: 'unknown' })
        const { status } = await endpoints.desk(writer, 'POST', `pieces/${draft.piece}/publish`, { nonce })
        record.published(draft.mark, { ...change, end: Date.now(), result: resultOf(status) })
        if (status === 200 && random() < takenBack) {
          record.toBeUnpublished.add(draft.mark)
          const back = takeBack(acting, author, draft.mark, draft.piece).finally(() => takingBack.delete(back))
          takingBack.add(back)
        }
      }
    }
    await pause(Math.max(20, began + every * (0.5 + random()) - Date.now()))
  }
  await Promise.all(takingBack)
}

async function previewed(
  { endpoints, isOver }: Acting,
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

async function takeBack(acting: Acting, { writer }: Author, mark: string, piece: string): Promise<void> {
  const { endpoints, record, random, over } = acting
  await Promise.race([rest(random, 500, 9000), over])
  const change = { piece, writer: writer.slug, start: Date.now() }
  record.unpublications.set(mark, { ...change, end: Number.POSITIVE_INFINITY, result: 'unknown' })
  const { status } = await endpoints.desk(writer, 'POST', `pieces/${piece}/unpublish`)
  record.unpublished(mark, { ...change, end: Date.now(), result: resultOf(status) })
}

const resultOf = (status: number | null): Result =>
  status !== null && status < 300 ? 'ok' : status !== null && status < 500 ? 'fail' : 'unknown'

/** A sign-in counts as fresh for ten minutes. */
const freshFor = 8 * 60_000
const usesAfterTheEnd = 4

/** Mints a key, writes with it, ends it, and tries it again at every server. */
export async function mintAndRevoke(acting: Acting, admin: pg.Pool, author: Author): Promise<void> {
  const { endpoints, record, random, isOver } = acting
  let [writer, since] = [await signInAgain(admin, author.writer), Date.now()]
  while (!isOver()) {
    if (Date.now() - since > freshFor) [writer, since] = [await signInAgain(admin, author.writer), Date.now()]
    const start = Date.now()
    const minted = await endpoints.desk(writer, 'POST', 'keys', { name: 'For a minute' })
    if (minted.status !== 201) {
      await rest(random, 300, 1000)
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
    for (let use = 0; use < usesAfterTheEnd; use += 1) {
      const base = endpoints.bases[use % endpoints.bases.length]!
      const used = Date.now()
      const again = await ask(`${base}/api/v1/pieces/me`, { headers: { authorization: `Bearer ${key}` } })
      record.used({ key: id, start: used, status: again.status })
      await rest(random, 20, 400)
    }
  }
}

async function revoke({ endpoints, record }: Acting, writer: Author['writer'], id: string): Promise<void> {
  for (const end = Date.now() + longestTrying; Date.now() < end; await pause(250)) {
    const start = Date.now()
    const { status } = await endpoints.desk(writer, 'DELETE', `keys/${id}`)
    record.revoked(id, start, Date.now(), resultOf(status))
    if (status !== null && status < 500) return
  }
}
