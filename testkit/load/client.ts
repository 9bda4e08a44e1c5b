import { createConnection, type Socket } from 'node:net'
import type { Outcome, Times } from './load.ts'

/** One keep-alive connection with one request at a time; parses only the parts of the answer that are counted. */

export interface Answer {
  readonly status: number
  readonly saysWhenToRetry: boolean
  readonly isHit: boolean
}

export interface ConnectionListener {
  answered(connection: Connection, answer: Answer): void
  /** The connection is closed. `why` is the reason the current request failed; undefined if there was none. */
  gone(connection: Connection, why: string | undefined): void
}

const endOfHead = Buffer.from('\r\n\r\n')
const endOfLine = Buffer.from('\r\n')

export class Connection {
  readonly #socket: Socket
  readonly #watcher: ConnectionListener
  #read: Buffer | undefined
  #answer: Answer | undefined
  /** Bytes of the body, or of the current chunk with its line end, still to come. */
  #left = 0
  #chunked = false
  #untilClose = false
  #closes = false
  #busy = false
  #why: string | undefined

  constructor(port: number, watcher: ConnectionListener) {
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

/** A histogram of latencies with 2 % wide buckets: percentiles are exact to 2 % in constant space. */
const width = Math.log(1.02)

class Latencies {
  readonly #classes: number[] = []
  #count = 0
  #max = 0

  add(milliseconds: number): void {
    const place = milliseconds <= 0.01 ? 0 : Math.ceil(Math.log(milliseconds / 0.01) / width)
    this.#classes[place] = (this.#classes[place] ?? 0) + 1
    this.#count += 1
    if (milliseconds > this.#max) this.#max = milliseconds
  }

  times(): Times {
    return { count: this.#count, p50: this.#percentile(0.5), p99: this.#percentile(0.99), max: this.#max }
  }

  #percentile(share: number): number {
    let left = Math.ceil(this.#count * share)
    for (const place of this.#classes.keys()) {
      left -= this.#classes[place] ?? 0
      if (left <= 0) return Math.min(0.01 * Math.exp(place * width), this.#max)
    }
    return 0
  }
}

/** Counts the outcomes of requests. */
export class Tally {
  asked = 0
  readonly #statuses: Record<string, number> = {}
  readonly #failures: Record<string, number> = {}
  #rude = 0
  #hits = 0
  readonly #admitted = new Latencies()
  readonly #refused = new Latencies()

  answered({ status, saysWhenToRetry, isHit }: Answer, milliseconds: number): void {
    this.#statuses[status] = (this.#statuses[status] ?? 0) + 1
    if (isHit) this.#hits += 1
    if (status < 500) this.#admitted.add(milliseconds)
    else if (status === 503) {
      this.#refused.add(milliseconds)
      if (!saysWhenToRetry) this.#rude += 1
    }
  }

  failed(why: string): void {
    this.#failures[why] = (this.#failures[why] ?? 0) + 1
  }

  outcome(): Outcome {
    return {
      asked: this.asked,
      statuses: this.#statuses,
      failures: this.#failures,
      hits: this.#hits,
      withoutRetryAfter: this.#rude,
      admitted: this.#admitted.times(),
      refused: this.#refused.times(),
    }
  }
}
