import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What some put before their servers, with a bug in it. */

export interface Front {
  readonly base: string
  close(): void
}

export interface Bugs {
  /** Sends one POST in three twice, the second time without what would tell that it is the same. */
  readonly doubles: boolean
  /** Answers for ever with what it was answered before. */
  readonly remembers: boolean
}

interface Kept {
  readonly status: number
  readonly type: string
  readonly body: Buffer
}

export async function startFront(target: string, { doubles, remembers }: Bugs): Promise<Front> {
  const kept = new Map<string, Kept>()
  let posts = 0
  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy())
  })
  const pass = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url = '/' } = request
    const isRead = method === 'GET' && request.headers.authorization === undefined
    const known = isRead ? kept.get(url) : undefined
    if (known) {
      response.writeHead(known.status, { 'content-type': known.type }).end(known.body)
      return
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _, connection: __, 'content-length': ___, ...rest } = request.headers
    const headers = rest as Record<string, string>
    const init = { method, redirect: 'manual' as const, ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}) }
    const answer = await fetch(`${target}${url}`, { ...init, headers })
    const body = Buffer.from(await answer.arrayBuffer())
    const type = answer.headers.get('content-type') ?? 'text/plain'
    if (method === 'POST' && headers['idempotency-key']) {
      posts += 1
      const { 'idempotency-key': ____, ...others } = headers
      if (doubles && posts % 3 === 0) await fetch(`${target}${url}`, { ...init, headers: others })
    }
    if (isRead && answer.status === 200 && remembers) kept.set(url, { status: 200, type, body })
    const location = answer.headers.get('location')
    response.writeHead(answer.status, { 'content-type': type, ...(location ? { location } : {}) })
    response.end(answer.status === 204 ? undefined : body)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
