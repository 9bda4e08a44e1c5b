import { type IncomingMessage, request as send } from 'node:http'
import type { Socket } from 'node:net'
import { message } from '#messages/message.ts'
import {
  codeOf,
  dial,
  forbiddenAddress,
  OutboundError,
  type OutboundFailure,
  resolveAllowed,
  resolveName,
  secure,
} from './connect.ts'
import {
  type AllowList,
  addressList,
  type CheckedUrl,
  checkOutboundUrl,
  emptyAllowList,
  ipOf,
  isAllowed,
  isForbiddenAddress,
  portOf,
  type UrlRules,
} from './rules.ts'

/** The only way to call a URL that a user entered (SSRF guard). */
export interface Outbound {
  /** When a user saves it. */
  check(url: string): CheckedUrl
  /**
   * Checks again, resolves, checks every address, connects and sends one request. Throws an OutboundError if there is
   * no response.
   */
  call(url: string, request?: OutboundRequest): Promise<OutboundAnswer>
}

export interface OutboundOptions {
  /** Host names of this service, which it never calls. */
  readonly ownHosts: readonly string[]
  /** Public addresses of this service, likewise. */
  readonly ownAddresses?: readonly string[]
  readonly allow?: AllowList
  /** Instead of the system's: `127.0.0.1:5353`. */
  readonly nameServers?: readonly string[]
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string
  readonly limits?: Partial<OutboundLimits>
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { ownHosts, ownAddresses = [], allow = emptyAllowList, nameServers, ca, limits } = options
  const own = addressList(ownAddresses)
  const guard = {
    ownHosts: new Set(ownHosts.map((host) => new URL(`https://${host}`).hostname)),
    allow,
    isForbidden: (address: string) => isForbiddenAddress(address, own),
    limits: { ...usualLimits, ...limits },
    nameServers,
    ca,
  }
  return {
    check: (url) => checkOutboundUrl(url, guard),
    call: (url, request = {}) => callUrl(url, request, guard),
  }
}

export interface OutboundLimits {
  /** Milliseconds for DNS. */
  readonly dns: number
  /** Milliseconds for connecting, including TLS. */
  readonly connect: number
  /** Milliseconds in total. */
  readonly whole: number
  /** Bytes read of a response. */
  readonly answer: number
  /** Bytes kept of its body. */
  readonly keep: number
}

export const usualLimits: OutboundLimits = { dns: 2_000, connect: 5_000, whole: 15_000, answer: 65_536, keep: 1_024 }

interface Guard extends UrlRules {
  readonly isForbidden: (address: string) => boolean
  readonly limits: OutboundLimits
  readonly nameServers?: readonly string[] | undefined
  readonly ca?: string | undefined
}

export interface OutboundAnswer extends Answer {
  /** The address that answered. */
  readonly address: string
  readonly ms: number
}

/** Resolves, checks, connects, sends: each step only uses what the one before has checked. */
async function callUrl(text: string, request: OutboundRequest, guard: Guard): Promise<OutboundAnswer> {
  const start = performance.now()
  const spent = () => performance.now() - start
  const atMost = (ms: number) => Math.min(ms, guard.limits.whole - spent())
  let address: string | undefined
  let socket: Socket | undefined
  try {
    const url = permitted(text, guard)
    const name = ipOf(url.hostname) ?? url.hostname
    const isAllowlisted = isAllowed(url, guard.allow)
    const isForbidden = isAllowlisted ? () => false : guard.isForbidden

    const addresses = isAllowlisted
      ? await resolveAllowed(name, atMost(guard.limits.dns))
      : await resolveName(name, atMost(guard.limits.dns), guard.nameServers)
    if (addresses.some(isForbidden)) throw forbiddenAddress()

    const connected = spent() + guard.limits.connect
    ;({ address, socket } = await dial(addresses, portOf(url), atMost(guard.limits.connect), isForbidden))
    if (url.protocol === 'https:') socket = await secure(socket, name, atMost(connected - spent()), guard.ca)

    const answer = await exchange(socket, url, request, { ...guard.limits, ms: atMost(guard.limits.whole) })
    return { ...answer, address, ms: Math.round(spent()) }
  } catch (error) {
    if (error instanceof OutboundError) {
      error.address ??= address
      error.ms = Math.round(spent())
    }
    throw error
  } finally {
    socket?.destroy()
  }
}

