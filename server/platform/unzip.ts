import { crc32, inflateRawSync } from 'node:zlib'

/** A file of an archive, read when it is asked for. */
export interface ZippedFile {
  readonly name: string
  read(): Buffer
}

/** An archive that is none, is encrypted or has more in it than it may. */
export class UnzipError extends Error {}

/** Of one file when unpacked. What says less and holds more is refused by the engine itself. */
const largestFile = 2 ** 28

/** The files of an archive, by the list at its end. Names are what the archive says: nobody should write to them. */
export function unzip(archive: Buffer): ZippedFile[] {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]))
  if (end === -1 || end + 22 > archive.length) throw new UnzipError('is no zip archive, or its end is missing')
  let [count, at] = [archive.readUInt16LE(end + 10), archive.readUInt32LE(end + 16)]
  if (count === 0xffff || at === 0xffffffff) [count, at] = longEnd(archive, end)
  const files: ZippedFile[] = []
  for (let seen = 0; seen < count; seen += 1) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== 0x02014b50) throw new UnzipError('has a broken list')
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => archive.readUInt16LE(at + place)) as [
      number,
      number,
      number,
    ]
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const line = at
    if (!name.endsWith('/')) files.push({ name, read: () => contentOf(archive, line, name) })
    at += 46 + nameLength + extra + comment
  }
  return files
}

/** From 65,535 files on, their number and their place have a record of their own. */
function longEnd(archive: Buffer, end: number): [count: number, at: number] {
  const place =
    end >= 20 && archive.readUInt32LE(end - 20) === 0x07064b50 ? Number(archive.readBigUInt64LE(end - 12)) : -1
  if (place < 0 || place + 56 > archive.length || archive.readUInt32LE(place) !== 0x06064b50) {
    throw new UnzipError('has a broken list')
  }
  return [Number(archive.readBigUInt64LE(place + 32)), Number(archive.readBigUInt64LE(place + 48))]
}

function contentOf(archive: Buffer, line: number, name: string): Buffer {
  const [flags, method] = [archive.readUInt16LE(line + 8), archive.readUInt16LE(line + 10)]
  const [packed, size, start] = [20, 24, 42].map((place) => archive.readUInt32LE(line + place)) as [
    number,
    number,
    number,
  ]
  if (flags & 1) throw new UnzipError(`has ${name} encrypted`)
  if (size > largestFile || start + 30 > archive.length) throw new UnzipError(`has ${name} too large or out of place`)
  const from = start + 30 + archive.readUInt16LE(start + 26) + archive.readUInt16LE(start + 28)
  const content = unpacked(archive.subarray(from, from + packed), method, name)
  if (crc32(content) !== archive.readUInt32LE(line + 16)) throw new UnzipError(`has ${name} damaged`)
  return content
}

function unpacked(bytes: Buffer, method: number, name: string): Buffer {
  if (method === 0) return bytes
  if (method !== 8) throw new UnzipError(`has ${name} packed in a way that is not read (${method})`)
  try {
    return inflateRawSync(bytes, { maxOutputLength: largestFile })
  } catch (error) {
    const isLarge = (error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE'
    throw new UnzipError(`has ${name} ${isLarge ? `larger than ${largestFile} bytes` : 'broken'}`)
  }
}
