import { type IncomingMessage, type RequestListener, ServerResponse } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { onRequestHookHandler } from 'fastify'
import { message } from '#messages/message.ts'
import { overloaded } from '../errors.ts'
import { requestIdHeader, requestIdOf } from '../observability/requests.ts'
import { errorBody, failure } from './errors.ts'
import { isPrivate } from './security.ts'

/**
 * Admission control: limits the number of requests in progress. A process that answers 1,000 a second with 80 in
 * progress makes the last one wait 80 ms; more would only make each one slower. Requests over the limit are refused
 * before any work is done.
 */

/** A request of this kind is admitted while fewer than this many, of all kinds, are in progress. */
const most: Readonly<Record<Priority, number>> = { search: 40, tools: 48, list: 56, single: 72, write: 104, desk: 136 }
const least = Math.min(...Object.values(most))
/** Extra slots for kinds that yield to single pages, so that they are not starved completely. */
const mostBeyond = 8

/** Counts responses being prepared, not sent: how fast a client reads does not matter here. */
class CountedResponse extends ServerResponse {
  onHead: (() => void) | undefined

  override writeHead(...given: unknown[]): this {
    this.onHead?.()
    return super.writeHead(...(given as Parameters<ServerResponse['writeHead']>))
  }
}

export interface Admission {
  /** The response class the server must use. */
  readonly ServerResponse: typeof ServerResponse
  /** Requests in progress. */
  atOnce(): number
  /** Refuses excess requests and passes the others to the listener. */
  guard(listener: RequestListener): RequestListener
}

export interface AdmissionSettings {
  /** Multiplies the limits. */
  readonly times: number
  /** Headers of every response, for public and for private addresses. */
  readonly headers: Readonly<Record<'open' | 'closed', Readonly<Record<string, string>>>>
  readonly onRefused: (priority: Priority) => void
}

export function createAdmission({ times, headers, onRefused }: AdmissionSettings): Admission {
  const limits = Object.fromEntries(priorities.map((priority) => [priority, most[priority] * times])) as Record<
    Priority,
    number
  >
  const lowest = least * times
  const maxBeyond = mostBeyond * times
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
    // Until its body has arrived, a request waits for the client and not for us.
    if (hasBody(request)) request.once('end', enter)
    else enter()
  }

  return {
    ServerResponse: CountedResponse as unknown as typeof ServerResponse,
    atOnce: () => atOnce,
    guard: (listener) => (request, response) => {
      let isBeyond = false
      if (atOnce >= lowest) {
        const priority = priorityOf(request.url ?? '')
        isBeyond = priority !== undefined && atOnce >= limits[priority]
        if (priority && isBeyond && (beyond >= maxBeyond || limits[priority] >= limits.single)) {
          onRefused(priority)
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

/** Serialized once, except for the request id: a refusal must cost almost nothing. */
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
    // ASCII like the rest, so characters equal bytes.
    const id = requestIdOf(request)
    const body = `${before}${id}${after}`
    response.writeHead(503, [...lines, requestIdHeader, id, 'content-length', String(body.length)])
    response.end(body)
  }
}

/**
 * Priority classes, from the first to be refused to the last: expensive requests before cheap ones, readers before
 * those who write, and the desk last.
 */
const priorities = ['search', 'tools', 'list', 'single', 'write', 'desk'] as const
export type Priority = (typeof priorities)[number]

/**
 * By the path alone, for use before routing. deploy/haproxy/weights.map has the same table for the load balancer. Of
 * other paths, one that has a % could be anything, and gets the lowest priority.
 */
const patterns: readonly (readonly [RegExp, Priority | undefined])[] = [
  // Fonts, styles, scripts and the icon: cheap, and a page is useless without them.
  [/^\/(?:fonts|embed|desk\/assets|developers)\/[\w.-]+\.(?:css|js|svg|woff2)$/, undefined],
  [/^\/(?:style\.[\w-]+\.css|embed\.js|favicon\.(?:svg|ico))$/, undefined],
  [/^\/cover\/[^/%]+\/[^/%]+\/[^/%]+\/[^/]+\.svg$/, 'single'],
  [/^\/(?:topics|topic\/[^/]+|writers|trending|archive(?:\/\d+\/\d+)?|author\/[^/]+\/series\/[^/]+)$/, 'list'],
  [/%/, 'search'],
  // What servers of the fediverse send, which come back.
  [/^\/desk\/fediverse\//, 'tools'],
  [/^\/desk(?:\/|$)/, 'desk'],
  [/^\/api\/v1\//, 'write'],
  [/^\/api\/mcp$/, 'tools'],
  [/^\/(?:search|shop|api\/public\/[a-z]+\/search)$|^\/image\//, 'search'],
  [/^\/(?:category\/[^/]+|author\/[^/]+|api\/public\/pieces\/(?:recent|trending)|[^/]+\.txt)?$/, 'list'],
  [/\/(?:feed\.(?:json|xml)|sitemap[^/]*\.xml)$/, 'list'],
]

/** Undefined for what is never refused. */
export function priorityOf(url: string): Priority | undefined {
  const end = url.indexOf('?')
  const path = end < 0 ? url : url.slice(0, end)
  for (const [pattern, priority] of patterns) if (pattern.test(path)) return priority
  return 'single'
}

/**
 * A second barrier behind admission control, for load that the number of requests does not show: a busy CPU, or a
 * machine that stalls. Milliseconds the event loop may lag before a request of this kind is refused. A process that is
 * merely full lags by about 100 ms, and must stay below, since this barrier oscillates.
 */
const maxLag: Readonly<Record<Priority, number>> = {
  search: 300,
  tools: 350,
  list: 400,
  single: 500,
  write: 750,
  desk: 1000,
}

/** Above this share of the heap limit the process would soon do nothing but collect garbage. */
const fullHeap = 0.8
const sampleEvery = 250

export interface Pressure {
  /** The worst event loop lag in the last quarter of a second. */
  delay(): number
  close(): void
}

export function measurePressure(): Pressure {
  const resolution = 20
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  const heapLimit = getHeapStatistics().heap_size_limit
  let delay = 0
  const timer = setInterval(() => {
    const heapIsFull = getHeapStatistics().used_heap_size > fullHeap * heapLimit
    delay = heapIsFull ? Number.POSITIVE_INFINITY : Math.max(histogram.max / 1e6 - resolution, 0)
    histogram.reset()
  }, sampleEvery)
  timer.unref()
  return {
    delay: () => delay,
    close: () => {
      clearInterval(timer)
      histogram.disable()
    },
  }
}

/**
 * `times` raises the limits, for a machine that stalls by itself. A request that is alone is admitted whatever the lag:
 * its cause is over, and refusing would help nobody. Assets of pages are never refused.
 */
export function shed(priority: Priority, pressure: Pressure, inFlight: () => number, times = 1): onRequestHookHandler {
  const latest = maxLag[priority] * times
  return (request, _reply, done) => {
    const isRefused = pressure.delay() > latest && inFlight() > 1 && priorityOf(request.url) !== undefined
    done(isRefused ? overloaded(message('error.busy')) : undefined)
  }
}
