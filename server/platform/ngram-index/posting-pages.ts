import { stemOf, unitOf } from './terms.ts'

/**
 * Posting lists in pages, in the order of term keys, as many as fit a row that fits a page of PostgreSQL. A posting list
 * is on one page; only one too long for a page is split into parts over several, each of which starts with its key. The
 * lists after it may start on the page of its last part.
 *
 * An entry is: the distance of its key from the previous one, the number of documents, and their ordinals (Rice code).
 */
export interface Page {
  /** Key of its first posting list. */
  readonly key: number
  /** Of a posting list split over several pages: the number of the part. Otherwise 0. */
  readonly part: number
  readonly bytes: Uint8Array
}

/** A page of PostgreSQL has 8,192 bytes; the other columns and headers of the row take some 60. */
const pageBytes = 8_080
/** At most so many bytes precede the ordinals of an entry. */
const entryHead = 16
/** Every ordinal takes at least one bit. */
const maxPartLength = pageBytes * 8

export class PageWriter {
  readonly #write: (page: Page) => void
  readonly #entry = new ByteWriter(16_384)
  readonly #postings = new ByteWriter(16_384)
  readonly #page = new ByteWriter(pageBytes)
  #first = 0
  #part = 0
  #last = 0

  constructor(write: (page: Page) => void) {
    this.#write = write
  }

  /** Must be called in the order of keys; the ordinals must ascend. */
  add(key: number, ordinals: Uint32Array, count: number): void {
    let length = this.#fit(ordinals, 0, Math.min(count, maxPartLength))
    if (length === count) {
      this.#addEntry(key, count)
      return
    }
    this.#flushPage()
    let part = 0
    for (let from = length; ; from += length) {
      this.#part = part
      this.#addEntry(key, length)
      if (from === count) return
      this.#flushPage()
      part += 1
      length = this.#fit(ordinals, from, Math.min(count - from, Math.ceil(length * 1.05)))
    }
  }

  /** Encodes the ordinals, or as many as fit a page, and returns how many those are. */
  #fit(ordinals: Uint32Array, from: number, max: number): number {
    let count = max
    for (;;) {
      this.#postings.length = 0
      writeOrdinals(this.#postings, ordinals, from, count)
      const space = pageBytes - entryHead
      if (this.#postings.length <= space) return count
      count = Math.floor((count * space * 0.98) / this.#postings.length)
    }
  }

  #addEntry(key: number, count: number): void {
    this.#writeEntry(key, count)
    if (this.#page.length > 0 && this.#page.length + this.#entry.length > pageBytes) {
      this.#flushPage()
      this.#writeEntry(key, count)
    }
    if (this.#page.length === 0) this.#first = key
    this.#page.copy(this.#entry)
    this.#last = key
  }

  #writeEntry(key: number, count: number): void {
    const entry = this.#entry
    entry.length = 0
    const previous = this.#page.length === 0 ? key : this.#last
    const stems = stemOf(key) - stemOf(previous)
    entry.varint(stems)
    entry.varint(stems === 0 ? unitOf(key) - unitOf(previous) : unitOf(key))
    entry.varint(count)
    if (count > 1) entry.varint(this.#postings.length)
    entry.copy(this.#postings)
  }

  #flushPage(): void {
    if (this.#page.length === 0) return
    this.#write({ key: this.#first, part: this.#part, bytes: this.#page.bytes.slice(0, this.#page.length) })
    this.#page.length = 0
    this.#part = 0
  }

  end(): void {
    this.#flushPage()
  }
}

/** Iterates over the posting lists of a page. A merge reads hundreds of millions of them, so it allocates nothing per list. */
export class PageReader {
  key: number
  count = 0
  readonly #bytes: Uint8Array
  #at = 0
  #postingsAt = 0

  constructor({ key, bytes }: Pick<Page, 'key' | 'bytes'>) {
    this.#bytes = bytes
    this.key = key
  }

  /** Moves to the next posting list; false at the end of the page. */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false
    const stems = this.#varint()
    const units = this.#varint()
    this.key = stems === 0 ? this.key + units : (stemOf(this.key) + stems) * 0x1_0000 + units
    this.count = this.#varint()
    if (this.count === 1) {
      this.#postingsAt = this.#at
      while (this.#bytes[this.#at]! >= 0x80) this.#at += 1
      this.#at += 1
    } else {
      const length = this.#varint()
      this.#postingsAt = this.#at
      this.#at += length
    }
    return true
  }

  #varint(): number {
    let byte = this.#bytes[this.#at]!
    this.#at += 1
    if (byte < 0x80) return byte
    let value = byte & 0x7f
    let scale = 0x80
    for (;;) {
      byte = this.#bytes[this.#at]!
      this.#at += 1
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
  }

  /** Decodes the current posting list into `ordinals`, starting at index `to`. */
  read(ordinals: Uint32Array, to: number): void {
    readOrdinals(this.#bytes, this.#postingsAt, this.count, ordinals, to)
  }
}

const shortCopy = 32

export class ByteWriter {
  bytes: Uint8Array
  length = 0

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity)
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.#grow()
    this.bytes[this.length] = value
    this.length += 1
  }

  #grow(): void {
    const larger = new Uint8Array(this.bytes.length * 2)
    larger.set(this.bytes)
    this.bytes = larger
  }

  copy(from: ByteWriter): void {
    while (this.length + from.length > this.bytes.length) this.#grow()
    // Most are a few bytes, for which a view of the array costs more.
    if (from.length > shortCopy) this.bytes.set(from.bytes.subarray(0, from.length), this.length)
    else for (let at = 0; at < from.length; at += 1) this.bytes[this.length + at] = from.bytes[at]!
    this.length += from.length
  }

  /** Seven bits per byte, the lowest first (LEB128). */
  varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.byte(rest)
  }
}

