import { type IncomingMessage, request as send } from 'node:http'
import type { Socket } from 'node:net'
import { codeOf, OutboundError, type OutboundFailure } from './outbound-error.ts'

export interface OutboundRequest {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Bytes of the answer to hand back: 1 KiB unless told, never more than are read. */
  readonly keep?: number
}

/** Text of strangers: escape it wherever it is shown. */
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<(typeof keptHeaders)[number], string | undefined>>
  /** The beginning of the body, as it came: never decompressed. */
  readonly head: Buffer
  /** There was more than we read. */
  readonly truncated: boolean
}

const keptHeaders = ['content-type', 'location', 'retry-after'] as const

export interface ExchangeLimits {
  readonly ms: number
  /** Bytes read of an answer, whatever they are: early hints, headers, framing or body. */
  readonly answer: number
  readonly keep: number
}

const longestHeaders = 16_384

/** One request, one answer, and the connection is gone. A redirect is an answer like any other. */
export function exchange(
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

    // With a connection of its own it has no agent: no pool of sockets, and no proxy from the environment.
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
      fail(
        new OutboundError('timeout', 'The server did not finish its answer in time. Answer first, then do the work.'),
      )
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
      response.on('error', (error) => fail(brokenOff(error)))
    })
    sent.once('upgrade', () => fail(notHttp()))
    sent.on('error', (error) => fail(brokenOff(error)))
    sent.end(body)
  })
}

const tooManyHeaders = (cause?: unknown) =>
  new OutboundError('too_many_headers', 'The server sent too many headers. Send fewer.', cause)

const notHttp = (cause?: unknown) =>
  new OutboundError('protocol', `The server did not answer in HTTP${codeOf(cause)}. Check what listens there.`, cause)

function brokenOff(error: Error): OutboundError {
  const code = codeOf(error)
  if (code.includes('HPE_HEADER_OVERFLOW')) return tooManyHeaders(error)
  if (code.includes('HPE_')) return notHttp(error)
  const kind: OutboundFailure = /EPROTO|ERR_SSL|ERR_TLS/.test(code) ? 'tls' : 'reset'
  return new OutboundError(kind, `The connection broke off before the answer was complete${code}.`, error)
}
