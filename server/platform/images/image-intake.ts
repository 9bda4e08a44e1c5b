import { createHash } from 'node:crypto'
import { message } from '#messages/message.ts'
import { overloaded, ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { decode } from './decode.ts'
import { formatOf, type Shape } from './formats.ts'

/** An image as stored: WebP in sRGB, upright, sized for pages, without metadata. */
export interface Picture {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string
  readonly bytes: Buffer
  readonly type: 'image/webp'
  readonly width: number
  readonly height: number
}

export const largestUpload = 20 * 1024 * 1024
/** On two cores that leaves one free most of the time. */
const atOnce = 2
/** So that an account with many or slow images does not delay others. */
const atOnceEach = 1
const waiting = 6

export type ReadPicture = (bytes: Buffer, shape: Shape, by: string, signal?: AbortSignal) => Promise<Picture>

/**
 * Re-encodes an image from its pixels (the first frame of an animation): metadata such as camera and location is
 * removed.
 */
export function createPictureReader(): ReadPicture {
  const queue = createFairQueue({
    atOnce,
    atOnceEach,
    waiting,
    waitingEach: waiting,
    refuse: () => overloaded(message('error.busy_pictures')),
  })

  return async (bytes, shape, by, signal) => {
    assertPicture(bytes)
    const leave = await queue.enter(by, signal)
    try {
      return await readPicture(bytes, shape, signal)
    } finally {
      leave()
    }
  }
}

function assertPicture(bytes: Buffer): void {
  if (!formatOf(bytes)) throw new ServiceError(415, 'unsupported_media_type', message('error.picture_format'))
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
      millions === undefined ? message('error.picture_too_many_pixels') : message('error.picture_pixels', { millions }),
    ),
  slow: () => new ServiceError(413, 'payload_too_large', message('error.picture_slow')),
  busy: () => overloaded(message('error.busy_pictures')),
  damaged: () => new ServiceError(400, 'validation_failed', message('error.picture_damaged')),
}
