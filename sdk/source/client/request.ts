import type { Calls } from '../types.generated.ts'
import type { CallOptions, Site } from './config.ts'
import { moved, notFound, refusal, StandfirstError, unreachable, unreadable } from './error.ts'
import { pause, waitBefore } from './retry.ts'

export type Call = keyof Calls

export interface Request<Name extends Call> extends CallOptions {
  /** What stands in the braces of the path. */
  readonly at?: string
  readonly query?: Calls[Name]['query']
  readonly body?: Calls[Name]['body']
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answered<Body> {
  readonly body: Body
  readonly etag: string | null
  /** Whether the site gave this answer before, to a request with the same `Idempotency-Key`. */
  readonly replayed: boolean
}

/** One call, repeated where that is safe and the site asks for patience, at most `retries` times. */
export async function ask<Name extends Call>(
  site: Site,
  call: Name,
  request: Request<Name> = {},
): Promise<Answered<Calls[Name]['answer']>> {
  const [method = '', path = ''] = call.split(' ')
  const address = site.base + filled(path, request.at) + queryOf(request.query)
  const { body, signal = null } = request
  // Made here, since it refuses what no header can hold: to `fetch` below every failure is one of the network.
  const headers = new Headers({ accept: 'application/json', ...request.headers })
  const isPrivate = path.startsWith('/api/v1/')
  if (isPrivate && site.key !== undefined) headers.set('authorization', `Bearer ${site.key}`)
  if (body !== undefined) headers.set('content-type', 'application/json')
  // Drafts go to this site alone, wherever it leads on to; and on the way a POST would become a GET.
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
): Promise<Answered<Body> | StandfirstError> {
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
  // A proxy that packs answers makes their tags weak; the revision is the same, packed or not.
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

function filled(path: string, at: string | undefined): string {
  if (at === undefined) return path
  // An address with one of these names what lies above it, whatever is done to spell it otherwise.
  if (/^\.{0,2}$/.test(at)) throw notFound(`There is nothing called "${at}".`)
  return path.replace(/\{\w+\}/, () => encodeURIComponent(at))
}

function queryOf(query: object = {}): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) given.set(name, value)
  return `${given}` && `?${given}`
}
