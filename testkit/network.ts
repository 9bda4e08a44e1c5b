import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after } from 'node:test'
import type { FastifyInstance } from 'fastify'

/**
 * For a site whose pages name its address, which must be known before it listens. From below the ports that the system
 * hands out by itself: what another test connects from cannot take it in between.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}

/** Makes a site listen on a free port. */
export async function listen(app: FastifyInstance): Promise<{ base: string; port: number }> {
  const base = await app.listen({ host: '127.0.0.1', port: 0 })
  return { base, port: Number(new URL(base).port) }
}

/** A server of the test's own on a free port, closed after the test file. */
export async function serve(answer: RequestListener): Promise<{ base: string; port: number; server: Server }> {
  const server = createHttpServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { base: `http://127.0.0.1:${port}`, port, server }
}

/** The fate of an answer: it arrives, is lost before or after it was sent, or is cut off. */
type Fate = 'arrives' | 'early' | 'late' | 'cut'

/** Of every five answers two are lost, in any order: however few are asked for, some are lost, and never five in a row. */
const losses: readonly (readonly Fate[])[] = [
  ['early', 'late'],
  ['cut', 'late'],
  ['early', 'cut'],
  ['late', 'cut'],
]

export interface LossyProxy {
  readonly port: number
  /** Number of answers by fate. */
  readonly outcomes: Readonly<Record<Fate, number>>
  close(): Promise<void>
}

/**
 * A network that always delivers requests and often loses answers. `early` hangs up on the client while the server is
 * still at work (and, half of the time, on the server too), `late` once the answer is there, `cut` after some bytes of it.
 */
export async function lossyProxy(target: number): Promise<LossyProxy> {
  const outcomes: Record<Fate, number> = { arrives: 0, early: 0, late: 0, cut: 0 }
  const draw = drawFates()
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }

  const server = createServer({ noDelay: true }, (client) => {
    keep(client)
    const upstream = keep(connect({ port: target, host: '127.0.0.1', noDelay: true }))
    let fate: Fate | undefined

    const hangUp = () => {
      client.resetAndDestroy()
      upstream.destroy()
    }
    client.on('data', (bytes: Buffer) => {
      upstream.write(bytes)
      if (fate !== undefined) return
      fate = draw()
      outcomes[fate] += 1
      if (fate !== 'early') return
      setTimeout(() => {
        client.resetAndDestroy()
        if (Math.random() < 0.5) upstream.destroy()
      }, Math.random() * 4)
    })
    upstream.on('data', (bytes: Buffer) => {
      if (fate === 'arrives') {
        client.write(bytes)
        fate = undefined
      } else if (fate === 'cut') {
        // Some bytes, never all of them; the client sees the end only after they were sent.
        client.end(bytes.subarray(0, 1 + Math.floor(Math.random() * (bytes.length - 1))))
        upstream.destroy()
      } else hangUp()
    })
    client.on('close', () => {
      if (fate !== 'early') upstream.destroy()
    })
    upstream.on('close', () => client.destroySoon())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    outcomes,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function drawFates(): () => Fate {
  let round = 0
  let next: Fate[] = []
  return () => {
    if (next.length === 0) {
      next = ['arrives', 'arrives', 'arrives', ...losses[round % losses.length]!]
      round += 1
    }
    return next.splice(Math.floor(Math.random() * next.length), 1)[0]!
  }
}
