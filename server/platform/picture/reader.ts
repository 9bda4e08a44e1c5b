import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { overloaded, ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { formatOf, isHeic } from './formats.ts'
import { libvips } from './libvips.ts'

/** A picture as the house keeps it: WebP in sRGB, upright, of a size for pages, with nothing in it but what is seen. */
export interface Picture {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly bytes: Buffer
  readonly type: 'image/webp'
  readonly width: number
  readonly height: number
}

export const largestUpload = 20 * 1024 * 1024
const mostPixels = 40_000_000
const longestSide = 2_000
const portraitSide = 512
/** For reading and for each writing. */
const seconds = 4
/** On two cores that leaves one for everybody else most of the time. */
const atOnce = 2
/** So that an account that sends many pictures, or slow ones, never holds up another. */
const atOnceEach = 1
const waiting = 6

/** Photographs of 720 pixels take 52 and 82 kB so, at 90 half as much again with nothing to see for it. */
const quality = 82

/** Bytes more that pixels as they were are worth. */
const slight = 2_048

type Shape = 'page' | 'portrait'

export type ReadPicture = (bytes: Buffer, shape: Shape, by: string, signal?: AbortSignal) => Promise<Picture>

/**
 * Makes it anew from its pixels, the first of them where it moves: whatever else was in the file, of its camera, its
 * place or its maker's making, is gone.
 */
export function createPictureReader(): ReadPicture {
  const queue = createFairQueue({
    atOnce,
    atOnceEach,
    waiting,
    waitingEach: waiting,
    refuse: () => overloaded('Many pictures are being read. Try again in a moment.'),
  })

  return async (bytes, shape, by, signal) => {
    demandPicture(bytes)
    const leave = await queue.enter(by, signal)
    try {
      return await readPicture(bytes, shape)
    } finally {
      leave()
    }
  }
}

function demandPicture(bytes: Buffer): void {
  if (formatOf(bytes)) return
  const hint = isHeic(bytes)
    ? 'This is a HEIC picture. Save it as JPEG'
    : 'This is no picture we can read. Save it as JPEG, PNG, WebP, GIF or AVIF'
  throw new ServiceError(415, 'unsupported_media_type', `${hint}, then upload it again.`)
}

async function readPicture(bytes: Buffer, shape: Shape): Promise<Picture> {
  const sharp = await libvips()
  try {
    const { width, height, format } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (width * height > mostPixels) throw tooLarge(width, height)
    const read = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error', pages: 1 }).timeout({ seconds })
    const { data, info } = await sized(read.autoOrient(), shape)
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true })
    const pixels = { raw: { width: info.width, height: info.height, channels: info.channels } } as const
    const written = () => sharp(data, pixels).timeout({ seconds })
    const photograph = await written().webp({ quality, effort: 4 }).toBuffer()
    const drawn = isDrawn(format, bytes.length / (width * height))
      ? await written().webp({ lossless: true, effort: 0 }).toBuffer()
      : photograph
    const kept = drawn.length <= photograph.length + slight ? drawn : photograph
    const hash = createHash('sha256').update(kept).digest('hex')
    return { hash, bytes: kept, type: 'image/webp', width: info.width, height: info.height }
  } catch (error) {
    throw error instanceof ServiceError ? error : unreadable(error as Error)
  }
}

const sized = (picture: Sharp, shape: Shape): Sharp =>
  shape === 'portrait'
    ? picture.resize(portraitSide, portraitSide, { fit: 'cover', position: 'attention' })
    : picture.resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })

/**
 * Screenshots and drawings: where every pixel as it was takes hardly more room, every pixel stays. A photograph takes two
 * bytes a pixel in such files; trying would cost a second and never be smaller.
 */
const isDrawn = (format: string, bytesAPixel: number): boolean =>
  (format === 'png' || format === 'gif') && bytesAPixel < 1

const tooLarge = (width: number, height: number) =>
  new ServiceError(
    413,
    'payload_too_large',
    `This picture has ${Math.round((width * height) / 1_000_000)} million pixels. Make it smaller: 40 million are the most.`,
  )

function unreadable(cause: Error): ServiceError {
  const refusal = /^timeout/.test(cause.message)
    ? new ServiceError(
        413,
        'payload_too_large',
        'This picture takes too long to read. Make it smaller, then upload it again.',
      )
    : /pixel limit/.test(cause.message)
      ? new ServiceError(
          413,
          'payload_too_large',
          'This picture has too many pixels. Make it smaller: 40 million are the most.',
        )
      : new ServiceError(
          400,
          'validation_failed',
          'This picture is damaged. Open it, save it anew, then upload it again.',
        )
  refusal.cause = cause
  return refusal
}
