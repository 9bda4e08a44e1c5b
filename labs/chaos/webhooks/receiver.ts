import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { verifyWebhook } from '../../../sdk/source/index.ts'
import type { Arrival, Step } from './evidence.ts'

/** The servers of writers, each at a path of its own, which answer as they are told to: as a rule one in five wrongly. */

export interface Receiver {
  readonly host: string
  readonly arrivals: readonly Arrival[]
  /** The address of one writer's server, which knows this secret from now on. */
  urlOf(writer: string): string
  trust(writer: string, secret: string): void
  isFaulty: boolean
  close(): void
}

export interface Watch {
  /** An attempt has come this far; told is the port it calls from, or who was found there. */
  reached(step: Step, from: number | string): void
  /** Who calls from this port, where what follows the answer matters: afterwards nobody is there any more. */
  senderAt(port: number): string | undefined
  arrived(arrival: Arrival, body: Buffer): void
}

export type Answer = { readonly status: number; readonly after: number } | 'reset'

export async function startReceiver(
  random: () => number,
  watch: Watch,
  faulty: (random: () => number) => Answer = drawn,
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
    const arrival = await judged(request, body, secrets)
    watch.reached('sent', port)
    const answer = receiver.isFaulty && arrival.piece !== null ? faulty(random) : good(random)
    const sender = watch.senderAt(port)
    const status = await answered(response, answer)
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
    trust: (writer, secret) => secrets.set(writer, secret),
    isFaulty: false,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

export const good = (random: () => number): Answer => ({ status: 200, after: random() * 20 })

/** Of a hundred: nine errors of its own, nine resets, three late, of which one later than anybody waits. */
function drawn(random: () => number): Answer {
  const draw = random() * 100
  if (draw < 9) return { status: draw < 6 ? 500 : 503, after: random() * 20 }
  if (draw < 18) return 'reset'
  if (draw < 19) return { status: 200, after: 15_500 + random() * 3000 }
  if (draw < 21) return { status: 200, after: 1500 + random() * 3000 }
  return good(random)
}

/** The status, where it was handed over before the other end was gone. */
async function answered(response: ServerResponse, answer: Answer): Promise<number | null> {
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

type Judged = Omit<Arrival, 'status'>

async function judged(request: IncomingMessage, body: Buffer, secrets: ReadonlyMap<string, string>): Promise<Judged> {
  const writer = (request.url ?? '').slice(1)
  const headers = request.headers as Record<string, string>
  const at = Date.now()
  const doubt = await doubtOf(headers, body, secrets.get(writer))
  const { piece, sequence } = toldIn(body)
  return {
    message: headers['webhook-id'] ?? '',
    piece,
    writer,
    sequence,
    digest: createHash('sha256').update(body).digest('hex'),
    doubt,
    skew: at / 1000 - Number(headers['webhook-timestamp']),
    at,
  }
}

/** By our own verifier and by the library of Standard Webhooks. A ping may come before its secret is known here. */
async function doubtOf(
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

function toldIn(body: Buffer): { readonly piece: string | null; readonly sequence: number } {
  const { id, _service } = JSON.parse(body.toString('utf8'))
  return { piece: _service.event === 'webhook.ping' ? null : id.slice(-uuidLength), sequence: _service.sequence }
}

/** With which the permanent id of a piece ends. */
const uuidLength = 36
