import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { hashOf, secretToken } from '../../../server/platform/secret.ts'
import { type Ask, deskAt } from '../../../testkit/desk-client.ts'
import { type MadeWriter, makeKey, makeWriter } from '../../../testkit/factories.ts'
import type { Mark } from './evidence.ts'
import { persistently } from './start.ts'

/** Who lives in the site while it is shaken, and how they reach it. */

export interface Draft {
  readonly mark: Mark
  readonly piece: string
}

export interface Author {
  readonly writer: MadeWriter
  readonly key: string
  /** Acknowledged, and nobody has pressed Publish yet. */
  readonly drafts: Draft[]
}

/** Drafts beyond this stay drafts. */
const mostWaiting = 200

export async function makeAuthors(admin: pg.Pool, prefix: string, count: number): Promise<Author[]> {
  const authors: Author[] = []
  for (let number = 1; number <= count; number += 1) {
    const slug = `${prefix}-${number}`
    const writer = await persistently(() => makeWriter(admin, { slug, name: `Writer ${number} of ${prefix}` }))
    const { key } = await persistently(() => makeKey(admin, writer))
    authors.push({ writer, key, drafts: [] })
  }
  return authors
}

/** As if they had signed in again just now. */
export async function signInAgain(admin: pg.Pool, writer: MadeWriter): Promise<MadeWriter> {
  const { token } = secretToken()
  const { rows } = await persistently(() =>
    admin.query<{ id: string }>(
      "insert into app.sessions (account_id, token_hash, expires_at) values ($1, $2, now() + interval '1 day') returning id",
      [writer.accountId, hashOf(token)],
    ),
  )
  return { ...writer, sessionId: rows[0]!.id, sessionToken: token }
}

export function addDraft({ drafts }: Author, draft: Draft): void {
  if (drafts.length < mostWaiting) drafts.push(draft)
}

/** The endpoints of a site with several servers: each request goes to one of them. */
export interface Endpoints {
  readonly bases: readonly string[]
  any(): string
  readonly desk: Ask
}

export function endpointsAt(bases: readonly string[], random: () => number): Endpoints {
  const any = () => bases[Math.floor(random() * bases.length)]!
  return { bases, any, desk: (...asked) => deskAt(any())(...asked) }
}

export interface Answered {
  /** Null where none came. */
  readonly status: number | null
  readonly text: string
}

const longestWait = 10_000

export async function ask(url: string, init: RequestInit = {}): Promise<Answered> {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(longestWait) })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: null, text: '' }
  }
}

/** A new draft by a key. Tried by one name until somebody says what became of it. */
export function createDraft(base: string, key: string, mark: Mark): Promise<Answered> {
  return ask(`${base}/api/v1/pieces`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': mark },
    body: JSON.stringify({
      headline: `CANARY-${mark}`,
      body_md: `It was a quiet morning.\n\nCANARY-${mark} sang.\n\nAnd nothing was lost.`,
      tags: ['quiet'],
    }),
  })
}

export const newMark = (): Mark => randomUUID()

/** Whether another try may tell more: no answer, a lack of something, or the same is still under way. */
export const isOpen = (status: number | null): boolean =>
  status === null || status >= 500 || status === 409 || status === 429

export const rest = (random: () => number, least: number, most: number) => pause(least + random() * (most - least))
