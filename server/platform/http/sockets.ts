import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ServiceError } from '../errors.ts'
import type { Admission } from './admission.ts'
import { errorBody, failure } from './errors.ts'

/** Far more than a load balancer keeps open, and within what a process can hold idle (about 15 kB each). */
const mostConnections = 10_000

/** Time limits for clients. Node's defaults are unlimited: one byte a second would hold a socket forever. */
export const openServer =
  (admission: Admission) =>
  (listener: RequestListener): Server => {
    const server = createServer(
      {
        ServerResponse: admission.ServerResponse,
        maxHeaderSize: 16_384,
        headersTimeout: 8_000,
        requestTimeout: 10_000,
        keepAliveTimeout: 5_000,
        // Frequent, so that few expire at once: a thousand that came together blocked the process for 100 ms.
        connectionsCheckingInterval: 100,
        requireHostHeader: false,
      },
      admission.guard(listener),
    )
    // Silence in both directions.
    server.setTimeout(11_000)
    closeSlowReaders(server)
    server.maxRequestsPerSocket = 1_000
    server.maxConnections = mostConnections
    return server
  }

/** Sends our error body where Node would send its own or none. */
export function handleSocketErrors(app: FastifyInstance): void {
  app.server.maxHeadersCount = 64
  // Node answers an unknown Expect header with a bare 417; we ignore the header instead.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuse(socket as Socket, failure(405)))
  app.addHook('onRequest', (request, _reply, done) => {
    const nameless = request.raw.httpVersion !== '1.0' && request.headers.host === undefined
    done(nameless ? failure(400) : undefined)
  })
}

const closeTimeout = 1_000

const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** For errors before there is a request. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else refuse(socket, failure(statuses[error.code ?? ''] ?? 400))
}

/** Written directly to the socket, since there is no response object. */
function refuse(socket: Socket, refusal: ServiceError): void {
  const id = randomUUID()
  const body = JSON.stringify(errorBody(refusal, id))
  const head = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'Cache-Control: no-store',
    `X-Request-Id: ${id}`,
    'X-Content-Type-Options: nosniff',
    'Connection: close',
  ]
  // Node has removed its listeners by now: without these a reset would end the process, and a silent client would keep
  // the socket. Remaining input is read and dropped, since closing over it would reset the connection before the answer
  // is read.
  socket.on('error', () => {})
  socket.setTimeout(closeTimeout, () => socket.destroy())
  socket.resume()
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/**
 * A client that has read nothing at nine checks in a row is gone, or attacking with slow reads. Checks are counted, not
 * seconds: a process that stalls has not given it nine chances.
 */
export const maxChecks = 9
export const checkEvery = 1_000

interface UnreadState {
  readonly bytes: number
  readonly checks: number
}

/** Closes sockets whose client has stopped reading. Node's timeout restarts once for unsent data. */
export function closeSlowReaders(server: Server): void {
  const unread = new Map<Socket, UnreadState | undefined>()
  server.on('connection', (socket: Socket) => {
    unread.set(socket, undefined)
    socket.once('close', () => unread.delete(socket))
  })
  const check = () => {
    for (const [socket, before] of unread) {
      const bytes = unsent(socket)
      const checks = bytes > 0 && bytes === before?.bytes ? before.checks + 1 : 0
      if (checks >= maxChecks) socket.destroy()
      else if (bytes > 0 || before) unread.set(socket, bytes > 0 ? { bytes, checks } : undefined)
    }
  }
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    timer ??= setInterval(check, checkEvery).unref()
  })
  server.on('close', () => clearInterval(timer))
}

/**
 * The first counts whole writes, even if partly sent; the second, which Node's own timeout uses, counts what is left.
 */
export function unsent(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } }
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}
