import { overloaded, type ServiceError } from '../../errors.ts'
import { openWorkerPool, ThreadEnded } from '../../worker-pool.ts'
import { libvips } from '../libvips.ts'
import type { Poster } from './poster.ts'

/** Draws posters as PNG, 1200 × 630, away from the event loop. */
export interface Drawer {
  draw(poster: Poster): Promise<Buffer>
  close(): Promise<void>
}

/**
 * Laid out in a thread (some 25 ms), then painted by libvips in one of its own (some 60 ms), one picture after the other:
 * on two cores that leaves one for everybody else. The last pictures are kept, since whoever shows a link asks more than
 * once, and a site may have no edge.
 */
export function createDrawer({ milliseconds = 2_000, mostAtOnce = 10, mostKept = 64 } = {}): Drawer {
  const layouts = openWorkerPool<Poster, string>({
    file: new URL('./thread.ts', import.meta.url),
    threads: 1,
    milliseconds,
    megabytes: 128,
    mostWaiting: 1,
  })
  const kept = new Map<string, Promise<Buffer>>()
  let inHand = 0
  let before: Promise<unknown> = Promise.resolve()

  async function drawn(poster: Poster): Promise<Buffer> {
    if (inHand >= mostAtOnce) throw overloaded('Many pictures are being drawn. Try again in a moment.')
    inHand++
    const picture = before.then(async () => paint(await layouts.run(poster)))
    before = picture.catch(() => {})
    try {
      return await picture
    } catch (error) {
      throw isTooSlow(error) ? tooMuch(error) : error
    } finally {
      inHand--
    }
  }

  function draw(poster: Poster): Promise<Buffer> {
    const key = JSON.stringify(poster)
    const picture = kept.get(key) ?? drawn(poster)
    // Last in the order again: the first of it is the one nobody asked for longest.
    kept.delete(key)
    kept.set(key, picture)
    picture.catch(() => kept.get(key) === picture && kept.delete(key))
    for (const oldest of kept.keys()) {
      if (kept.size <= mostKept) break
      kept.delete(oldest)
    }
    return picture
  }

  return { draw, close: layouts.close }
}

async function paint(svg: string): Promise<Buffer> {
  const sharp = await libvips()
  // Ink on paper has few colours: from a palette it is half as large, and looks the same.
  return sharp(Buffer.from(svg)).timeout({ seconds: 2 }).png({ palette: true, effort: 1, dither: 0 }).toBuffer()
}

/** libvips says so with a word. */
const isTooSlow = (error: unknown): boolean =>
  error instanceof ThreadEnded || (error instanceof Error && error.message.startsWith('timeout'))

function tooMuch(cause: unknown): ServiceError {
  const refusal = overloaded('The picture took too long to draw. Try again in a moment.')
  refusal.cause = cause
  return refusal
}
