import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** A writer who creates drafts by API key and publishes at the desk, and records what was acknowledged and when. */

export interface People {
  readonly writer: { readonly email: string; readonly password: string }
  readonly api_key: string
}

interface Asked {
  readonly sent: number
  readonly acked: number
}

export interface Written extends Asked {
  readonly id: string
  readonly headline: string
  readonly published?: Asked
}

export interface Writing {
  readonly written: readonly Written[]
  /** Tries that were refused or got no answer: nothing is known of those. */
  readonly failed: () => number
  end(): Promise<void>
}

/** Creates drafts by API key at this rate; every third is published at the desk. */
export async function beginWriting(base: string, { writer, api_key }: People, perSecond: number): Promise<Writing> {
  const cookie = await signIn(base, writer)
  const written: Written[] = []
  let failed = 0
  let isOver = false
  const one = async (number: number): Promise<void> => {
    const headline = `Draft ${number} ${randomUUID()}`
    const drafted = await timed(base, '/api/v1/pieces', { authorization: `Bearer ${api_key}` }, body(headline))
    if (drafted?.status !== 201) {
      failed += 1
      return
    }
    const { id, sent, acked } = drafted
    const published = number % 3 === 0 ? await publish(base, cookie, id!) : undefined
    if (published === null) failed += 1
    written.push({ id: id!, headline, sent, acked, ...(published ? { published } : {}) })
  }
  const loop = (async () => {
    for (let number = 1; !isOver; number += 1) {
      const next = pause(1000 / perSecond)
      await Promise.all([one(number), next])
    }
  })()
  return {
    written,
    failed: () => failed,
    end: async () => {
      isOver = true
      await loop
    },
  }
}

const body = (headline: string) => ({
  headline,
  body_md: `${headline}: it was a bright cold day, and nothing of it was lost.\n\n${'The kettle sang. '.repeat(60)}`,
})

async function publish(base: string, cookie: string, id: string): Promise<Asked | null> {
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const shown = await timed(base, `/desk/api/pieces/${id}/preview`, headers)
  if (shown?.status !== 200) return null
  const done = await timed(base, `/desk/api/pieces/${id}/publish`, headers, { nonce: shown.nonce })
  return done?.status === 200 ? { sent: done.sent, acked: done.acked } : null
}

async function signIn(base: string, { email, password }: People['writer']): Promise<string> {
  const knock = () =>
    fetch(`${base}/desk/api/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ email, password }),
    })
  // A connection that was kept may be closed by the other side just now: then a new one is made.
  const answer = await knock().catch(knock)
  if (!answer.ok) throw new Error(`nobody could sign in: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .find((one) => one.startsWith('desk='))!
    .split(';')[0]!
}

interface Answer extends Asked {
  readonly status: number
  readonly id?: string
  readonly nonce?: string
}

/** Null where no answer came. */
async function timed(
  base: string,
  path: string,
  headers: Record<string, string>,
  payload?: object,
): Promise<Answer | null> {
  const sent = Date.now()
  try {
    const answer = await fetch(base + path, {
      method: 'POST',
      headers: payload ? { ...headers, 'content-type': 'application/json' } : headers,
      ...(payload ? { body: JSON.stringify(payload) } : {}),
      signal: AbortSignal.timeout(10_000),
    })
    const { id, nonce } = (await answer.json()) as { id?: string; nonce?: string }
    return { status: answer.status, sent, acked: Date.now(), ...(id ? { id } : {}), ...(nonce ? { nonce } : {}) }
  } catch {
    return null
  }
}
