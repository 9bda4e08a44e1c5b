import { setTimeout as pause } from 'node:timers/promises'
import { Stopped } from './problem.ts'

/** The house as a key sees it: over HTTP, patient with a busy server and a bad network. */

export interface Answer {
  readonly status: number
  readonly etag: string | null
  readonly isReplay: boolean
  readonly body: Readonly<Record<string, unknown>>
}

interface Asked {
  readonly json?: object
  readonly ifMatch?: string
  readonly idempotencyKey?: string
}

export interface House {
  readonly base: string
  ask(method: 'GET' | 'POST' | 'PATCH', path: string, asked?: Asked): Promise<Answer>
}

/** Told before each wait, in seconds. */
export type OnWait = (seconds: number, why: string) => void

const timeout = 30_000
/** Two windows of the house's limit a minute. Whoever is told to wait longer has used up a day. */
const longestWait = 120
/** Seconds between tries where nobody says how long. */
const patience = [1, 2, 4, 8, 15]
/** Of one request, where the house says how long to wait and then says it again. */
const mostTries = 20

export function openHouse(address: string | undefined, key: string | undefined, onWait: OnWait): House {
  const base = baseOf(address)
  if (key === undefined || key === '') {
    throw new Stopped(
      'There is no key. Mint one at the desk, under Presence, and set STANDFIRST_KEY or give --key-file.',
    )
  }
  if (!/^[\x21-\x7e]{1,512}$/.test(key)) {
    throw new Stopped('This is no key: one is pk_live_ and 64 hexadecimal digits, on one line.')
  }
  return {
    base,
    async ask(method, path, asked = {}) {
      for (let tries = 0; ; tries += 1) {
        const heard = await send(base, key, method, path, asked)
        if (!('again' in heard)) return heard
        const seconds = heard.after ?? patience[tries]
        if (seconds === undefined || tries === mostTries)
          throw new Stopped(`${heard.again} Run this again later: it goes on where it stopped.`)
        if (seconds > longestWait) throw new Stopped(`${heard.again} Run this again ${inTime(seconds)}.`)
        onWait(seconds, heard.again)
        await pause(seconds * 1000)
      }
    },
  }
}

function baseOf(address: string | undefined): string {
  const url = URL.parse(address ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new Stopped('Set STANDFIRST_URL to the address of the house, such as https://standfirst.example.')
  }
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Whether a key would cross a network that anyone on the way can read. */
export const isOpenNetwork = (base: string): boolean => {
  const { protocol, hostname } = new URL(base)
  return protocol === 'http:' && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

interface Again {
  /** Why, as a sentence. */
  readonly again: string
  /** Seconds, where the house says so. */
  readonly after?: number
}

async function send(base: string, key: string, method: string, path: string, asked: Asked): Promise<Answer | Again> {
  let response: Response
  let text: string
  try {
    response = await fetch(base + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeout),
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': 'standfirst-writer/1',
        ...(asked.json ? { 'content-type': 'application/json' } : {}),
        ...(asked.ifMatch === undefined ? {} : { 'if-match': asked.ifMatch }),
        ...(asked.idempotencyKey === undefined ? {} : { 'idempotency-key': asked.idempotencyKey }),
      },
      ...(asked.json ? { body: JSON.stringify(asked.json) } : {}),
    })
    text = await response.text()
  } catch (error) {
    return { again: `${base} does not answer (${reasonOf(error)}).` }
  }
  return judged(base, response, bodyOf(text))
}

/** A connection that fails hides why in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause, name, message } = error as Error & { cause?: { code?: string; message?: string } }
  return cause?.code ?? cause?.message ?? (name === 'TimeoutError' ? 'no answer in 30 s' : message)
}

function judged(base: string, { status, headers }: Response, body: Answer['body']): Answer | Again {
  const detail = typeof body['detail'] === 'string' ? body['detail'] : `It answered ${status}.`
  const after = secondsOf(headers.get('retry-after'))
  if (status === 429 || status >= 500 || status === 408 || body['reason'] === 'idempotency_conflict') {
    return { again: detail, ...(after === undefined ? {} : { after }) }
  }
  if (status === 401 || status === 403) throw new Stopped(`${base} does not take this key. ${detail}`)
  if (status >= 300 && status < 400) {
    throw new Stopped(`${base} leads on to ${headers.get('location')}. Set STANDFIRST_URL to where the house is.`)
  }
  if (typeof body['ok'] !== 'boolean') throw new Stopped(`What answers at ${base} is not a house (${status}).`)
  return { status, etag: headers.get('etag'), isReplay: headers.get('idempotent-replayed') === 'true', body }
}

function bodyOf(text: string): Answer['body'] {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** As seconds or as a date. A second more, since the house counts in whole ones. */
function secondsOf(header: string | null): number | undefined {
  if (header === null) return undefined
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined
}

const inTime = (seconds: number): string => {
  const at = new Date(Date.now() + seconds * 1000)
  const day = at.toDateString() === new Date().toDateString() ? '' : ' tomorrow'
  return `after ${at.toTimeString().slice(0, 5)}${day}: it goes on where it stopped`
}
