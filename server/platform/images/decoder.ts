import { buffer } from 'node:stream/consumers'
import type { Sharp } from 'sharp'
import { type Decoded, formatOf, libvips, mostPixels, type Shape } from './formats.ts'

/**
 * The process that decodes one image, started by `decode.ts` without privileges: bytes arrive on standard input and
 * leave on standard output after a line of JSON. libvips parses untrusted files; if it is exploited, there is no
 * secret, no database and no other image in this process.
 */

const longestSide = 2_000
const portraitSide = 512
/** Twice the size at which it is shown. */
const cardSize = { width: 480, height: 252 } as const
/** For decoding, and for each encoding, by the clock. What had less processor time was delayed by others. */
const seconds = 4
const processorSeconds = 3

/** Photographs of 720 pixels take 52 and 82 kB; quality 90 adds half as much again without a visible difference. */
const quality = 82

/** Extra bytes that lossless pixels are worth. */
const slight = 2_048

/** Why a picture was refused where it was found, by `heic.ts` or here. */
type Refusal = Error & { readonly refused?: 'pixels' | 'slow' | 'busy' | 'damaged'; readonly pixels?: number }

const shape = process.argv[2] as Shape
const sharp = await libvips()
const { bytes = Buffer.alloc(0), ...line } = await decoded(await buffer(process.stdin))
process.stdout.write(`${JSON.stringify(line)}\n`)
process.stdout.end(bytes)

async function decoded(given: Buffer): Promise<Decoded> {
  try {
    const bytes = formatOf(given) === 'heic' ? await readHeic(given) : given
    const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > mostPixels) return tooLarge(width * height)
    const read = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 })
    const upright = sized(read.autoOrient()).toColourspace('srgb').raw({ depth: 'uchar' })
    const { data, info } = await inTime(upright)
    const pixels = { raw: { width: info.width, height: info.height, channels: info.channels } } as const
    const { data: photograph } = await inTime(sharp(data, pixels).webp({ quality, effort: 4 }))
    const drawn = isDrawn(format, bytes.length / (width * height))
      ? (await inTime(sharp(data, pixels).webp({ lossless: true, effort: 0 }))).data
      : photograph
    const kept = drawn.length <= photograph.length + slight ? drawn : photograph
    return { bytes: kept, width: info.width, height: info.height }
  } catch (error) {
    const { message, refused, pixels } = error as Refusal
    if (refused) return pixels ? tooLarge(pixels) : { refused }
    return { refused: /pixel limit/.test(message) ? 'pixels' : 'damaged' }
  }
}

async function inTime(work: Sharp) {
  const before = process.cpuUsage()
  try {
    return await work.timeout({ seconds }).toBuffer({ resolveWithObject: true })
  } catch (error) {
    if (!/^timeout/.test((error as Error).message)) throw error
    const { user, system } = process.cpuUsage(before)
    const refused = user + system < processorSeconds * 1e6 ? 'busy' : 'slow'
    throw Object.assign(error as Error, { refused })
  }
}

function tooLarge(pixels: number): Decoded {
  return { refused: 'pixels', millions: Math.round(pixels / 1_000_000) }
}

/** As an image that libvips reads. Loaded when there is one: 0.1 s, and 2 s for a photograph of 12 million pixels. */
async function readHeic(bytes: Buffer): Promise<Buffer> {
  const { pixelsOf, tiffOf } = await import('./heic.ts')
  return tiffOf(pixelsOf(bytes, mostPixels))
}

function sized(picture: Sharp): Sharp {
  if (shape === 'card') return picture.resize({ ...cardSize, fit: 'cover', position: 'attention' })
  return shape === 'portrait'
    ? picture.resize(portraitSide, portraitSide, { fit: 'cover', position: 'attention' })
    : picture.resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
}

/**
 * Screenshots and drawings: kept lossless where that is hardly larger. Photographs have two bytes per pixel in such
 * files; trying would take a second and never be smaller.
 */
function isDrawn(format: string, bytesAPixel: number): boolean {
  return (format === 'png' || format === 'gif') && bytesAPixel < 1
}