/**
 * Encodes `count` ascending ordinals from index `from`: the first as a varint, each other as its gap to the previous one
 * in Rice code (the quotient in unary, the remainder in `k` bits). For lists this sparse it takes a sixth less space than
 * varints.
 */
export function writeOrdinals(out: ByteWriter, ordinals: Uint32Array, from: number, count: number): void {
  const first = ordinals[from]!
  out.varint(first)
  if (count === 1) return
  const mean = (ordinals[from + count - 1]! - first) / (count - 1)
  const k = 31 - Math.clz32(Math.max(1, Math.floor(0.69 * mean)))
  out.byte(k)
  let bits = 0
  let filled = 0
  let previous = first
  for (let index = from + 1; index < from + count; index += 1) {
    const gap = ordinals[index]! - previous - 1
    previous = ordinals[index]!
    for (let ones = gap >>> k; ones > 0; ones -= 1) {
      bits |= 1 << filled
      filled += 1
      if (filled === 8) {
        out.byte(bits)
        bits = 0
        filled = 0
      }
    }
    filled += 1
    let rest = gap & ((1 << k) - 1)
    let left = k
    for (;;) {
      if (filled >= 8) {
        out.byte(bits)
        bits = 0
        filled = 0
      }
      if (left === 0) break
      const taken = Math.min(8 - filled, left)
      bits |= (rest & ((1 << taken) - 1)) << filled
      rest >>>= taken
      filled += taken
      left -= taken
    }
  }
  if (filled > 0) out.byte(bits)
}

/** Decodes `count` ordinals at `at` into `ordinals`, starting at index `to`. Up to 2^26 documents: `k` is at most 24. */
export function readOrdinals(bytes: Uint8Array, at: number, count: number, ordinals: Uint32Array, to: number): void {
  let next = at
  let previous = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[next]!
    next += 1
    previous |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  ordinals[to] = previous
  if (count === 1) return
  const k = bytes[next]!
  next += 1
  const mask = (1 << k) - 1
  let buffer = 0
  let bits = 0
  for (let index = to + 1; index < to + count; index += 1) {
    let high = 0
    for (;;) {
      for (; bits <= 24; bits += 8, next += 1) buffer |= (next < bytes.length ? bytes[next]! : 0) << bits
      const ones = Math.clz32(0) - 1 - Math.clz32(~buffer & -~buffer)
      if (ones >= 0 && ones < bits) {
        high += ones
        buffer = ones === 31 ? 0 : buffer >>> (ones + 1)
        bits -= ones + 1
        break
      }
      high += bits
      buffer = 0
      bits = 0
    }
    for (; bits < k; bits += 8, next += 1) buffer |= (next < bytes.length ? bytes[next]! : 0) << bits
    previous += (high << k) + (buffer & mask) + 1
    buffer >>>= k
    bits -= k
    ordinals[index] = previous
  }
}
