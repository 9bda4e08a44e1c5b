/**
 * Tracks the uncompressed bytes of a streamed zip: each file is followed by a data descriptor with its sizes.
 * Compressed data contains the signature by chance once in 4 GB, which only makes the progress jump.
 */
export function zipProgress(): (chunk: Uint8Array) => number {
  let rest: Uint8Array = new Uint8Array(0)
  let unpacked = 0
  return (chunk) => {
    const bytes = new Uint8Array(rest.length + chunk.length)
    bytes.set(rest)
    bytes.set(chunk, rest.length)
    const view = new DataView(bytes.buffer)
    let at = 0
    for (; at + recordLength <= bytes.length; at += 1) {
      if (bytes[at] !== 0x50 || view.getUint32(at) !== signature) continue
      unpacked += view.getUint32(at + 12, true)
      at += recordLength - 1
    }
    rest = bytes.slice(at)
    return unpacked
  }
}

/** Signature PK 7 8, checksum, compressed size, size. */
const signature = 0x504b0708
const recordLength = 16
