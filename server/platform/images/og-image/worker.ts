import type { OverlayOptions } from 'sharp'
import { overloaded, type ServiceError } from '../../errors.ts'
import { openWorkerPool, ThreadEnded } from '../../worker-pool.ts'
import { cropped, type Focus } from '../crop.ts'
import { libvips } from '../formats.ts'
import { type ComposedImage, type OgImageContent, panel, portraitSize } from './poster.ts'

/** Draws preview images as PNG, 1200 × 630, outside of the event loop. */
export interface OgImageRenderer {
  draw(poster: OgImageContent): Promise<Buffer>
  close(): Promise<void>
}

export interface OgImageOptions {
  /** The bytes of a stored picture; undefined if it is not there. */
  readonly readPicture: (hash: string) => Promise<Buffer | undefined>
  readonly milliseconds?: number
  readonly maxInProgress?: number
  readonly maxCached?: number
}

/**
 * Layout runs in a thread (about 4 ms, more where fonts are read), then libvips rasterizes in its own (about 60 ms), one image at a time: on two
 * cores that leaves one free. The last images are cached, since sites that show a link request it several times, and
 * there may be no CDN.
 */
export function createOgImageRenderer({
  readPicture,
  milliseconds = 2_000,
  maxInProgress = 10,
  maxCached = 64,
}: OgImageOptions): OgImageRenderer {
  const layouts = openWorkerPool<OgImageContent, ComposedImage>({
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
    const picture = before.then(() => painted(poster))
    before = picture.catch(() => {})
    try {
      return await picture
    } catch (error) {
      throw isTooSlow(error) ? tooMuch(error) : error
    } finally {
      inProgress--
    }
  }

  const crop = async (hash: string, width: number, height: number, focus?: Focus): Promise<Buffer | undefined> => {
    const bytes = await readPicture(hash)
    return bytes && cropped(bytes, width, height, focus)
  }

  async function painted(poster: OgImageContent): Promise<Buffer> {
    const { picture, portrait } = poster
    const beside = picture ? await crop(picture.hash, panel.width, panel.height, picture.focus) : undefined
    const face = portrait === null ? undefined : await crop(portrait, 2 * portraitSize, 2 * portraitSize)
    const shown = { ...poster, picture: beside ? picture : null, portrait: face ? portrait : null }
    return paint(await layouts.run(shown), beside, face)
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

async function paint(composed: ComposedImage, picture?: Buffer, face?: Buffer): Promise<Buffer> {
  const sharp = await libvips()
  const { svg, panel: left, portrait } = composed
  const drawn = sharp(Buffer.from(svg)).timeout({ seconds: 2 })
  if (!picture && !face) return drawn.png(fewColours).toBuffer()
  const parts: OverlayOptions[] = []
  if (picture) parts.push({ input: picture, raw: { ...panel, channels: 3 }, left, top: 0 })
  if (face && portrait) parts.push({ input: await rounded(sharp, face), ...portrait })
  return drawn
    .composite(parts)
    .png(picture ? manyColours : fewColours)
    .toBuffer()
}

/** A palette halves the size with no visible difference; photographs need all of it, and dots between its colours. */
const fewColours = { palette: true, effort: 1, dither: 0 } as const
const manyColours = { palette: true, effort: 3, dither: 0.8 } as const

/** Twice as many pixels as are shown, for a smooth edge. */
async function rounded(sharp: Awaited<ReturnType<typeof libvips>>, pixels: Buffer): Promise<Buffer> {
  const side = 2 * portraitSize
  const disc = `<svg width="${side}" height="${side}"><circle cx="${portraitSize}" cy="${portraitSize}" r="${portraitSize}"/></svg>`
  const cut = await sharp(pixels, { raw: { width: side, height: side, channels: 3 } })
    .ensureAlpha()
    .composite([{ input: Buffer.from(disc), blend: 'dest-in' }])
    .png()
    .toBuffer()
  return sharp(cut).resize(portraitSize, portraitSize).png().toBuffer()
}

/** libvips reports timeouts only in its message. */
const isTooSlow = (error: unknown): boolean =>
  error instanceof ThreadEnded || (error instanceof Error && error.message.startsWith('timeout'))

function tooMuch(cause: unknown): ServiceError {
  const refusal = overloaded('The picture took too long to draw. Try again in a moment.')
  refusal.cause = cause
  return refusal
}
