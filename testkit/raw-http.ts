import assert from 'node:assert/strict'
import { connect } from 'node:net'

/** What came back over a socket that was written to by hand. */
export interface Heard {
  /** Of the last answer; undefined where none came. */
  readonly status: number | undefined
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  /** How many answers came; 100 Continue is none. */
  readonly answers: number
  readonly closed: boolean
}

export interface Manners {
  /** Milliseconds between the bytes of this, which follow what was sent at once. */
  readonly slowly?: { readonly bytes: string; readonly every: number }
  /** Listens until the server closes the connection; otherwise the first whole answer ends it. */
  readonly untilClosed?: boolean
}

/** Milliseconds after which no answer is to be expected any more. */
const longest = 120_000

/** Sends bytes as they are, which no HTTP client would, and listens. */
export function exchange(port: number, bytes: string | Buffer, { slowly, untilClosed }: Manners = {}): Promise<Heard> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    let dripping: NodeJS.Timeout | undefined

    const end = (closed: boolean) => {
      clearTimeout(patience)
      clearInterval(dripping)
      socket.destroy()
      resolve({ ...read(received), closed })
    }
    const patience = setTimeout(end, longest, false)
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

interface Read extends Omit<Heard, 'closed'> {
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

/** What docs/adr lets a read answer. Whatever is refused says so in the one error body. */
const documented = [200, 204, 304, 400, 404, 405, 408, 413, 414, 415, 417, 431]

/** And what the write API may answer besides. */
export const ofTheWriteApi = [201, 401, 403, 409, 412, 422, 428, 429]

export function isDecent(status: number | undefined, body: string, what = '', also: readonly number[] = []): void {
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
