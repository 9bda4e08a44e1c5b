import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { until } from './waiting.ts'

/** An answer read from a raw socket. */
export interface RawResponse {
  /** Of the last answer; undefined where none came. */
  readonly status: number | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** How many answers came; 100 Continue is none. */
  readonly answers: number
  readonly closed: boolean
}

export interface ExchangeOptions {
  /** Milliseconds between the bytes of this, which follow what was sent at once. */
  readonly slowly?: { readonly bytes: string; readonly every: number }
  /** Listens until the server closes the connection; otherwise the first whole answer ends it. */
  readonly untilClosed?: boolean
}

/** Milliseconds after which no answer is to be expected any more. */
const longest = 120_000

/** Sends raw bytes that no HTTP client would send, and reads the answer. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  { slowly, untilClosed }: ExchangeOptions = {},
): Promise<RawResponse> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    let dripping: NodeJS.Timeout | undefined

    const end = (closed: boolean) => {
      clearTimeout(timeout)
      clearInterval(dripping)
      socket.destroy()
      resolve({ ...read(received), closed })
    }
    const timeout = setTimeout(end, longest, false)
    socket.setEncoding('latin1')
    socket.on('data', (data: string) => {
      received += data
      if (!untilClosed && read(received).whole) end(false)
    })
    // A server that has refused may reset what is still being sent; what it said was heard before.
    socket.on('error', () => {})
    socket.on('close', () => end(true))
    socket.write(bytes)
    if (slowly) {
      let at = 0
      dripping = setInterval(() => {
        socket.write(slowly.bytes[at % slowly.bytes.length]!)
        at += 1
      }, slowly.every)
    }
  })
}

/** Requests that never end: what each is, its beginning, and what drips after it. */
export const slowRequests: readonly (readonly [what: string, bytes: string, drip: string])[] = [
  ['a header', 'GET / HTTP/1.1\r\nHost: site.test\r\nX-Slow: ', 'a'],
  ['an address', 'GET /api/public/pieces/', 'a'],
  ['a body', slowPost('Content-Length: 1000\r\n\r\n{'), ' '],
  ['a body in chunks', slowPost('Transfer-Encoding: chunked\r\n\r\n3e8\r\n{'), ' '],
]

function slowPost(rest: string): string {
  return `POST /api/public/pieces/recent HTTP/1.1\r\nHost: site.test\r\nContent-Type: application/json\r\n${rest}`
}

/** Works while a client has asked for a lot and reads none of it, which the server puts up with. */
export async function besideDeafClient(port: number, work: () => Promise<void>): Promise<void> {
  const deaf = connect(port, '127.0.0.1').pause()
  deaf.on('error', () => {})
  deaf.write('GET /api/openapi.json HTTP/1.1\r\nHost: site.test\r\n\r\n'.repeat(300))
  try {
    await work()
    assert.ok(!deaf.destroyed)
  } finally {
    deaf.destroy()
  }
}

/** Works while three hundred connections are open that ask for nothing. */
export async function besideIdleClients(port: number, work: () => Promise<void>): Promise<void> {
  const idle = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  try {
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    await work()
    assert.ok(idle.every(({ destroyed }) => !destroyed))
  } finally {
    for (const socket of idle) socket.destroy()
  }
}

interface Read extends Omit<RawResponse, 'closed'> {
  readonly whole: boolean
}

function read(received: string): Read {
  let last: Read = { status: undefined, headers: new Map(), body: '', answers: 0, whole: false }
  for (let rest = received; rest.startsWith('HTTP/1.1 '); ) {
    const end = rest.indexOf('\r\n\r\n')
    if (end === -1) break
    const [statusLine = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(statusLine.split(' ')[1])
    const headers = new Map(lines.map((line) => [line.split(':')[0]!.toLowerCase(), line.replace(/^[^:]*:\s*/, '')]))
    const length = bodyLength(rest.slice(end + 4), status, headers)
    const body = rest.slice(end + 4, end + 4 + length)
    if (status >= 200) last = { status, headers, body, answers: last.answers + 1, whole: body.length === length }
    rest = rest.slice(end + 4 + length)
  }
  return last
}

function bodyLength(rest: string, status: number, headers: ReadonlyMap<string, string>): number {
  if (status < 200 || status === 204 || status === 304) return 0
  if (headers.get('transfer-encoding') === 'chunked') return rest.indexOf('0\r\n\r\n') + 5
  return Number(headers.get('content-length') ?? 0)
}

/** The statuses a read may answer (docs/adr). Every refusal has the standard error body. */
const documented = [200, 204, 304, 400, 404, 405, 408, 413, 414, 415, 417, 431]

/** And what the write API may answer besides. */
export const writeApiStatuses = [201, 401, 403, 409, 412, 422, 428, 429]

export function assertDocumented(
  status: number | undefined,
  body: string,
  what = '',
  also: readonly number[] = [],
): void {
  assert.ok(status !== undefined && [...documented, ...also].includes(status), `${what} answered ${status}`)
  if (status < 400) return
  let error: Record<string, unknown> = {}
  try {
    error = JSON.parse(body)
  } catch {
    assert.fail(`${what} answered ${status} without the error body: ${JSON.stringify(body.slice(0, 200))}`)
  }
  assert.equal(error['ok'], false, what)
  assert.match(String(error['reason']), /^[a-z]+(_[a-z]+)*$/, what)
  assert.ok(typeof error['detail'] === 'string' && error['detail'].length > 0, what)
}

/** Retries 503: a server that shares its process with the test may be busy for a moment. */
export const fetchRetrying503 = (address: string, init?: RequestInit): Promise<Response> =>
  until(async () => {
    const answer = await fetch(address, init)
    return answer.status !== 503 && answer
  }, `${address} answers anything but 503`)

/** Removes the request id from a body, to compare two answers. */
export const withoutId = (body: string): string => body.replace(/("request_id":"|this code: <code>)[\w.:+/=-]+/, '$1')
