import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'

/** Misbehaviour of a server towards its clients, by request path. */

type Behaviour = (request: IncomingMessage, response: ServerResponse) => void

const tenMebibytes = Buffer.alloc(10 * 1_024 * 1_024, 'a')
const bomb = gzipSync(tenMebibytes)
const heading = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'

/** Writes repeatedly until the other end closes. */
function flood(socket: IncomingMessage['socket'], text: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(text));
  }
  socket.on('drain', more)
  more()
}

function redirect(status: number, location: string): Behaviour {
  return (_request, response) => response.writeHead(status, { location }).end('moved')
}

export const behaviours: Readonly<Record<string, Behaviour>> = {
  '/echo': (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method, headers, rawHeaders, url } = request
      const socket = request.socket as Partial<TLSSocket>
      const tls = { name: socket.servername, isReused: socket.isSessionReused?.() }
      response.setHeader('retry-after', '120')
      response.setHeader('connection', 'keep-alive')
      response.end(
        JSON.stringify({ method, url, headers, count: rawHeaders.length / 2, body: `${Buffer.concat(parts)}`, tls }),
      )
    })
  },
  '/301': redirect(301, 'http://169.254.169.254/latest/meta-data/'),
  '/302': redirect(302, 'http://169.254.169.254/latest/meta-data/'),
  '/303': redirect(303, 'https://10.0.0.1/'),
  '/307': redirect(307, 'https://inside.outside.example/'),
  '/308': redirect(308, 'http://[::1]:8080/'),
  '/refresh': (_request, response) => response.setHeader('refresh', '0;url=http://10.0.0.1/').end(),
  '/alternative': (_request, response) => response.setHeader('alt-svc', 'h2="10.0.0.1:443"; ma=86400').end(),
  '/endless': ({ socket }) => {
    socket.write(`${heading}\r\n`)
    flood(socket, tenMebibytes.subarray(0, 65_536))
  },
  '/endless-chunks': ({ socket }) => {
    socket.write(`${heading}Transfer-Encoding: chunked\r\n\r\n`)
    flood(socket, `1;${'x'.repeat(1_000)}\r\na\r\n`)
  },
  '/endless-trailers': ({ socket }) => {
    socket.write(`${heading}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n`)
    flood(socket, 'x-more: yes\r\n')
  },
  '/endless-headers': ({ socket }) => {
    socket.write(heading)
    flood(socket, 'x-more: yes\r\n')
  },
  '/big-header': ({ socket }) => {
    socket.end(`${heading}X-Big: ${'x'.repeat(20_000)}\r\n\r\nhello`)
  },
  '/endless-hints': ({ socket }) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n'),
  '/thousand-hints': ({ socket }) => {
    socket.end(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000)}${heading}Content-Length: 5\r\n\r\nhello`)
  },
  '/bomb': (_request, response) => response.setHeader('content-encoding', 'gzip').end(bomb),
  '/drip': (_request, response) => {
    const timer = setInterval(() => response.write('a'), 20)
    response.on('close', () => clearInterval(timer))
  },
  '/drip-headers': ({ socket }) => {
    socket.write(heading)
    const timer = setInterval(() => socket.write('a'), 20)
    socket.on('close', () => clearInterval(timer))
  },
  '/never': () => {},
  '/reset': ({ socket }) => {
    // Only the connection below TLS can be reset, and Node has no public name for it.
    const { _parent: below } = socket as unknown as { _parent: Socket }
    socket.write(`${heading}Content-Length: 100\r\n\r\nhalf`, () => below.resetAndDestroy())
  },
  '/short': ({ socket }) => {
    socket.end(`${heading}Content-Length: 100\r\n\r\nhalf`)
  },
  '/hang-up': ({ socket }) => {
    socket.destroy()
  },
  '/garbage': ({ socket }) => {
    socket.end('220 mail.example ESMTP\r\n')
  },
  '/upgrade': ({ socket }) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n')
  },
  '/two-lengths': ({ socket }) => {
    socket.end(`${heading}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`)
  },
  '/gone': (_request, response) => response.writeHead(410).end(),
  '/nothing': (_request, response) => response.writeHead(204).end(),
}

export const behave: Behaviour = (request, response) => {
  const behaviour = behaviours[(request.url ?? '').split('?', 1)[0]!]
  if (behaviour) behaviour(request, response)
  else response.end('hello')
}
