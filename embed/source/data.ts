import { push } from './language.ts'
import { clock, fetchUrl, isOk, json, now, onSettled, statusOf, timeOut, warn } from './page.ts'
import type { ListedPiece, Writer } from './widgets.ts'

/** Fetches a writer's data: one request shared by all widgets that need it, repeated after a minute. */

const cacheMs = 60_000
const timeoutMs = 5_000

interface Waiting {
  readonly use: (answer: never) => void
  readonly without: () => void
}
interface Request {
  readonly at: number
  readonly waiting: Waiting[]
  /** Undefined while pending; null if the request failed. */
  answer: unknown
}

const requests: Record<string, Request | undefined> = Object.create(null)

/**
 * Calls one of the callbacks, once. Promises are not chained: resolving one with another looks up `then`, which the
 * page may have replaced.
 */
function load<Answer>(address: string, use: (answer: Answer) => void, without: () => void, unknown: () => void): void {
  const known = requests[address]
  if (known && now(clock) - known.at < cacheMs) {
    if (known.answer === undefined) push(known.waiting, { use, without })
    else deliver(known.answer, { use, without })
    return
  }
  const request: Request = { at: now(clock), waiting: [{ use, without }], answer: undefined }
  requests[address] = request
  const settle = (answer: unknown): void => {
    request.answer = answer
    for (let at = 0; at < request.waiting.length; at += 1) deliver(answer, request.waiting[at]!)
  }
  const fail = (): void => settle(null)
  try {
    const options = { __proto__: null, credentials: 'omit', signal: timeOut(timeoutMs) } as RequestInit
    const read = (response: Response): void => {
      if (isOk(response)) return void onSettled(json(response), settle, fail)
      fail()
      if (statusOf(response) === 404) unknown()
    }
    onSettled(fetchUrl(address, options), read, fail)
  } catch {
    fail()
  }
}

/** Neither our errors nor those of an unexpected response reach the page. */
function deliver(answer: unknown, { use, without }: Waiting): void {
  try {
    if (answer) use(answer as never)
    else without()
  } catch {
    without()
  }
}

const warned: Record<string, boolean> = Object.create(null)

/** Warns once per slug, so the page's developer knows where to look. */
export function warnUnknownWriter(base: string, slug: string): void {
  if (warned[slug]) return
  warned[slug] = true
  try {
    warn(`embed.js: ${base} has no writer "${slug}". data-slug is the end of a writer's address: ${base}/author/…`)
  } catch {
    // The page may have removed or replaced the console.
  }
}

/** Calls `use` with the writer, or `without` if the site does not know the writer or did not answer. */
export function writerOf(base: string, slug: string, use: (writer: Writer) => void, without: () => void): void {
  load(
    `${base}/api/public/authors/${slug}`,
    (found: { author: Writer }) => use(found.author),
    without,
    () => warnUnknownWriter(base, slug),
  )
}

interface Feed {
  readonly home_page_url: string
  readonly authors: readonly { readonly name: string }[]
  readonly items: readonly (ListedPiece & { readonly authors: readonly { readonly identity_verified: boolean }[] })[]
}

export function piecesOf(
  base: string,
  slug: string,
  use: (writer: Writer, pieces: readonly ListedPiece[]) => void,
  without: () => void,
): void {
  const read = ({ home_page_url: profile, authors, items }: Feed): void => {
    const verified = items.length > 0 && items[0]!.authors[0]!.identity_verified
    use({ slug, name: authors[0]!.name, identity_verified: verified, urls: { profile } }, items)
  }
  load(`${base}/author/${slug}/feed.json`, read, without, () => warnUnknownWriter(base, slug))
}
