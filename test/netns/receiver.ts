import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'

/** Whoever is called inside the namespace, on whatever address: every connection ends here and is written down. */

export interface Connection {
  /** As the caller dialled it. */
  readonly to: string
  /** Bytes that came from the caller. */
  bytes: number
}

interface Certificate {
  readonly key: string
  readonly cert: string
}

/** What stands behind an address on port 443. Any other address is only recorded, and hung up on. */
export type Manner = 'good' | 'untrusted' | 'plain' | 'silent' | 'reset'

export interface Receiver {
  takeConnections(): Connection[]
  open(): Promise<number>
  close(): void
}

/** 443 and 80, a proxy's, and the services a port scan would look for. */
const ports = [22, 80, 443, 3128, 5432, 6379, 8080]

export async function receive(
  manners: Readonly<Record<string, Manner>>,
  certificates: { readonly trusted: Certificate; readonly untrusted: Certificate },
  listener: RequestListener,
): Promise<Receiver> {
  const good = createHttps(certificates.trusted, listener)
  const untrusted = createHttps(certificates.untrusted, listener)
  const plain = createHttp(listener)
  for (const server of [good, untrusted, plain]) server.on('clientError', (_error, socket) => socket.destroy())
  good.on('tlsClientError', () => {})
  let connections: Connection[] = []

  const welcome = (socket: Socket) => {
    const address = socket.localAddress?.replace(/^::ffff:(?=\d+\.)/, '') ?? 'gone'
    const connection = { to: `${address} ${socket.localPort}`, bytes: 0 }
    connections.push(connection)
    socket.on('error', () => {})
    socket.once('close', () => {
      connection.bytes = socket.bytesRead
    })
    const manner = socket.localPort === 443 ? manners[address] : undefined
    if (manner === 'good') good.emit('connection', socket)
    else if (manner === 'untrusted') untrusted.emit('connection', socket)
    else if (manner === 'plain' || socket.localPort === 8080) plain.emit('connection', socket)
    else if (manner === 'reset') socket.resetAndDestroy()
    else if (manner === 'silent') socket.resume()
    else socket.once('data', () => socket.destroy())
  }
  const surfaces: Server[] = []
  for (const port of ports) {
    const door = createServer(welcome).listen(port, '::')
    await once(door, 'listening')
    surfaces.push(door)
  }
  return {
    takeConnections: () => {
      const taken = connections
      connections = []
      return taken
    },
    open: async () => {
      const counts = surfaces.map(
        (door) => new Promise<number>((resolve) => door.getConnections((_error, count) => resolve(count))),
      )
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    },
    close: () => {
      for (const server of [...surfaces, good, untrusted, plain]) server.close()
    },
  }
}
