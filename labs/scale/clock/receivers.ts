import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The servers of writers and a cache, which note what comes and when. Their clock is right. */

interface Delivered {
  readonly body: string
  readonly at: number
  /** Seconds by which the time of its signature is ahead. */
  readonly ahead: number
}

export interface Receivers {
  readonly host: string
  readonly delivered: readonly Delivered[]
  readonly purged: readonly { readonly tags: string; readonly at: number }[]
}

export async function startReceivers(): Promise<Receivers> {
  const delivered: Delivered[] = []
  const purged: { tags: string; at: number }[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const at = Date.now()
    if (request.method === 'PURGE') purged.push({ tags: String(request.headers['xkey']), at })
    else {
      const signed = Number(request.headers['webhook-timestamp'])
      delivered.push({ body: Buffer.concat(chunks).toString(), at, ahead: signed - at / 1000 })
    }
    response.end('Noted.')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, delivered, purged }
}
