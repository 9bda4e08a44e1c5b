/** Detects the image format by its first bytes. Content types and file names are ignored. */

export type Shape = 'page' | 'portrait' | 'card'

/** A smaller copy of a stored image: its width and format. */
export const variantFormats = ['avif', 'webp'] as const
export type VariantFormat = (typeof variantFormats)[number]
export type Variant = `${number}.${VariantFormat}`

export const formatOfVariant = (variant: Variant): VariantFormat => variant.split('.')[1] as VariantFormat

export const mostPixels = 40_000_000

/** An image re-encoded from its pixels, or why it was rejected. */
export type Decoded =
  | { readonly bytes: Buffer; readonly width: number; readonly height: number }
  | {
      /** `busy` if it had too little processor time for that to be its own fault. */
      readonly refused: 'pixels' | 'slow' | 'busy' | 'damaged'
      readonly millions?: number
      readonly bytes?: undefined
    }

export type Format = 'jpeg' | 'png' | 'webp' | 'gif' | 'avif' | 'heic'

const ascii = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

/** Undefined for everything else, such as SVG and other formats of libvips: only these six are read. */
export function formatOf(bytes: Buffer): Format | undefined {
  if (bytes.length < 16) return undefined
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'jpeg'
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png'
  if (/^GIF8[79]a$/.test(ascii(bytes, 0, 6))) return 'gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'webp'
  if (ascii(bytes, 4, 8) !== 'ftyp') return undefined
  const brands = brandsOf(bytes)
  return /avif|avis/.test(brands) ? 'avif' : /hei[cxms]|mif1/.test(brands) ? 'heic' : undefined
}

/** The brands in the first box of an ISO media file. */
const brandsOf = (bytes: Buffer): string => ascii(bytes, 8, Math.min(bytes.readUInt32BE(0), 64))

let loaded: Promise<typeof import('sharp')['default']> | undefined

/** Loaded with the first image: 15 MB, which no other command needs. One core per image. */
export function libvips(): Promise<typeof import('sharp')['default']> {
  loaded ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false)
    sharp.concurrency(1)
    return sharp
  })
  return loaded
}
