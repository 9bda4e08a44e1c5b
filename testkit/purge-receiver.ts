import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

interface Purged {
  readonly method: string
  readonly authorization: string | undefined
  readonly tags: readonly string[]
  readonly at: number
}

export interface PurgeReceiver {
  readonly url: string
  readonly received: readonly Purged[]
  /** Answers so from now on; 200 until told otherwise. */
  answer(status: number): void
}

/** Stands where an edge cache would, and notes what it is told to forget. */
export async function startPurgeReceiver(): Promise<PurgeReceiver> {
  const received: Purged[] = []
  let status = 200
  const server = createServer((request, response) => {
    const { method = '', headers } = request
    const { authorization, xkey } = headers
    received.push({ method, authorization, tags: String(xkey ?? '').split(' '), at: Date.now() })
    response.writeHead(status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    received,
    answer: (given) => {
      status = given
    },
  }
}
