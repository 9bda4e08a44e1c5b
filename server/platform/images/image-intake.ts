import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { message } from '#messages/message.ts'
import { overloaded, ServiceError } from '../errors.ts'
import { createFairQueue } from '../fair-queue.ts'
import { type Decoded, formatOf, isHeic, type Shape } from './formats.ts'

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
  if (formatOf(bytes)) return
  const detail = isHeic(bytes) ? message('error.picture_heic') : message('error.picture_format')
  throw new ServiceError(415, 'unsupported_media_type', detail)
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
  damaged: () => new ServiceError(400, 'validation_failed', message('error.picture_damaged')),
}

/** Decodes images in a sandboxed process: `decoder.ts`, one per image. */

/** Less than the time limit of an upload. */
const milliseconds = 15_000
/** Four times what 40 million pixels need. */
const megabytes = 1_024
const memoryCheckEvery = 100
const longestAnswer = 24 * 1024 * 1024

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const decoder = fileURLToPath(new URL('./decoder.ts', import.meta.url))
const packages = fileURLToPath(import.meta.resolve('sharp')).replace(/(\/node_modules\/).*$/, '$1')

/**
 * It may read its own code and packages, and load libvips. Node enforces that for JavaScript; native code is limited by
 * an empty environment and no open files.
 */
const permissions = [
  '--permission',
  '--allow-addons',
  `--allow-fs-read=${packages}`,
  `--allow-fs-read=${here('./')}`,
  `--allow-fs-read=${here('../../package.json')}`,
]

export async function decode(bytes: Buffer, shape: Shape, signal?: AbortSignal): Promise<Decoded> {
  const child = spawn(process.execPath, [...permissions, decoder, shape], { env: {}, cwd: '/' })
  const ended = Promise.withResolvers<Decoded>()
  const end = () => {
    ended.resolve({ refused: 'slow' })
    child.kill('SIGKILL')
  }
  const abandon = () => {
    ended.reject(signal?.reason)
    child.kill('SIGKILL')
  }
  signal?.addEventListener('abort', abandon, { once: true })
  const late = setTimeout(end, milliseconds)
  const memoryCheck = setInterval(() => megabytesOf(child) > megabytes && end(), memoryCheckEvery)
  child.on('error', () => ended.reject(overloaded(message('error.busy_pictures'))))
  child.on('spawn', () => preferForOomKill(child))
  // It may exit before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  answerOf(child).then(ended.resolve, ended.reject)
  try {
    return await ended.promise
  } finally {
    clearTimeout(late)
    clearInterval(memoryCheck)
    signal?.removeEventListener('abort', abandon)
  }
}

/** Its output is as untrusted as its input. */
async function answerOf({ stdout, stderr }: ChildProcessWithoutNullStreams): Promise<Decoded> {
  stderr.resume()
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stdout as AsyncIterable<Buffer>) {
    length += part.length
    if (length > longestAnswer) return { refused: 'damaged' }
    parts.push(part)
  }
  return readAnswer(Buffer.concat(parts))
}

export function readAnswer(answer: Buffer): Decoded {
  const end = answer.indexOf('\n')
  const { width, height, refused, millions } = parsed(answer.toString('utf8', 0, Math.max(0, end)))
  const bytes = answer.subarray(end + 1)
  if (refused === 'pixels' && isWhole(millions)) return { refused, millions }
  if (refused === 'pixels' || refused === 'slow') return { refused }
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
  return isWebp && isWhole(width) && isWhole(height) ? { bytes, width, height } : { refused: 'damaged' }
}

const isWhole = (given: unknown): given is number => Number.isSafeInteger(given) && (given as number) > 0

function parsed(line: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(line))
  } catch {
    return {}
  }
}

/** On systems with /proc; elsewhere only the number of pixels is limited. */
function megabytesOf({ pid }: ChildProcessWithoutNullStreams): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return 0
  }
}

/** Makes the kernel kill this process first when memory runs out. */
function preferForOomKill({ pid }: ChildProcessWithoutNullStreams): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000')
  } catch {}
}
