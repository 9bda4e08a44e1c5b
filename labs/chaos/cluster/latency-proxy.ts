import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP line to a port of this machine on which everything takes its time, both ways. */

export interface SlowLine {
  readonly port: number
  /** Where it calls from. */
  readonly source: string
  close(): void
}

export async function startSlowLine(target: number, delay: number): Promise<SlowLine> {
  const source = '127.0.0.7'
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host: '127.0.0.1', localAddress: source, noDelay: true })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('data', (bytes: Buffer) => setTimeout(() => to.write(bytes), delay))
      from.on('close', () => {
        sockets.delete(from)
        setTimeout(() => to.destroy(), delay)
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    source,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
