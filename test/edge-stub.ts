import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach } from 'node:test'
import { startVarnish, type Varnish } from '../scale/engines/varnish.ts'

/** A server that answers as a test likes, and one that asks as it is told, header by header: `fetch` adds its own. */

type Answering = (request: IncomingMessage, response: ServerResponse) => void

export interface Origin {
  readonly port: number
  /** Everything but probes, as it came. */
  readonly asked: IncomingMessage[]
  answer(by: Answering): void
  /** No longer there, for whoever connects. */
  leave(): Promise<void>
  comeBack(): Promise<void>
}

export async function startOrigin(): Promise<Origin> {
  const asked: IncomingMessage[] = []
  let answering: Answering = (_request, response) => void response.end()
  const server = createServer((request, response) => {
    if (request.url === '/readyz') return void response.end()
    asked.push(request)
    answering(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    asked,
    answer: (by) => {
      answering = by
    },
    leave: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    comeBack: async () => {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
  }
}

export interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

export function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          body: Buffer.concat(parts).toString('utf8'),
        }),
      )
    })
    asking.on('error', reject)
    asking.end()
  })
}

export const kept = 'public, max-age=0, s-maxage=30, must-revalidate'

/** A piece as the house answers with one. */
export const piece = (response: ServerResponse, tags = 'piece-1 byline-ada', body = 'A piece.') =>
  void response
    .writeHead(200, { 'content-type': 'text/html', 'cache-control': kept, 'surrogate-key': tags, 'cache-tag': tags })
    .end(body)

let last = 0

/** An address that no other test asks for. */
export function fresh(prefix = '/author/ada'): string {
  last += 1
  return `${prefix}/piece-${last}`
}

/** For the tests of a suite: the edge as it is deployed, before one origin, which answers with a piece. */
export function edgeOfSuite() {
  let edge: Varnish
  let origin: Origin
  before(async () => {
    origin = await startOrigin()
    edge = await startVarnish({ backends: [origin.port, origin.port] })
  })
  after(async () => {
    await edge.stop()
    await origin.leave().catch(() => {})
  })
  beforeEach(() => origin.answer((_request, response) => piece(response)))
  return {
    get edge() {
      return edge
    },
    get origin() {
      return origin
    },
    get: (path: string, headers: Record<string, string> = {}, method = 'GET') => ask(edge.base + path, headers, method),
    purge: (xkey: string) => ask(edge.purgeUrl, { xkey }, 'PURGE'),
    /** How often the origin was asked while this went on. */
    async asked(work: () => Promise<unknown>): Promise<number> {
      const before = origin.asked.length
      await work()
      return origin.asked.length - before
    },
  }
}
