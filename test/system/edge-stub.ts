import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname } from 'node:path'
import { after, before, beforeEach } from 'node:test'
import { startVarnish, type Varnish } from '../../testkit/engines/edge.ts'

/** A stub origin, and a client that sends exactly the given headers, since `fetch` adds its own. */

type Answering = (request: IncomingMessage, response: ServerResponse) => void

interface Origin {
  readonly port: number
  readonly adminPort: number
  /** As received. */
  readonly asked: IncomingMessage[]
  answer(by: Answering): void
  /** Stops accepting connections. */
  leave(): Promise<void>
  comeBack(): Promise<void>
}

export async function startOrigin(): Promise<Origin> {
  const asked: IncomingMessage[] = []
  let answering: Answering = (_request, response) => void response.end()
  const server = createServer((request, response) => {
    asked.push(request)
    answering(request, response)
  })
  const admin = createServer((request, response) => {
    response.writeHead(request.url?.startsWith('/readyz') ? 200 : 404).end()
  })
  const both = [server, admin]
  const listen = async (ports: readonly number[]) => {
    for (const [at, one] of both.entries()) await once(one.listen(ports[at], '127.0.0.1'), 'listening')
    return both.map((one) => (one.address() as AddressInfo).port)
  }
  const ports = await listen([0, 0])
  const [port, adminPort] = ports as [number, number]
  return {
    port,
    adminPort,
    asked,
    answer: (by) => {
      answering = by
    },
    leave: async () => {
      for (const one of both) {
        const closed = once(one, 'close')
        one.close()
        one.closeAllConnections()
        await closed
      }
    },
    comeBack: async () => void (await listen(ports)),
  }
}

interface Got {
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

/** A piece as the site serves it. */
export const piece = (response: ServerResponse, tags = 'piece-1 byline-ada', body = 'A piece.') =>
  void response
    .writeHead(200, { 'content-type': 'text/html', 'cache-control': kept, 'surrogate-key': tags, 'cache-tag': tags })
    .end(body)

let last = 0

/** An address that no other test uses. */
export function fresh(prefix = '/author/ada'): string {
  last += 1
  return `${prefix}/piece-${last}`
}

/**
 * VCL additions that save waiting: a request with X-Expire ends an object's TTL but not grace and keep; a response with
 * X-Took counts as that many seconds older; responses report how long they are cached.
 */
export const testVcl = `
import purge;
sub vcl_hit {
    if (req.http.x-expire) {
        purge.soft(0s);
        return (synth(299));
    }
}
sub vcl_backend_response {
    if (beresp.http.x-took) {
        set bereq.http.x-began = std.real(bereq.http.x-began, 0.0) - std.real(beresp.http.x-took, 0.0);
        unset beresp.http.x-took;
    }
}
sub vcl_deliver {
    set resp.http.x-ttl = obj.ttl;
}
`

/** For a suite's tests: the edge as deployed, in front of one origin that serves a piece. */
export function edgeOfSuite() {
  let edge: Varnish
  let origin: Origin
  before(async () => {
    origin = await startOrigin()
    edge = await startVarnish({ backends: [origin, origin], vcl: testVcl })
  })
  after(async () => {
    await edge.stop()
    await origin.leave().catch(() => {})
  })
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, ['-n', `${dirname(edge.log)}/work`, ...args], { encoding: 'utf8' })
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
    /** Expires the object, whatever its TTL was. */
    async expire(path: string): Promise<void> {
      const { status } = await ask(edge.base + path, { 'x-expire': '1' })
      if (status !== 299) throw new Error(`${path} was not in the cache: ${status}`)
    },
    /** From now on the origin does not answer; the test answers the requests itself. */
    hold(): ServerResponse[] {
      const held: ServerResponse[] = []
      origin.answer((_request, response) => void held.push(response))
      return held
    },
    /** A counter of varnishstat. */
    figure: (name: string): number => {
      const { counters } = JSON.parse(run('varnishstat', '-j', '-f', name))
      return counters[name].value
    },
    /** The health of each backend by its probes. */
    health: (): string[] =>
      Object.entries(
        JSON.parse(run('varnishadm', 'backend.list', '-j'))[3] as Record<string, { probe_message: unknown[] }>,
      )
        .filter(([name]) => name.endsWith('_admin'))
        .map(([, { probe_message }]) => String(probe_message[2])),
    /** The number of origin requests during `work`. */
    async asked(work: () => Promise<unknown>): Promise<number> {
      const before = origin.asked.length
      await work()
      return origin.asked.length - before
    },
  }
}
