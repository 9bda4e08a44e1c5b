/**
 * How much of a zip has gone by, in uncompressed bytes: each file in a streamed one is followed by a record of its
 * sizes. That a compressed text holds the record's four first bytes by chance happens once in 4 GB, and costs a jump.
 */
export function zipProgress(): (chunk: Uint8Array) => number {
  let kept: Uint8Array = new Uint8Array(0)
  let unpacked = 0
  return (chunk) => {
    const bytes = new Uint8Array(kept.length + chunk.length)
    bytes.set(kept)
    bytes.set(chunk, kept.length)
    const view = new DataView(bytes.buffer)
    let at = 0
    for (; at + recordLength <= bytes.length; at += 1) {
      if (bytes[at] !== 0x50 || view.getUint32(at) !== signature) continue
      unpacked += view.getUint32(at + 12, true)
      at += recordLength - 1
    }
    kept = bytes.slice(at)
    return unpacked
  }
}

/** PK, 7, 8; a checksum; the compressed size; the size. */
const signature = 0x504b0708
const recordLength = 16
