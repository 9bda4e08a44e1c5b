import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer as createHttp, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import ipaddr from 'ipaddr.js'
import { type Manner, manners, type NameRecord, type Zone, zone } from './zone.ts'

const execute = promisify(execFile)

/** Forbidden addresses are dialled here on purpose. That must never happen where a packet could leave. */
export function refuseWayOut(): void {
  const networks = Object.keys(networkInterfaces())
  if (networks.some((name) => name !== 'lo')) throw new Error(`There is a way out: ${networks}`)
}

/** TCP connections that the kernel has opened so far, to any address. */
export function begunSoFar(): number {
  const lines = readFileSync('/proc/self/net/snmp', 'utf8').split('\n')
  const [titles, figures] = lines.filter((line) => line.startsWith('Tcp:')).map((line) => line.split(' '))
  return Number(figures![titles!.indexOf('ActiveOpens')])
}

/** Servers for every address and their names; refuses where a packet could leave. */
export async function startFakeInternet() {
  refuseWayOut()
  const [trusted, untrusted] = [await makeCertificate(), await makeCertificate()]
  const receiver = await receive(manners, { trusted, untrusted }, behave)
  return { trusted, receiver, names: await serveNames(zone) }
}

/** A self-signed certificate, valid for one day. */
async function makeCertificate(): Promise<Certificate> {
  const shape = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
  const subject = ['-subj', '/CN=test', '-addext', 'subjectAltName=DNS:*.outside.example']
  const { stdout } = await execute('openssl', ['req', '-x509', ...shape, ...subject, '-keyout', '-', '-out', '-'])
  const part = (title: string) => new RegExp(`-----BEGIN ${title}-----[^]*-----END ${title}-----`).exec(stdout)![0]
  return { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') }
}

/** A minimal name server over UDP that answers whatever a test wants. */

interface NameServer {
  readonly address: string
  /** The queries since it was last read: `A good.outside.example`. */
  takeQuestions(): string[]
  close(): void
}

const types: Record<string, number> = { A: 1, CNAME: 5, AAAA: 28 }
const codes = { silence: 0, failure: 2, missing: 3 }

async function serveNames(zone: Zone): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  let questions: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query)
    const question = `${type} ${name}`
    const times = asked.get(question) ?? 0
    asked.set(question, times + 1)
    questions.push(question)
    const said = zone(name, type, times)
    if (said === 'silence') return
    const records = typeof said === 'string' ? [] : said
    const head = Buffer.alloc(12)
    head.writeUInt16BE(query.readUInt16BE(0), 0)
    head.writeUInt16BE(0x8180 | (typeof said === 'string' ? codes[said] : 0), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(records.length, 6)
    const answer = Buffer.concat([head, query.subarray(12, end), ...records.map((record) => encode(name, record))])
    socket.send(answer, port, address)
  })
  socket.bind(53, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: '127.0.0.1:53',
    takeQuestions: () => {
      const taken = questions
      questions = []
      return taken
    },
    close: () => socket.close(),
  }
}

function questionOf(query: Buffer): { name: string; type: string; end: number } {
  const labels: string[] = []
  let place = 12
  for (let length = query[place]!; length > 0; length = query[place]!) {
    labels.push(query.toString('latin1', place + 1, place + 1 + length))
    place += length + 1
  }
  const number = query.readUInt16BE(place + 1)
  const type = Object.keys(types).find((one) => types[one] === number) ?? String(number)
  return { name: labels.join('.').toLowerCase(), type, end: place + 5 }
}

/** TTL 0. */
function encode(name: string, { type, data, of = name }: NameRecord): Buffer {
  const content = type === 'CNAME' ? encodeName(data) : Buffer.from(ipaddr.parse(data).toByteArray())
  const middle = Buffer.alloc(10)
  middle.writeUInt16BE(types[type]!, 0)
  middle.writeUInt16BE(1, 2)
  middle.writeUInt16BE(content.length, 8)
  return Buffer.concat([encodeName(of), middle, content])
}

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.of(0),
  ])

/** The server for every address inside the namespace: it accepts and records every connection. */

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

interface Receiver {
  takeConnections(): Connection[]
  open(): Promise<number>
  close(): void
}

/** 443, 80, proxy ports, and the services a port scan would look for. */
const ports = [22, 80, 443, 3128, 5432, 6379, 8080]

async function receive(
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
  const listeners: Server[] = []
  for (const port of ports) {
    const listener = createServer(welcome).listen(port, '::')
    await once(listener, 'listening')
    listeners.push(listener)
  }
  return {
    takeConnections: () => {
      const taken = connections
      connections = []
      return taken
    },
    open: async () => {
      const counts = listeners.map(
        (listener) => new Promise<number>((resolve) => listener.getConnections((_error, count) => resolve(count))),
      )
      return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    },
    close: () => {
      for (const server of [...listeners, good, untrusted, plain]) server.close()
    },
  }
}

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

const behave: Behaviour = (request, response) => {
  const behaviour = behaviours[(request.url ?? '').split('?', 1)[0]!]
  if (behaviour) behaviour(request, response)
  else response.end('hello')
}
