import { put } from './language.ts'
import { after, ask, clock, isOk, json, now, statusOf, timeOut, warn } from './page.ts'
import type { ListedPiece, Writer } from './widgets.ts'

/** What the site says of a writer: one request for all widgets that need it, asked again after a minute. */

const fresh = 60_000
const patience = 5_000

interface Waiting {
  readonly use: (answer: never) => void
  readonly without: () => void
}
interface Request {
  readonly at: number
  readonly waiting: Waiting[]
  /** Undefined while nothing came; null where nothing will. */
  answer: unknown
}

const requests: Record<string, Request | undefined> = Object.create(null)

/** Calls one of the two, once. No promise is handed on: whoever resolves one with another looks up its `then`. */
function load<Answer>(address: string, use: (answer: Answer) => void, without: () => void, unknown: () => void): void {
  const known = requests[address]
  if (known && now(clock) - known.at < fresh) {
    if (known.answer === undefined) put(known.waiting, { use, without })
    else hand(known.answer, { use, without })
    return
  }
  const request: Request = { at: now(clock), waiting: [{ use, without }], answer: undefined }
  requests[address] = request
  const settle = (answer: unknown): void => {
    request.answer = answer
    for (let at = 0; at < request.waiting.length; at += 1) hand(answer, request.waiting[at]!)
  }
  const fail = (): void => settle(null)
  try {
    const options = { __proto__: null, credentials: 'omit', signal: timeOut(patience) } as RequestInit
    const read = (response: Response): void => {
      if (isOk(response)) return void after(json(response), settle, fail)
      fail()
      if (statusOf(response) === 404) unknown()
    }
    after(ask(address, options), read, fail)
  } catch {
    fail()
  }
}

/** No error of ours, or of an answer that is not what it should be, is left to the page. */
function hand(answer: unknown, { use, without }: Waiting): void {
  try {
    if (answer) use(answer as never)
    else without()
  } catch {
    without()
  }
}

const told: Record<string, boolean> = Object.create(null)

/** Once for each: whoever builds the page reads where to look. */
export function tellUnknown(base: string, slug: string): void {
  if (told[slug]) return
  told[slug] = true
  try {
    warn(`embed.js: ${base} has no writer "${slug}". data-slug is the end of a writer's address: ${base}/author/…`)
  } catch {
    // A page may have taken its console away, or put something else there.
  }
}

/** Hands over what a widget needs, or calls the other: the site does not know the writer, or did not answer. */
export function writerOf(base: string, slug: string, use: (writer: Writer) => void, without: () => void): void {
  load(
    `${base}/api/public/authors/${slug}`,
    (found: { author: Writer }) => use(found.author),
    without,
    () => tellUnknown(base, slug),
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
    use({ name: authors[0]!.name, identity_verified: verified, urls: { profile } }, items)
  }
  load(`${base}/author/${slug}/feed.json`, read, without, () => tellUnknown(base, slug))
}
