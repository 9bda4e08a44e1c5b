import { ByteWriter, readNumbers, writeNumbers } from './postings.ts'
import { stemOf, unitOf } from './terms.ts'

/**
 * An index in pages: lists in the order of their keys, as many as fit a row that fits a page of PostgreSQL. A list
 * lies on one page; only one too long for any page goes on over several, each of which begins with its key. Whatever
 * comes after it may begin on its last one.
 *
 * A list is: how far its key is from the one before, how many documents, and their numbers.
 */
export interface Page {
  /** Of its first list. */
  readonly key: number
  /** Of a list that goes on over several pages, which of them; 0 for all others. */
  readonly part: number
  readonly bytes: Uint8Array
}

/** PostgreSQL's page has 8,192 bytes; the row's other columns and headers take some 60. */
const pageBytes = 8_080
/** What comes before the numbers of a list. */
const entryHead = 16
/** At least a bit each. */
const longestPart = pageBytes * 8

export class PageWriter {
  readonly #write: (page: Page) => void
  readonly #entry = new ByteWriter(16_384)
  readonly #list = new ByteWriter(16_384)
  readonly #page = new ByteWriter(pageBytes)
  #first = 0
  #part = 0
  #last = 0

  constructor(write: (page: Page) => void) {
    this.#write = write
  }

  /** Lists come in the order of their keys, and their documents in ascending order. */
  add(key: number, ordinals: Uint32Array, count: number): void {
    let length = this.#fit(ordinals, 0, Math.min(count, longestPart))
    if (length === count) {
      this.#addList(key, count)
      return
    }
    this.#turn()
    let part = 0
    for (let from = length; ; from += length) {
      this.#part = part
      this.#addList(key, length)
      if (from === count) return
      this.#turn()
      part += 1
      length = this.#fit(ordinals, from, Math.min(count - from, Math.ceil(length * 1.05)))
    }
  }

  /** Writes a list, or as much of it as fits a page, and answers how many documents that is. */
  #fit(ordinals: Uint32Array, from: number, most: number): number {
    let count = most
    for (;;) {
      this.#list.length = 0
      writeNumbers(this.#list, ordinals, from, count)
      const room = pageBytes - entryHead
      if (this.#list.length <= room) return count
      count = Math.floor((count * room * 0.98) / this.#list.length)
    }
  }

  #addList(key: number, count: number): void {
    this.#writeEntry(key, count)
    if (this.#page.length > 0 && this.#page.length + this.#entry.length > pageBytes) {
      this.#turn()
      this.#writeEntry(key, count)
    }
    if (this.#page.length === 0) this.#first = key
    this.#page.copy(this.#entry)
    this.#last = key
  }

  #writeEntry(key: number, count: number): void {
    const entry = this.#entry
    entry.length = 0
    const before = this.#page.length === 0 ? key : this.#last
    const stems = stemOf(key) - stemOf(before)
    entry.number(stems)
    entry.number(stems === 0 ? unitOf(key) - unitOf(before) : unitOf(key))
    entry.number(count)
    if (count > 1) entry.number(this.#list.length)
    entry.copy(this.#list)
  }

  #turn(): void {
    if (this.#page.length === 0) return
    this.#write({ key: this.#first, part: this.#part, bytes: this.#page.bytes.slice(0, this.#page.length) })
    this.#page.length = 0
    this.#part = 0
  }

  end(): void {
    this.#turn()
  }
}

/** The lists of a page, one after the other. Binding reads hundreds of millions of them, so it makes nothing new for any. */
export class PageReader {
  key: number
  count = 0
  readonly #bytes: Uint8Array
  #at = 0
  #listAt = 0

  constructor({ key, bytes }: Pick<Page, 'key' | 'bytes'>) {
    this.#bytes = bytes
    this.key = key
  }

  /** On to the next list; false at the end of the page. */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false
    const stems = this.#number()
    const units = this.#number()
    this.key = stems === 0 ? this.key + units : (stemOf(this.key) + stems) * 0x1_0000 + units
    this.count = this.#number()
    if (this.count === 1) {
      this.#listAt = this.#at
      while (this.#bytes[this.#at]! >= 0x80) this.#at += 1
      this.#at += 1
    } else {
      const length = this.#number()
      this.#listAt = this.#at
      this.#at += length
    }
    return true
  }

  #number(): number {
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

  /** Reads the list this stands at into `numbers`, from `to` on. */
  read(numbers: Uint32Array, to: number): void {
    readNumbers(this.#bytes, this.#listAt, this.count, numbers, to)
  }
}
