import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { serve } from './network.ts'
import { until } from './waiting.ts'

/** A request that a webhook receiver got. */
export interface Delivered {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly at: number
}

/** A status, or whatever else a server may do with a request that has arrived whole. */
export type Behaviour = number | ((request: IncomingMessage, response: ServerResponse, body: Buffer) => void)

export interface Receiver {
  readonly url: string
  /** For OUTBOUND_ALLOW. */
  readonly host: string
  readonly delivered: Delivered[]
  /** Sets its behaviour from now on, for all paths or one; 200 by default. */
  behave(behaviour: Behaviour, path?: string): void
  /** The first that arrives, or has arrived, with this in it. */
  expect(isIt: (delivered: Delivered) => boolean): Promise<Delivered>
}

/** A webhook receiver that can fail in every way a server can. */
export async function startReceiver(): Promise<Receiver> {
  const delivered: Delivered[] = []
  const behaviours = new Map<string, Behaviour>()
  const { port } = await serve(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    delivered.push({ path: request.url ?? '', headers: request.headers, body, at: performance.now() })
    const behaviour = behaviours.get(request.url ?? '') ?? behaviours.get('') ?? 200
    if (typeof behaviour === 'number') response.writeHead(behaviour, { 'content-type': 'text/plain' }).end('Noted.')
    else behaviour(request, response, body)
  })
  const host = `127.0.0.1:${port}`
  return {
    url: `http://${host}/hook`,
    host,
    delivered,
    behave: (behaviour, path = '') => void behaviours.set(path, behaviour),
    expect: (isIt) => until(() => delivered.find(isIt), `a delivery as described: ${isIt}`),
  }
}

interface PurgeRequest {
  readonly method: string
  readonly authorization: string | undefined
  readonly tags: readonly string[]
  readonly at: number
}

export interface PurgeReceiver {
  readonly url: string
  readonly received: readonly PurgeRequest[]
  /** The status it answers from now on; 200 by default. */
  answer(status: number): void
}

/** Replaces an edge cache and records the purges it gets. */
export async function startPurgeReceiver(): Promise<PurgeReceiver> {
  const received: PurgeRequest[] = []
  let status = 200
  const { base } = await serve((request, response) => {
    const { method = '', headers } = request
    const { authorization, xkey } = headers
    received.push({ method, authorization, tags: String(xkey ?? '').split(' '), at: Date.now() })
    response.writeHead(status).end()
  })
  return {
    url: `${base}/`,
    received,
    answer: (given) => {
      status = given
    },
  }
}
