import { createServer, type Server, type Socket } from 'node:net'
import { parentPort } from 'node:worker_threads'

/**
 * Writers' servers, in a thread of their own and by bare sockets: a receiver that is slow itself measures nothing. One port
 * for those that stay well, one for those that can go dead, one for those that can hang.
 */

export type Order = { readonly say: 'sick' } | { readonly say: 'well' } | { readonly say: 'arrivals' }
export interface Ports {
  readonly good: number
  readonly dead: number
  readonly hanging: number
}
/** The message, and when it was here whole: milliseconds since 1970. */
export type Arrivals = readonly (readonly [message: string, at: number])[]

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: '
let arrivals: [string, number][] = []
let hangs = false

function take(socket: Socket, mayHang: boolean): void {
  let text = ''
  socket.setNoDelay(true).setEncoding('latin1')
  socket.on('error', () => {})
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let head = text.indexOf('\r\n\r\n'); head !== -1; head = text.indexOf('\r\n\r\n')) {
      const length = Number(/content-length: *(\d+)/i.exec(text)?.[1] ?? 0)
      if (text.length < head + 4 + length) return
      const message = /webhook-id: *(\S+)/i.exec(text)?.[1] ?? ''
      const keeps = !/connection: *close/i.test(text.slice(0, head))
      text = text.slice(head + 4 + length)
      arrivals.push([message, performance.timeOrigin + performance.now()])
      if (mayHang && hangs) return
      socket.write(`${answer}${keeps ? 'keep-alive' : 'close'}\r\n\r\n`)
      if (!keeps) socket.end()
    }
  })
}

const listen = (mayHang: boolean, port = 0): Promise<[Server, number]> =>
  new Promise((resolve) => {
    const server = createServer((socket) => take(socket, mayHang))
    server.listen(port, '127.0.0.1', 2048, () => resolve([server, (server.address() as { port: number }).port]))
  })

const [, good] = await listen(false)
const [, hanging] = await listen(true)
const [firstServer, dead] = await listen(false)
let deadServer = firstServer

parentPort!.on('message', async ({ say }: Order) => {
  if (say === 'arrivals') {
    parentPort!.postMessage(arrivals)
    arrivals = []
    return
  }
  hangs = say === 'sick'
  if (hangs) deadServer.close()
  else if (!deadServer.listening) [deadServer] = await listen(false, dead)
  parentPort!.postMessage(say)
})
parentPort!.postMessage({ good, dead, hanging } satisfies Ports)
