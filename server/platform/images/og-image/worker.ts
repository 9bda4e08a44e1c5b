import { overloaded, type ServiceError } from '../../errors.ts'
import { openWorkerPool, ThreadEnded } from '../../worker-pool.ts'
import { libvips } from '../formats.ts'
import type { OgImageContent } from './poster.ts'

/** Draws preview images as PNG, 1200 × 630, outside of the event loop. */
export interface OgImageRenderer {
  draw(poster: OgImageContent): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Layout runs in a thread (about 4 ms, more where fonts are read), then libvips rasterizes in its own (about 60 ms), one image at a time: on two
 * cores that leaves one free. The last images are cached, since sites that show a link request it several times, and
 * there may be no CDN.
 */
export function createOgImageRenderer({
  milliseconds = 2_000,
  maxInProgress = 10,
  maxCached = 64,
} = {}): OgImageRenderer {
  const layouts = openWorkerPool<OgImageContent, string>({
    file: new URL('./thread.ts', import.meta.url),
    threads: 1,
    milliseconds,
    megabytes: 128,
    mostWaiting: 1,
  })
  const cached = new Map<string, Promise<Buffer>>()
  let inProgress = 0
  let before: Promise<unknown> = Promise.resolve()

  async function drawn(poster: OgImageContent): Promise<Buffer> {
    if (inProgress >= maxInProgress) throw overloaded('Many pictures are being drawn. Try again in a moment.')
    inProgress++
    const picture = before.then(async () => paint(await layouts.run(poster)))
    before = picture.catch(() => {})
    try {
      return await picture
    } catch (error) {
      throw isTooSlow(error) ? tooMuch(error) : error
    } finally {
      inProgress--
    }
  }

  function draw(poster: OgImageContent): Promise<Buffer> {
    const key = JSON.stringify(poster)
    const picture = cached.get(key) ?? drawn(poster)
    // Moves it to the end: the first entry is the least recently used.
    cached.delete(key)
    cached.set(key, picture)
    picture.catch(() => cached.get(key) === picture && cached.delete(key))
    for (const oldest of cached.keys()) {
      if (cached.size <= maxCached) break
      cached.delete(oldest)
    }
    return picture
  }

  return { draw, close: layouts.close }
}

async function paint(svg: string): Promise<Buffer> {
  const sharp = await libvips()
  // Few colours: a palette halves the size with no visible difference.
  return sharp(Buffer.from(svg)).timeout({ seconds: 2 }).png({ palette: true, effort: 1, dither: 0 }).toBuffer()
}

/** libvips reports timeouts only in its message. */
const isTooSlow = (error: unknown): boolean =>
  error instanceof ThreadEnded || (error instanceof Error && error.message.startsWith('timeout'))

function tooMuch(cause: unknown): ServiceError {
  const refusal = overloaded('The picture took too long to draw. Try again in a moment.')
  refusal.cause = cause
  return refusal
}
