import { createConnection, type Socket } from 'node:net'

/** One keep-alive connection that asks one thing at a time, and reads of the answer only what must be known of it. */

export interface Answer {
  readonly status: number
  readonly saysWhenToRetry: boolean
  readonly isHit: boolean
}

export interface Watcher {
  answered(connection: Connection, answer: Answer): void
  /** It is gone. `why` says of what the request that was under way has died; undefined where there was none. */
  gone(connection: Connection, why: string | undefined): void
}

const endOfHead = Buffer.from('\r\n\r\n')
const endOfLine = Buffer.from('\r\n')

export class Connection {
  readonly #socket: Socket
  readonly #watcher: Watcher
  #read: Buffer | undefined
  #answer: Answer | undefined
  /** Bytes of the body, or of the current chunk with its line end, still to come. */
  #left = 0
  #chunked = false
  #untilClose = false
  #closes = false
  #busy = false
  #why: string | undefined

  constructor(port: number, watcher: Watcher) {
    this.#watcher = watcher
    this.#socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (bytes) => this.#take(bytes))
    this.#socket.on('end', () => {
      this.#closes = true
    })
    this.#socket.on('error', (error: NodeJS.ErrnoException) => {
      this.#why = error.code ?? 'error'
    })
    this.#socket.on('close', () => {
      if (this.#busy && this.#untilClose) this.#finish()
      watcher.gone(this, this.#busy ? (this.#why ?? 'closed') : undefined)
    })
  }

  ask(bytes: Buffer): void {
    this.#busy = true
    this.#socket.write(bytes)
  }

  end(why: string): void {
    this.#why = why
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    let rest = this.#read ? Buffer.concat([this.#read, bytes]) : bytes
    this.#read = undefined
    while (rest.length > 0 && this.#busy) {
      const taken = this.#answer ? this.#takeBody(rest) : this.#takeHead(rest)
      if (taken === 0) {
        this.#read = rest
        return
      }
      rest = rest.subarray(taken)
    }
  }

  /** How many of the bytes it took; 0 where it needs more of them first. */
  #takeHead(bytes: Buffer): number {
    const end = bytes.indexOf(endOfHead)
    if (end < 0) return 0
    const head = bytes.toString('latin1', 0, end).toLowerCase()
    const status = Number(head.slice(9, 12))
    const taken = end + endOfHead.length
    if (status < 200) return taken
    this.#answer = {
      status,
      saysWhenToRetry: head.includes('\r\nretry-after:'),
      isHit: head.includes('\r\nx-cache: hit'),
    }
    this.#closes = head.includes('\r\nconnection: close')
    const length = /\r\ncontent-length: *(\d+)/.exec(head)
    this.#left = length ? Number(length[1]) : 0
    this.#chunked = !length && head.includes('\r\ntransfer-encoding: chunked')
    const isEmpty = status === 204 || status === 304
    this.#untilClose = !length && !this.#chunked && !isEmpty
    if (isEmpty || (length && this.#left === 0)) this.#finish()
    return taken
  }

  #takeBody(bytes: Buffer): number {
    if (this.#untilClose) return bytes.length
    if (this.#left > 0) {
      const taken = Math.min(this.#left, bytes.length)
      this.#left -= taken
      if (this.#left === 0 && !this.#chunked) this.#finish()
      return taken
    }
    const end = bytes.indexOf(endOfLine)
    if (end < 0) return 0
    const size = Number.parseInt(bytes.toString('latin1', 0, end), 16)
    if (size > 0) {
      this.#left = size + endOfLine.length
      return end + endOfLine.length
    }
    if (bytes.length < end + endOfHead.length) return 0
    this.#finish()
    return end + endOfHead.length
  }

  #finish(): void {
    const answer = this.#answer!
    this.#answer = undefined
    this.#busy = false
    this.#untilClose = false
    if (this.#closes) this.#socket.destroy()
    this.#watcher.answered(this, answer)
  }

  /** Whether another request may go over it. */
  get isOpen(): boolean {
    return !this.#closes && !this.#socket.destroyed
  }
}
