import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib'

/** One file of an archive: a buffer if it is small, a stream if it may be large. */
export interface ZipEntry {
  readonly name: string
  readonly modified: Date
  readonly content: Buffer | AsyncIterable<Buffer>
}

/** Sizes and offsets have 32 bits here, so larger archives are not written. */
export const largestZip = 4_000_000_000

/** Names in UTF-8; sizes and checksum follow the data, since they are not known before. */
const flags = 0x0808
const deflate = 8
/** The deflate stream of an empty file. */
const packedNothing = Buffer.from([3, 0])
const version = 20
/** From here on the number of files needs a Zip64 record. */
const mostInShort = 0xffff

/** Streams an archive. Only the central directory is kept in memory. */
export async function* zip(entries: AsyncIterable<ZipEntry>): AsyncGenerator<Buffer> {
  const engine = createDeflateRaw()
  const list: Buffer[] = []
  let offset = 0
  for await (const { name, modified, content } of entries) {
    const [path, time] = [Buffer.from(name), dosTime(modified)]
    const header = record(30, [0x04034b50, 4], [version, 2], [flags, 2], [deflate, 2], [time, 4])
    header.writeUInt16LE(path.length, 26)

    const sum: Sum = { crc: 0, size: 0, packed: 0 }
    yield Buffer.concat([header, path])
    yield* packed(engine, content, sum)
    yield record(16, [0x08074b50, 4], [sum.crc, 4], [sum.packed, 4], [sum.size, 4])
    list.push(lineOf(path, time, sum, offset))
    offset += header.length + path.length + sum.packed + 16
    if (offset > largestZip) throw new Error('the archive is larger than its form allows')
  }
  engine.close()
  yield* list
  yield endOf(
    list.length,
    list.reduce((size, line) => size + line.length, 0),
    offset,
  )
}

interface Sum {
  crc: number
  size: number
  packed: number
}

/** One deflate stream for the whole archive: each allocates 256 kB, and an archive may have twenty thousand files. */
async function* packed(engine: DeflateRaw, content: ZipEntry['content'], sum: Sum): AsyncGenerator<Buffer> {
  if (Buffer.isBuffer(content) && content.length === 0) {
    sum.packed = packedNothing.length
    yield packedNothing
    return
  }
  const out: Buffer[] = []
  const keep = (bytes: Buffer) => {
    sum.packed += bytes.length
    out.push(bytes)
  }
  engine.on('data', keep)
  for await (const bytes of Buffer.isBuffer(content) ? [content] : content) {
    sum.crc = crc32(bytes, sum.crc)
    sum.size += bytes.length
    await new Promise<void>((resolve, reject) => engine.write(bytes, (error) => (error ? reject(error) : resolve())))
    yield* out.splice(0)
  }
  await new Promise<void>((resolve) => engine.flush(constants.Z_FINISH, resolve))
  yield* out.splice(0)
  engine.off('data', keep)
  engine.reset()
}

function lineOf(path: Buffer, time: number, { crc, size, packed }: Sum, start: number): Buffer {
  // Allocated on its own: a slice of Buffer's pool would keep the whole pool page in memory.
  const line = record(
    46 + path.length,
    [0x02014b50, 4],
    [version, 2],
    [version, 2],
    [flags, 2],
    [deflate, 2],
    [time, 4],
  )
  line.writeUInt32LE(crc, 16)
  line.writeUInt32LE(packed, 20)
  line.writeUInt32LE(size, 24)
  line.writeUInt16LE(path.length, 28)
  line.writeUInt32LE(start, 42)
  path.copy(line, 46)
  return line
}

function endOf(count: number, size: number, start: number): Buffer {
  const shown = Math.min(count, mostInShort)
  const end = record(22, [0x06054b50, 4], [0, 4], [shown, 2], [shown, 2], [size, 4], [start, 4])
  if (count < mostInShort) return end
  const whole = record(56, [0x06064b50, 4], [44, 8], [45, 2], [45, 2], [0, 8], [count, 8], [count, 8], [size, 8])
  whole.writeBigUInt64LE(BigInt(start), 48)
  return Buffer.concat([whole, record(20, [0x07064b50, 4], [0, 4], [start + size, 8], [1, 4]), end])
}

/** Little-endian fields in sequence, padded with zeros. */
function record(length: number, ...fields: readonly (readonly [value: number, bytes: 2 | 4 | 8])[]): Buffer {
  const bytes = Buffer.alloc(length)
  let at = 0
  for (const [value, width] of fields) {
    if (width === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, width)
    at += width
  }
  return bytes
}

/** MS-DOS time: from 1980, in steps of two seconds, here in UTC. */
function dosTime(at: Date): number {
  const day = ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return ((day << 16) | time) >>> 0
}
