import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { ServiceError } from '../errors.ts'
import type { Admission } from './admission.ts'
import { errorBody, failure } from './errors.ts'
import { closeSlowReaders } from './slow-readers.ts'

/** Far more than a balancer keeps open, and what a process can hold of idle ones (some 15 kB each) beside its work. */
const mostConnections = 10_000

/** How long anybody may take. Node's defaults wait for ever: one byte a second would hold a socket for as long as it liked. */
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
        // Often, so that few are told at once: a thousand that came together took the process 100 ms in one go.
        connectionsCheckingInterval: 100,
        requireHostHeader: false,
      },
      admission.guard(listener),
    )
    // Of silence in both directions.
    server.setTimeout(11_000)
    closeSlowReaders(server)
    server.maxRequestsPerSocket = 1_000
    server.maxConnections = mostConnections
    return server
  }

/** What Node would answer by itself, or not at all, answered in our words. */
export function answerSockets(app: FastifyInstance): void {
  app.server.maxHeadersCount = 64
  // Node's own answer to an unknown expectation is a bare 417; we have none, so the request is taken as it is.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.server.on('connect', (_request, socket) => refuse(socket as Socket, failure(405)))
  app.addHook('onRequest', (request, _reply, done) => {
    const nameless = request.raw.httpVersion !== '1.0' && request.headers.host === undefined
    done(nameless ? failure(400) : undefined)
  })
}

const farewell = 1_000

const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }

/** For what fails before there is a request. */
export function clientErrorHandler(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy()
  else refuse(socket, failure(statuses[error.code ?? ''] ?? 400))
}

/** Written to the socket by hand, since there is no reply to send. */
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
  // Node has taken its own listeners off by now: without these a reset would end the process, and silence keep the
  // socket. What is still coming is read and dropped, since closing over it would reset the answer away.
  socket.on('error', () => {})
  socket.setTimeout(farewell, () => socket.destroy())
  socket.resume()
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
