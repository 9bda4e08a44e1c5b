/** What a picture is, by its first bytes. What a request or a file's name says of it is not asked. */

export type Shape = 'page' | 'portrait'

export const mostPixels = 40_000_000

/** A picture made anew from its pixels, or why there is none. */
export type Decoded =
  | { readonly bytes: Buffer; readonly width: number; readonly height: number }
  | {
      readonly refused: 'pixels' | 'slow' | 'damaged'
      readonly millions?: number
      readonly bytes?: undefined
    }

export type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif'

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** Undefined for everything else, SVG and what libvips could read beside: only these five ever reach it. */
export function formatOf(bytes: Buffer): Format | undefined {
  if (bytes.length < 16) return undefined
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  if (ascii(bytes, 4, 8) === 'ftyp' && /avif|avis/.test(brandsOf(bytes))) return 'avif'
  return undefined
}

/** Of a file that is a series of boxes: the first names what it can be read as. */
const brandsOf = (bytes: Buffer): string => ascii(bytes, 8, Math.min(bytes.readUInt32BE(0), 64))

/** What phones write by themselves: worth a word of its own. */
export const isHeic = (bytes: Buffer): boolean =>
  bytes.length >= 16 && ascii(bytes, 4, 8) === 'ftyp' && /hei[cxms]|mif1/.test(brandsOf(bytes))
