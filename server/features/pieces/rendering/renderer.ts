import { ServiceError } from '#platform/errors.ts'
import { createLru } from '#platform/lru.ts'
import { longestPlace } from '#platform/markdown/error-location.ts'
import { mostHtml } from '#platform/markdown/limits.ts'
import { hashOf } from '#platform/secret.ts'
import { type JobAsker, openWorkerPool, ThreadEnded } from '#platform/worker-pool.ts'
import type { Manuscript, Rendering } from '../rendering.ts'

/** `renderPiece` away from the event loop, for the desk's preview and for whatever makes a revision public. */
export interface Renderer {
  /** At the cost of who asks: each has a share of the threads, and of the queue before them. */
  render(manuscript: Manuscript, asker: JobAsker): Promise<Rendering>
  close(): Promise<void>
}

/** What one asker may have waiting: with the one at work they end within a request's 8 s, however slow they are. */
const mostWaitingEach = 2

/** The longest text there can be takes a sixteenth of it. */
const room = 32 * mostHtml

/** Two seconds are the last wall, not the usual one: the slowest body known takes half of it (test/pieces/rendering.test.ts). */
export function createRenderer({ threads = 2, milliseconds = 2_000 } = {}): Renderer {
  const pool = openWorkerPool<Manuscript, Rendering>({
    file: new URL('./thread.ts', import.meta.url),
    threads,
    milliseconds,
    megabytes: 128,
    mostWaiting: 50,
    each: { threads: Math.max(1, threads - 1), waiting: mostWaitingEach, refusal: shareUsed },
  })
  const kept = createLru<Rendering | ServiceError>(room)
  const inHand = new Map<string, InHand>()

  async function renderAndKeep(manuscript: Manuscript, name: string, asker: JobAsker): Promise<Rendering> {
    try {
      const rendering = await pool.run(manuscript, asker)
      kept.set(name, rendering, weightOf(rendering))
      return rendering
    } catch (error) {
      // On a machine that is less busy it may be done in time: that is not kept.
      if (error instanceof ThreadEnded) throw tooMuch(error, manuscript.body_md)
      if (error instanceof ServiceError && error.reason === 'render_too_large') kept.set(name, error, 1_000)
      throw error
    }
  }

  function begin(manuscript: Manuscript, name: string, key: string, by: string): InHand {
    const controller = new AbortController()
    const result = renderAndKeep(manuscript, name, { by, signal: controller.signal })
    const forget = () => inHand.get(key) === one && inHand.delete(key)
    const stop = (why: unknown) => {
      forget()
      controller.abort(why)
    }
    const one: InHand = { result, stop, waiting: 0 }
    inHand.set(key, one)
    result.then(forget, forget)
    return one
  }

  return {
    async render({ headline, sub, body_md, pictures = {} }, { by, signal }) {
      const manuscript = { headline, sub, body_md, pictures }
      const name = hashOf(JSON.stringify(manuscript)).toString('base64')
      const found = kept.get(name)
      if (found instanceof ServiceError) throw found
      if (found) return found
      // Of one asker only: nobody waits in another's place of the queue.
      const key = `${by} ${name}`
      const one = inHand.get(key) ?? begin(manuscript, name, key, by)
      return await awaited(one, signal)
    },
    close: pool.close,
  }
}

/** A text that is being rendered, until nobody waits for it. */
interface InHand {
  readonly result: Promise<Rendering>
  readonly stop: (why: unknown) => void
  waiting: number
}

function awaited(one: InHand, signal: AbortSignal | undefined): Promise<Rendering> {
  one.waiting += 1
  return new Promise((resolve, reject) => {
    const leave = () => {
      one.waiting -= 1
      if (one.waiting === 0) one.stop(signal?.reason)
      reject(signal?.reason)
    }
    if (signal?.aborted) leave()
    else signal?.addEventListener('abort', leave, { once: true })
    one.result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', leave))
  })
}

const weightOf = ({ html, text, body_folded }: Rendering): number => html.length + text.length + body_folded.length

const shareUsed = () =>
  new ServiceError(
    429,
    'rate_limited',
    'Several of your previews and publications are being worked on. Wait for them to finish, then try again.',
    { headers: { 'retry-after': '2' } },
  )

function tooMuch({ over }: ThreadEnded, body: string): ServiceError {
  const detail = `Setting this text takes too much ${over}. Its longest part is ${longestPlace(body)}. Shorten that, or split the piece.`
  return new ServiceError(422, 'render_too_large', detail, {
    errors: [{ pointer: '/body_md', code: 'render_too_large', detail: `takes too much ${over} to set` }],
  })
}
