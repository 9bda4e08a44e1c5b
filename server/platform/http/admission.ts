import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { errorBody, failure } from './errors.ts'
import { type Weight, weightOf, weights } from './priority.ts'
import { requestIdHeader, requestIdOf } from './request-id.ts'
import { isPrivate } from './security.ts'

/**
 * Who is let in when more come than can be answered, decided by how many are being answered right now. A process that
 * answers 1,000 a second and has 80 at once makes the last of them wait for 80 ms; more at once would answer no more of
 * them, only each of them later. Those too many are refused before anything is done for them.
 */

/** As many may be under way, of all kinds together, when another of this kind is let in. */
const most: Readonly<Record<Weight, number>> = { search: 40, tools: 48, list: 56, single: 72, write: 104, desk: 136 }
const least = Math.min(...Object.values(most))
/** And as many beyond that of what gives way to single pieces: it does so nearly always, but not altogether. */
const mostBeyond = 8

/** What is being made ready is counted, not what is on its way: how fast it is read is the reader's affair. */
class CountedResponse extends ServerResponse {
  onHead: (() => void) | undefined

  override writeHead(...given: unknown[]): this {
    this.onHead?.()
    return super.writeHead(...(given as Parameters<ServerResponse['writeHead']>))
  }
}

export interface Admission {
  /** How the server is to make its responses. */
  readonly ServerResponse: typeof ServerResponse
  /** Requests under way. */
  atOnce(): number
  /** Refuses what is too much; all else is for the listener. */
  guard(listener: RequestListener): RequestListener
}

export interface AdmissionSettings {
  /** How many times as many may be under way. */
  readonly times: number
  /** What every answer says, by whether its address is private. */
  readonly headers: Readonly<Record<'open' | 'closed', Readonly<Record<string, string>>>>
  readonly onRefused: (weight: Weight) => void
}

export function createAdmission({ times, headers, onRefused }: AdmissionSettings): Admission {
  const limits = Object.fromEntries(weights.map((weight) => [weight, most[weight] * times])) as Record<Weight, number>
  const lowest = least * times
  const farthest = mostBeyond * times
  const refusals = { open: refusalWith(headers.open), closed: refusalWith(headers.closed) }
  let atOnce = 0
  let beyond = 0

  const count = (request: IncomingMessage, response: CountedResponse, isBeyond: boolean): void => {
    if (isBeyond) beyond += 1
    let isCounted = false
    let isOver = false
    const enter = () => {
      if (isOver) return
      isCounted = true
      atOnce += 1
    }
    const leave = () => {
      if (isBeyond && !isOver) beyond -= 1
      isOver = true
      if (!isCounted) return
      isCounted = false
      atOnce -= 1
    }
    response.onHead = leave
    response.once('close', leave)
    // Until its body is there, a request waits for its sender and not for us.
    if (hasBody(request)) request.once('end', enter)
    else enter()
  }

  return {
    ServerResponse: CountedResponse as unknown as typeof ServerResponse,
    atOnce: () => atOnce,
    guard: (listener) => (request, response) => {
      let isBeyond = false
      if (atOnce >= lowest) {
        const weight = weightOf(request.url ?? '')
        isBeyond = weight !== undefined && atOnce >= limits[weight]
        if (weight && isBeyond && (beyond >= farthest || limits[weight] >= limits.single)) {
          onRefused(weight)
          refusals[isPrivate(request.url ?? '') ? 'closed' : 'open'](request, response)
          return
        }
      }
      count(request, response as CountedResponse, isBeyond)
      listener(request, response)
    },
  }
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Written once, but for the id of the request: what is refused must cost next to nothing. */
function refusalWith(headers: Readonly<Record<string, string>>): RequestListener {
  const refusal = failure(503)
  const place = '\0'
  const [before = '', after = ''] = JSON.stringify(errorBody(refusal, place)).split(JSON.stringify(place).slice(1, -1))
  const lines = Object.entries({
    ...headers,
    ...refusal.headers,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  }).flat()
  return (request, response) => {
    // ASCII, as the words around it are: as many bytes as characters.
    const id = requestIdOf(request)
    const body = `${before}${id}${after}`
    response.writeHead(503, [...lines, requestIdHeader, id, 'content-length', String(body.length)])
    response.end(body)
  }
}
