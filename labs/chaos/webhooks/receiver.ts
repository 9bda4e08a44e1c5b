import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../../sdk/source/index.ts'
import type { Arrival, Step } from './evidence.ts'

/** The writers' servers, one path each. By default one answer in five is wrong. */

export interface Receiver {
  readonly host: string
  readonly arrivals: readonly Arrival[]
  /** The address of one writer's server, which knows this secret from now on. */
  urlOf(writer: string): string
  setSecret(writer: string, secret: string): void
  isFaulty: boolean
  close(): void
}

export interface ReceiverEvents {
  /** An attempt has reached this step; `from` is the client port or the worker's name. */
  reached(step: Step, from: number | string): void
  /**
   * The worker behind this port, needed only when the step after the answer is targeted: later the connection is gone.
   */
  senderAt(port: number): string | undefined
  arrived(arrival: Arrival, body: Buffer): void
}

export type Answer = { readonly status: number; readonly after: number } | 'reset'

export async function startReceiver(
  random: () => number,
  watch: ReceiverEvents,
  faulty: (random: () => number) => Answer = drawAnswer,
): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const secrets = new Map<string, string>()

  const server = createServer({ keepAlive: false }, (request, response) => {
    take(request, response).catch(() => response.destroy())
  })
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const port = request.socket.remotePort!
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const arrival = await verifyRequest(request, body, secrets)
    watch.reached('sent', port)
    const answer = receiver.isFaulty && arrival.piece !== null ? faulty(random) : good(random)
    const sender = watch.senderAt(port)
    const status = await sendAnswer(response, answer)
    if (status !== null && sender !== undefined) watch.reached('answered', sender)
    const whole = { ...arrival, status }
    arrivals.push(whole)
    watch.arrived(whole, body)
  }
  server.on('connection', (socket) => {
    socket.on('error', () => {})
    watch.reached('connected', socket.remotePort!)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const receiver: Receiver = {
    host,
    arrivals,
    urlOf: (writer) => `http://${host}/${writer}`,
    setSecret: (writer, secret) => secrets.set(writer, secret),
    isFaulty: false,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

export const good = (random: () => number): Answer => ({ status: 200, after: random() * 20 })

/** Per hundred: nine errors, nine resets, three late answers, one of them after the client's timeout. */
function drawAnswer(random: () => number): Answer {
  const draw = random() * 100
  if (draw < 9) return { status: draw < 6 ? 500 : 503, after: random() * 20 }
  if (draw < 18) return 'reset'
  if (draw < 19) return { status: 200, after: 15_500 + random() * 3000 }
  if (draw < 21) return { status: 200, after: 1500 + random() * 3000 }
  return good(random)
}

/** The status, if it was sent before the client was gone. */
async function sendAnswer(response: ServerResponse, answer: Answer): Promise<number | null> {
  if (answer === 'reset') {
    response.socket?.resetAndDestroy()
    return null
  }
  await pause(answer.after)
  if (response.destroyed || response.socket?.destroyed !== false) return null
  response.writeHead(answer.status, { 'content-type': 'text/plain', connection: 'close' }).end('Noted.')
  await Promise.race([once(response, 'finish'), once(response, 'close')])
  return response.writableFinished ? answer.status : null
}

type VerifiedRequest = Omit<Arrival, 'status'>

async function verifyRequest(
  request: IncomingMessage,
  body: Buffer,
  secrets: ReadonlyMap<string, string>,
): Promise<VerifiedRequest> {
  const writer = (request.url ?? '').slice(1)
  const headers = request.headers as Record<string, string>
  const at = Date.now()
  const verifyError = await verifyErrorOf(headers, body, secrets.get(writer))
  const { piece, sequence } = parsePayload(body)
  return {
    message: headers['webhook-id'] ?? '',
    piece,
    writer,
    sequence,
    digest: createHash('sha256').update(body).digest('hex'),
    verifyError,
    skew: at / 1000 - Number(headers['webhook-timestamp']),
    at,
  }
}

/** By our own verifier and by the library of Standard Webhooks. A ping may come before its secret is known here. */
async function verifyErrorOf(
  headers: Record<string, string>,
  body: Buffer,
  secret: string | undefined,
): Promise<string | null> {
  if (secret === undefined) return headers['x-service-event'] === 'webhook.ping' ? null : 'no secret is known for it'
  try {
    await verifyWebhook({ body, headers, secret })
    new Webhook(secret).verify(body, headers)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

function parsePayload(body: Buffer): { readonly piece: string | null; readonly sequence: number } {
  const { id, _service } = JSON.parse(body.toString('utf8'))
  return { piece: _service.event === 'webhook.ping' ? null : id.slice(-uuidLength), sequence: _service.sequence }
}

/** With which the permanent id of a piece ends. */
const uuidLength = 36
