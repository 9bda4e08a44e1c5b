import { ServiceError } from '#platform/errors.ts'
import { longestPlace } from '#platform/markdown/place.ts'
import { openThreads, ThreadEnded } from '#platform/threads.ts'
import type { Manuscript, Rendering } from '../rendering.ts'

/** `renderPiece` away from the event loop, for the desk's preview and for whatever makes a revision public. */
export interface Renderer {
  render(manuscript: Manuscript): Promise<Rendering>
  close(): Promise<void>
}

/** Two seconds are the last wall, not the usual one: the slowest body known takes half of it (test/rendering.test.ts). */
export function createRenderer({ threads = 2, milliseconds = 2_000 } = {}): Renderer {
  const pool = openThreads<Manuscript, Rendering>({
    file: new URL('./thread.ts', import.meta.url),
    threads,
    milliseconds,
    megabytes: 128,
    mostWaiting: 50,
  })
  return {
    async render({ headline, sub, body_md, pictures = {} }) {
      try {
        return await pool.run({ headline, sub, body_md, pictures })
      } catch (error) {
        throw error instanceof ThreadEnded ? tooMuch(error, body_md) : error
      }
    },
    close: pool.close,
  }
}

function tooMuch({ over }: ThreadEnded, body: string): ServiceError {
  const detail = `Setting this text takes too much ${over}. Its longest part is ${longestPlace(body)}. Shorten that, or split the piece.`
  return new ServiceError(422, 'render_too_large', detail, {
    errors: [{ pointer: '/body_md', code: 'render_too_large', detail: `takes too much ${over} to set` }],
  })
}
