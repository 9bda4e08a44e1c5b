import { message } from '#messages/message.ts'
import { hashOf } from '#platform/crypto.ts'
import { ServiceError } from '#platform/errors.ts'
import { createLru } from '#platform/lru.ts'
import { longestBlockLocation, mostHtml } from '#platform/markdown/limits.ts'
import { type JobClient, openWorkerPool, ThreadEnded } from '#platform/worker-pool.ts'
import type { Manuscript, Rendering } from './render-piece.ts'

/** Runs `renderPiece` in worker threads, for previews and publications. */
export interface Renderer {
  /** Each asker has a share of the threads and of their queue. */
  render(manuscript: Manuscript, asker: JobClient): Promise<Rendering>
  close(): Promise<void>
}

/** Queued jobs per asker: together with the running one they end within a request's 8 s, however slow they are. */
const maxQueuedEach = 2

/** The longest possible text takes a sixteenth of it. */
const cacheSize = 32 * mostHtml

/**
 * The time limits are a last resort: the slowest known body takes a second of processor time (test/pieces/rendering.test.ts).
 * By the clock there is more, since a busy machine must not make a text too large.
 */
export function createRenderer({ threads = 2, milliseconds = 2_000, processorMilliseconds = 1_500 } = {}): Renderer {
  const pool = openWorkerPool<Manuscript, Rendering>({
    file: new URL('./thread.ts', import.meta.url),
    threads,
    milliseconds,
    processorMilliseconds,
    megabytes: 128,
    mostWaiting: 50,
    each: { threads: Math.max(1, threads - 1), waiting: maxQueuedEach, refusal: shareUsed },
  })
  const cache = createLru<Rendering | ServiceError>(cacheSize)
  const inProgress = new Map<string, InProgress>()

  async function renderAndCache(manuscript: Manuscript, name: string, asker: JobClient): Promise<Rendering> {
    try {
      const rendering = await pool.run(manuscript, asker)
      cache.set(name, rendering, weightOf(rendering))
      return rendering
    } catch (error) {
      // Not cached: processor time differs a little from one time to the next.
      if (error instanceof ThreadEnded) throw tooMuch(error, manuscript.body_md)
      if (error instanceof ServiceError && error.reason === 'render_too_large') cache.set(name, error, 1_000)
      throw error
    }
  }

  function begin(manuscript: Manuscript, name: string, key: string, by: string): InProgress {
    const controller = new AbortController()
    const result = renderAndCache(manuscript, name, { by, signal: controller.signal })
    const forget = () => inProgress.get(key) === one && inProgress.delete(key)
    const stop = (why: unknown) => {
      forget()
      controller.abort(why)
    }
    const one: InProgress = { result, stop, waiting: 0 }
    inProgress.set(key, one)
    result.then(forget, forget)
    return one
  }

  return {
    async render({ headline, sub, body_md, pictures = {} }, { by, signal }) {
      const manuscript = { headline, sub, body_md, pictures }
      const name = hashOf(JSON.stringify(manuscript)).toString('base64')
      const found = cache.get(name)
      if (found instanceof ServiceError) throw found
      if (found) return found
      // Jobs are shared within one asker only, so nobody waits for another asker's turn in the queue.
      const key = `${by} ${name}`
      const one = inProgress.get(key) ?? begin(manuscript, name, key, by)
      return await waitFor(one, signal)
    },
    close: pool.close,
  }
}

/** A running job; aborted when nobody waits for it any more. */
interface InProgress {
  readonly result: Promise<Rendering>
  readonly stop: (why: unknown) => void
  waiting: number
}

function waitFor(one: InProgress, signal: AbortSignal | undefined): Promise<Rendering> {
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
  new ServiceError(429, 'rate_limited', message('error.renders_busy'), { headers: { 'retry-after': '2' } })

function tooMuch({ over }: ThreadEnded, body: string): ServiceError {
  const detail = message('error.render_too_slow', { over, ...longestBlockLocation(body) })
  return new ServiceError(422, 'render_too_large', detail, {
    errors: [{ pointer: '/body_md', code: 'render_too_large', detail: `takes too much ${over} to render` }],
  })
}
