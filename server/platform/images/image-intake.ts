import { createHash } from 'node:crypto'
import { overloaded, ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { decode } from './decoding.ts'
import { formatOf, isHeic, type Shape } from './formats.ts'

/** A picture as the site keeps it: WebP in sRGB, upright, of a size for pages, with nothing in it but what is seen. */
export interface Picture {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly bytes: Buffer
  readonly type: 'image/webp'
  readonly width: number
  readonly height: number
}

export const largestUpload = 20 * 1024 * 1024
/** On two cores that leaves one for everybody else most of the time. */
const atOnce = 2
/** So that an account that sends many pictures, or slow ones, never holds up another. */
const atOnceEach = 1
const waiting = 6

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
      return await readPicture(bytes, shape, signal)
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

async function readPicture(bytes: Buffer, shape: Shape, signal?: AbortSignal): Promise<Picture> {
  const decoded = await decode(bytes, shape, signal)
  if (!decoded.bytes) throw refusals[decoded.refused](decoded.millions)
  const { bytes: kept, width, height } = decoded
  const hash = createHash('sha256').update(kept).digest('hex')
  return { hash, bytes: kept, type: 'image/webp', width, height }
}

const refusals = {
  pixels: (millions?: number) =>
    new ServiceError(
      413,
      'payload_too_large',
      `This picture has ${millions === undefined ? 'too many' : `${millions} million`} pixels. Make it smaller: 40 million are the most.`,
    ),
  slow: () =>
    new ServiceError(
      413,
      'payload_too_large',
      'This picture takes too long to read. Make it smaller, then upload it again.',
    ),
  damaged: () =>
    new ServiceError(400, 'validation_failed', 'This picture is damaged. Open it, save it anew, then upload it again.'),
}
