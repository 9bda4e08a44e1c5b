/** Reads zip archives, in Node and in browsers: both have DecompressionStream. */

/** A file in an archive, read on demand. */
export interface ZippedFile {
  readonly name: string
  /** Fails if more than so many bytes are unpacked. */
  read(most?: number): Promise<Uint8Array<ArrayBuffer>>
}

type Reason = 'not_zip' | 'damaged' | 'encrypted' | 'too_large' | 'unsupported'

export class UnzipError extends Error {
  readonly reason: Reason

  constructor(reason: Reason, name = '') {
    super(name === '' ? reason : `${name}: ${reason}`)
    this.reason = reason
  }
}

/** Unpacked bytes of one file, whatever size it declares. */
const largestFile = 2 ** 28

/** Lists the files of an archive from its central directory. Names are untrusted: never write to them. */
export function unzip(archive: Uint8Array<ArrayBuffer>): ZippedFile[] {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength)
  const end = endOf(view)
  let [count, at] = [view.getUint16(end + 10, true), view.getUint32(end + 16, true)]
  if (count === 0xffff || at === 0xffffffff) [count, at] = longEnd(view, end)
  const files: ZippedFile[] = []
  for (let seen = 0; seen < count; seen += 1) {
    if (!(at + 46 <= archive.length) || view.getUint32(at, true) !== 0x02014b50) throw new UnzipError('damaged')
    const nameLength = view.getUint16(at + 28, true)
    const name = new TextDecoder().decode(archive.subarray(at + 46, at + 46 + nameLength))
    const line = at
    if (!name.endsWith('/')) files.push({ name, read: (most) => contentOf(archive, view, line, name, most) })
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return files
}

/** The last record, before a comment of up to 65,535 bytes. */
function endOf(view: DataView): number {
  const first = Math.max(0, view.byteLength - 22 - 0xffff)
  for (let at = view.byteLength - 22; at >= first; at -= 1) if (view.getUint32(at, true) === 0x06054b50) return at
  throw new UnzipError('not_zip')
}

/** Zip64: from 65,535 files on, their number and the directory's position are in a separate record. */
function longEnd(view: DataView, end: number): [count: number, at: number] {
  const offset = end >= 20 && view.getUint32(end - 20, true) === 0x07064b50 ? bigAt(view, end - 12) : -1
  if (offset < 0 || offset + 56 > view.byteLength || view.getUint32(offset, true) !== 0x06064b50)
    throw new UnzipError('damaged')
  return [bigAt(view, offset + 32), bigAt(view, offset + 48)]
}

const bigAt = (view: DataView, at: number): number => Number(view.getBigUint64(at, true))

async function contentOf(
  archive: Uint8Array<ArrayBuffer>,
  view: DataView,
  line: number,
  name: string,
  most = largestFile,
): Promise<Uint8Array<ArrayBuffer>> {
  const [flags, method] = [view.getUint16(line + 8, true), view.getUint16(line + 10, true)]
  const [packed, size, start] = [20, 24, 42].map((offset) => view.getUint32(line + offset, true)) as [
    number,
    number,
    number,
  ]
  if (flags & 1) throw new UnzipError('encrypted', name)
  if (size > most) throw new UnzipError('too_large', name)
  if (start + 30 > archive.length) throw new UnzipError('damaged', name)
  const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true)
  const bytes = archive.subarray(from, from + packed)
  if (method !== 0 && method !== 8) throw new UnzipError('unsupported', name)
  const content = method === 0 ? bytes : await inflate(bytes, name, most)
  if (content.length !== size || crc32(content) !== view.getUint32(line + 16, true))
    throw new UnzipError('damaged', name)
  return content
}

async function inflate(bytes: Uint8Array<ArrayBuffer>, name: string, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = []
  let length = 0
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader()
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new UnzipError('damaged', name)
    })
    if (done) break
    length += value.length
    if (length > most) {
      await reader.cancel()
      throw new UnzipError('too_large', name)
    }
    parts.push(value)
  }
  const whole = new Uint8Array(length)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (const byte of bytes) sum = crcTable[(sum ^ byte) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}
