import type { Calls } from '../types.generated.ts'
import { moved, notFound, refusal, StandfirstError, unreachable, unreadable } from './error.ts'

export type Call = keyof Calls

export interface Request<Name extends Call> extends CallOptions {
  /** Replaces the parameter in the path. */
  readonly at?: string
  readonly query?: Calls[Name]['query']
  readonly body?: Calls[Name]['body']
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiResponse<Body> {
  readonly body: Body
  readonly etag: string | null
  /** Whether the site returned a stored response to an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean
}

/** Sends one call and retries it where that is safe, at most `retries` times. */
export async function sendRequest<Name extends Call>(
  site: Site,
  call: Name,
  request: Request<Name> = {},
): Promise<ApiResponse<Calls[Name]['answer']>> {
  const [method = '', path = ''] = call.split(' ')
  const address = site.base + fillPath(path, request.at) + queryOf(request.query)
  const { body, signal = null } = request
  // Created here because it rejects invalid header values: from `fetch` below, every failure counts as a network error.
  const headers = new Headers({ accept: 'application/json', ...request.headers })
  const isPrivate = path.startsWith('/api/v1/')
  if (isPrivate && site.key !== undefined) headers.set('authorization', `Bearer ${site.key}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  // Drafts never follow a redirect to another host; a redirect would also turn a POST into a GET.
  const alone = isPrivate ? { redirect: 'manual' as const } : {}
  const init = { method, headers, signal, ...alone, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }

  const isRepeatable = method === 'GET' || headers.has('idempotency-key')
  for (let retry = 1; ; retry += 1) {
    const outcome = await attempt<Calls[Name]['answer']>(site, address, init)
    if (!(outcome instanceof StandfirstError)) return outcome
    const wait = retry > site.retries ? undefined : waitBefore(retry, outcome, isRepeatable)
    if (wait === undefined) throw outcome
    site.onWait(wait / 1000, outcome)
    await pause(wait, signal)
  }
}

async function attempt<Body>(
  { fetch, base }: Site,
  address: string,
  init: RequestInit,
): Promise<ApiResponse<Body> | StandfirstError> {
  let answer: Response
  let text: string
  try {
    answer = await fetch(address, init)
    text = await answer.text()
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    return unreachable(base, cause)
  }
  const body = parsed(text)
  if (answer.type === 'opaqueredirect' || (answer.status >= 300 && answer.status < 400)) return moved(base, answer)
  if (!answer.ok) return refusal(answer, body)
  if (answer.status !== 204 && Object(body).ok !== true) return unreadable(answer.status)
  const { headers } = answer
  // A compressing proxy makes ETags weak; the revision is the same.
  const etag = headers.get('etag')?.replace(/^W\//, '') ?? null
  return { body: body as Body, etag, replayed: headers.get('idempotent-replayed') === 'true' }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function fillPath(path: string, at: string | undefined): string {
  if (at === undefined) return path
  // These would address a parent path, however they are encoded.
  if (/^\.{0,2}$/.test(at)) throw notFound(`There is nothing called "${at}".`)
  return path.replace(/\{\w+\}/, () => encodeURIComponent(at))
}

function queryOf(query: object = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) given.set(name, value)
  return `${given}` && `?${given}`
}

/** The runtime's own `fetch` and `AbortSignal` types, from whichever type library is present. */
type Fetch = typeof globalThis extends { fetch: infer Given } ? Given : (address: string, init: object) => unknown
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Given } } ? Given : object

export interface SiteOptions {
  /** The base URL of the site: `https://standfirst.example`. */
  readonly base: string
  /** A writer's key, `pk_live_…`, for drafts. Secret: for servers, never in a web page. */
  readonly key?: string | undefined
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined
  /** How often a call is retried when the site is busy or its response is lost. Default 3; 0 for never. */
  readonly retries?: number | undefined
  /** Called before each wait with its length in seconds and the reason. */
  readonly onWait?: OnWait | undefined
}

export type OnWait = (seconds: number, error: StandfirstError) => void

export interface CallOptions {
  /** Aborts the call and its waiting, as with `fetch`. */
  readonly signal?: Signal | undefined
}

/** Validated options. */
export interface Site {
  readonly base: string
  readonly key: string | undefined
  readonly fetch: Fetch
  readonly retries: number
  readonly onWait: OnWait
}

const siteOptionNames = ['base', 'key', 'fetch', 'retries', 'onWait'] as const satisfies (keyof SiteOptions)[]

/** Invalid options throw a `TypeError`: the mistake is in the caller's code, not in the site. */
export function siteOf(options: SiteOptions): Site {
  const { base, key, fetch = globalThis.fetch, retries = 3, onWait = () => {} } = checkOptions(options, siteOptionNames)
  const { protocol, origin, pathname, username, password } = addressOf(base)
  if (!/^https?:$/.test(protocol)) throw new TypeError('base is an address with http or https.')
  if (username || password) throw new TypeError('base is an address without a name and password before its host.')
  // The message never shows the key, since messages are logged.
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new TypeError('key is pk_live_ and 64 digits, as the desk shows it: no quotes, spaces or line ends.')
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries is a whole number, 0 or more.')
  return { base: origin + pathname.replace(/\/+$/, ''), key, fetch, retries, onWait }
}

function addressOf(base: string): URL {
  try {
    return new URL(base)
  } catch {
    throw new TypeError('base is the address of a site, such as https://standfirst.example.')
  }
}

/**
 * Returns the options if all are known. A misspelled one would be ignored silently, and a list would return everything
 * instead of the selection.
 */
export function checkOptions<Options extends object>(options: Options, names: readonly string[]): Options {
  if (typeof options !== 'object') throw new TypeError(`Options are an object; there are ${names.join(', ')}.`)
  const others = Object.keys(options).filter((name) => !names.includes(name))
  if (others.length === 0) return options
  throw new TypeError(`There is no option ${others.join(', ')}; there are ${names.join(', ')}.`)
}

/** Options of every call. */
export const callOptionNames = ['signal'] as const

/** In seconds. Limits are per minute; a client that has used up its daily quota fails at once. */
const maxWait = 60
const maxBackoff = 8

/**
 * Milliseconds to wait before retrying; undefined if the call must not be retried. A request the site declined was not
 * executed, so it may be retried. If the response was lost it may have been executed: then only repeatable requests are
 * retried.
 */
function waitBefore(retry: number, error: StandfirstError, isRepeatable: boolean): number | undefined {
  const { status, reason, retryAfter } = error
  const isDeclined = status === 408 || status === 429 || status === 503 || reason === 'idempotency_conflict'
  const isLost = status === 0 || status === 502 || status === 504
  if (!isDeclined && !(isLost && isRepeatable)) return undefined
  const seconds = retryAfter ?? Math.min(2 ** retry / 8, maxBackoff)
  // Jitter, so that clients refused together do not return together.
  return seconds > maxWait ? undefined : 1000 * seconds * (1 + Math.random() / 4)
}

function pause(milliseconds: number, signal: Signal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })
}

const uuidAtEnd = /(?:^|[/:])([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i

/** Returns a UUID, or the one at the end of a piece's permanent `id`. */
export function uuidIn(id: string): string {
  const uuid = uuidAtEnd.exec(id)?.[1]
  if (uuid === undefined) throw notFound(`There is nothing with the id "${id}": an id is a UUID, or ends in one.`)
  return uuid
}
