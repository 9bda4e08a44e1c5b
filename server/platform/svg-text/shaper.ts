import { createLru } from '../lru.ts'
import { openWorkerPool } from '../worker-pool.ts'
import type { FittedText } from './fit.ts'

/** Fits text that must be shaped, or that the site's serif lacks, in a thread that starts with the first such text. */
export interface TextShaper {
  /** Undefined if this text needs no shaping, cannot be drawn or would take too long. */
  fit(text: string): Promise<FittedText | undefined>
  /** The same, but fails if it would take too long: for what is cached forever. */
  fitOrFail(text: string): Promise<FittedText | undefined>
  close(): Promise<void>
}

/** Latin, Cyrillic and Greek are drawn at once, in the event loop: 18 to 60 µs a line. */
const needsShaping = /[^\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}]/u

export interface ShapingJob {
  readonly text: string
  /** A BCP 47 tag: it decides the forms of Han characters in a name that has no other hint. */
  readonly language: string
}

/** Names drawn last; the longest tried has 19 kB of outlines. */
const mostCached = 200

/** Reading fonts that nobody asked for before takes 3 to 4 ms a file, in Chinese up to one a character, so it must not block the event loop. */
export function createTextShaper(language: string, { milliseconds = 1_000 } = {}): TextShaper {
  const threads = openWorkerPool<ShapingJob, FittedText>({
    file: new URL('./shaping-thread.ts', import.meta.url),
    threads: 1,
    milliseconds,
    megabytes: 64,
    mostWaiting: 50,
  })
  const drawn = createLru<{ readonly text: FittedText | undefined }>(mostCached)
  const fitOrFail = async (text: string): Promise<FittedText | undefined> => {
    if (!needsShaping.test(text)) return undefined
    const known = drawn.get(text)
    if (known) return known.text
    const fitted = await threads.run({ text, language })
    const found = fitted.path === undefined ? undefined : fitted
    drawn.set(text, { text: found }, 1)
    return found
  }
  return {
    fitOrFail,
    // Too much or too slow: the badge shows the name in the reader's font, and the next one tries again.
    fit: (text) => fitOrFail(text).catch(() => undefined),
    close: threads.close,
  }
}