function permitted(text: string, rules: UrlRules): URL {
  const checked = checkOutboundUrl(text, rules)
  if ('problem' in checked) throw new OutboundError('forbidden_url', checked.problem)
  return checked.url
}

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Bytes of the body to return: 1 KiB by default, never more than are read. */
  readonly keep?: number
}

/** Untrusted text: escape it wherever it is shown. */
interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<(typeof keptHeaders)[number], string | undefined>>
  /** The beginning of the body as received: never decompressed. */
  readonly head: Buffer
  /** There was more than we read. */
  readonly truncated: boolean
}

const keptHeaders = ['content-type', 'location', 'retry-after'] as const

interface ExchangeLimits {
  readonly ms: number
  /** Bytes read in total: early hints, headers, framing and body. */
  readonly answer: number
  readonly keep: number
}

const longestHeaders = 16_384

/** One request, one response, then the connection is closed. Redirects are not followed. */
function exchange(
  socket: Socket,
  url: URL,
  { method = 'GET', headers = {}, body, keep }: OutboundRequest,
  limits: ExchangeLimits,
): Promise<Answer> {
  const most = Math.min(keep ?? limits.keep, limits.answer)
  return new Promise((resolve, reject) => {
    let answer: IncomingMessage | undefined
    let read = 0
    let head = Buffer.alloc(0)

    // With its own connection it has no agent: no socket pool, and no proxy from the environment.
    const sent = send({
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host, 'accept-encoding': 'identity' },
      maxHeaderSize: longestHeaders,
      insecureHTTPParser: false,
    })
    const end = () => {
      clearTimeout(timer)
      sent.destroy()
    }
    const fail = (error: OutboundError) => {
      end()
      reject(error)
    }
    const finish = ({ statusCode, headers: given }: IncomingMessage, truncated: boolean) => {
      end()
      const kept = keptHeaders.map((name) => [name, given[name]])
      resolve({ status: statusCode ?? 0, headers: Object.fromEntries(kept), head, truncated })
    }
    const timer = setTimeout(() => {
      fail(new OutboundError('timeout', message('error.outbound.response_late')))
    }, limits.ms)

    sent.once('socket', () => {
      socket.on('data', (bytes) => {
        read += bytes.length
        if (read <= limits.answer) return
        if (answer) finish(answer, true)
        else fail(tooManyHeaders())
      })
    })
    sent.once('response', (response) => {
      answer = response
      response.on('data', (bytes: Buffer) => {
        if (head.length < most) head = Buffer.concat([head, bytes.subarray(0, most - head.length)])
      })
      response.once('end', () => finish(response, false))
      response.on('error', (error) => fail(connectionError(error)))
    })
    sent.once('upgrade', () => fail(notHttp()))
    sent.on('error', (error) => fail(connectionError(error)))
    sent.end(body)
  })
}

const tooManyHeaders = (cause?: unknown) =>
  new OutboundError('too_many_headers', message('error.outbound.too_many_headers'), cause)

const notHttp = (cause?: unknown) =>
  new OutboundError('protocol', message('error.outbound.not_http', { code: codeOf(cause) }), cause)

function connectionError(error: Error): OutboundError {
  const code = codeOf(error)
  if (code.includes('HPE_HEADER_OVERFLOW')) return tooManyHeaders(error)
  if (code.includes('HPE_')) return notHttp(error)
  const kind: OutboundFailure = /EPROTO|ERR_SSL|ERR_TLS/.test(code) ? 'tls' : 'reset'
  return new OutboundError(kind, message('error.outbound.closed_early', { code }), error)
}
