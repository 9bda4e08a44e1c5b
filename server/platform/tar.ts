import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'

/**
 * Tar archives that any system can unpack, so that our files can be read without us. Reading is strict: an archive must
 * be byte for byte what we would have written.
 */

const block = 512
const chunk = 1 << 18
/** Larger sizes use the binary form, which GNU tar, BSD tar and Python also read. */
const largestOctal = 8 ** 11 - 1

export interface Written {
  readonly size: number
  readonly sha256: string
}

export interface TarWriter {
  add(name: string, bytes: Buffer): Promise<void>
  /** For content of unknown size: its header is filled in at the end. */
  stream(name: string, source: AsyncIterable<Buffer>): Promise<Written>
  end(): Promise<void>
}

/** Writes from the start of a file opened for writing. All entries have the same modification time. */
export function tarInto(file: FileHandle, modified: Date): TarWriter {
  let offset = 0
  const append = async (bytes: Buffer): Promise<void> => {
    await writeWhole(file, bytes, offset)
    offset += bytes.length
  }
  const pad = (size: number) => append(Buffer.alloc(paddingOf(size)))
  return {
    async add(name, bytes) {
      await append(Buffer.concat([headerOf(name, bytes.length, modified), bytes]))
      await pad(bytes.length)
    },
    async stream(name, source) {
      const start = offset
      const hash = createHash('sha256')
      await append(Buffer.alloc(block))
      for await (const bytes of source) {
        hash.update(bytes)
        await append(bytes)
      }
      const size = offset - start - block
      await pad(size)
      await writeWhole(file, headerOf(name, size, modified), start)
      return { size, sha256: hash.digest('hex') }
    },
    end: () => append(Buffer.alloc(2 * block)),
  }
}

/** Not an archive of ours, or damaged. */
export class TarDamaged extends Error {}

export interface TarEntry {
  readonly name: string
  readonly size: number
  /** Must be read before the next entry is requested, or not at all. */
  readonly content: AsyncIterable<Buffer>
}

export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry> {
  let offset = 0
  for (;;) {
    const header = await readWhole(file, block, offset)
    offset += block
    if (isZero(header)) break
    const { name, size, modified } = fieldsOf(header)
    if (!header.equals(headerOf(name, size, modified))) throw new TarDamaged('the header of an entry is damaged')
    yield { name, size, content: contentAt(file, offset, size) }
    offset += size
    const padding = await readWhole(file, paddingOf(size), offset)
    if (!isZero(padding)) throw new TarDamaged('there is something between two entries')
    offset += padding.length
  }
  const rest = await readWhole(file, block, offset)
  const { size } = await file.stat()
  if (!isZero(rest) || size !== offset + block) throw new TarDamaged('there is something after the end')
}

async function* contentAt(file: FileHandle, start: number, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const bytes = await readWhole(file, Math.min(chunk, size - at), start + at)
    at += bytes.length
    yield bytes
  }
}

const paddingOf = (size: number): number => (block - (size % block)) % block
const isZero = (bytes: Buffer): boolean => bytes.every((byte) => byte === 0)

export function headerOf(name: string, size: number, modified: Date): Buffer {
  const header = Buffer.alloc(block)
  header.write(name, 0, 100)
  const octal = (value: number, at: number, width: number) => header.write(value.toString(8).padStart(width, '0'), at)
  octal(0o600, 100, 7)
  octal(0, 108, 7)
  octal(0, 116, 7)
  if (size <= largestOctal) octal(size, 124, 11)
  else {
    header.writeUInt8(0x80, 124)
    header.writeBigUInt64BE(BigInt(size), 128)
  }
  octal(Math.floor(modified.getTime() / 1000), 136, 11)
  header.write('        0', 148)
  header.write('ustar\u000000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148)
  return header
}

/** Parses any bytes: the caller compares the result with the header. */
function fieldsOf(header: Buffer): { name: string; size: number; modified: Date } {
  const text = (start: number, end: number) => header.toString('utf8', start, end).replace(/\0.*$/s, '')
  const octal = (start: number, end: number) => {
    const digits = text(start, end)
    if (!/^[0-7]{1,12}$/.test(digits)) throw new TarDamaged('the header of an entry is damaged')
    return Number.parseInt(digits, 8)
  }
  const size = header[124] === 0x80 ? Number(header.readBigUInt64BE(128)) : octal(124, 136)
  return { name: text(0, 100), size, modified: new Date(octal(136, 148) * 1000) }
}

async function writeWhole(file: FileHandle, bytes: Buffer, offset: number): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, offset + at)
    at += bytesWritten
  }
}

async function readWhole(file: FileHandle, length: number, offset: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; ) {
    const { bytesRead } = await file.read(bytes, at, length - at, offset + at)
    if (bytesRead === 0) throw new TarDamaged('it ends too early')
    at += bytesRead
  }
  return bytes
}
