import { inflateSync } from 'node:zlib'

/** The tables of a WOFF 1.0 file by their names, each unpacked when it is asked for. */
export function readWoff(file: Buffer): (name: string) => Buffer {
  const places = new Map<string, { at: number; packed: number; length: number }>()
  for (let entry = 44, left = file.readUInt16BE(12); left > 0; entry += 20, left -= 1) {
    places.set(file.toString('latin1', entry, entry + 4), {
      at: file.readUInt32BE(entry + 4),
      packed: file.readUInt32BE(entry + 8),
      length: file.readUInt32BE(entry + 12),
    })
  }
  return (name) => {
    const place = places.get(name)
    if (!place) throw new Error(`the font has no table ${name}`)
    const bytes = file.subarray(place.at, place.at + place.packed)
    return place.packed < place.length ? inflateSync(bytes) : bytes
  }
}
