import { setTimeout as pause } from 'node:timers/promises'
import { purgedWithCards } from '#features/cache-tags.ts'
import { enqueue, type Jobs } from '#features/jobs.ts'
import type { Database } from '#platform/db/database.ts'
import { ServiceError } from '#platform/errors.ts'
import type { Picture, ReadPicture } from '#platform/images/image-intake.ts'
import { createLru } from '#platform/lru.ts'
import type { MediaStore } from '#platform/media/store.ts'
import { OutboundError } from '#platform/outbound/connect.ts'
import type { Outbound, OutboundAnswer, OutboundLimits } from '#platform/outbound/outbound.ts'
import { decodePage, type PageMetadata, readMetadata } from './page-metadata.ts'

/** In the worker: fetches what the cards of links show, and stores it here. Readers call no third party. */

const maxPageBytes = 524_288
const maxPictureBytes = 5 * 1024 * 1024
const maxRedirects = 3

export const pageLimits: Partial<OutboundLimits> = {
  connect: 4_000,
  whole: 8_000,
  answer: maxPageBytes,
  keep: maxPageBytes,
}
/** With space for the headers. */
export const pictureLimits: Partial<OutboundLimits> = {
  ...pageLimits,
  answer: maxPictureBytes + 65_536,
  keep: maxPictureBytes,
}

export interface LinkCardsContext {
  readonly db: Database
  readonly pages: Outbound
  readonly pictures: Outbound
  /** Undefined if the site has no media storage: cards have no picture then. */
  readonly store: MediaStore | undefined
  readonly readPicture: ReadPicture
  /** Says who asks, and where to read why. */
  readonly userAgent: string
  /** Milliseconds after which a job leaves the rest of its links to another. */
  readonly budget: number
}

/** A job's, in milliseconds; its last link may take a minute more, with every redirect at its limit. */
export const fetchBudget = 20_000

/** Milliseconds between two requests to one host. */
const hostPause = 1_000
const lastAsked = createLru<number>(1_000)

/** Seconds until links that could not be fetched are tried again. */
const retryAfter = 600

/**
 * Fetches the links of one piece that are due, in their order after `after`. When the budget is used up, another job goes
 * on, behind those that wait already: nobody's slow links hold up the cards of others. What other servers do is a result,
 * never a failure of the job.
 */
export async function fetchCards(
  context: LinkCardsContext,
  { piece, after }: Jobs['links.fetch'],
  signal?: AbortSignal,
): Promise<void> {
  const { db, budget } = context
  const due = async () => {
    const rows = await db.run<{ url: string }>({ text: 'select app.links_to_fetch($1) as url', values: [piece] })
    return rows.map(({ url }) => url).sort()
  }
  const enqueueNext = (payload: Jobs['links.fetch'], startAfter?: Date) =>
    db.transaction({}, (tx) => enqueue(tx, 'links.fetch', payload, startAfter && { startAfter }))
  const links = (await due()).filter((url) => after === undefined || url > after)
  const start = performance.now()
  for (const [at, url] of links.entries()) {
    signal?.throwIfAborted()
    await fetchCard(context, url, signal)
    if (at < links.length - 1 && performance.now() - start >= budget) {
      await enqueueNext({ piece, after: url })
      return
    }
  }
  if ((await due()).length > 0) await enqueueNext({ piece }, new Date(Date.now() + retryAfter * 1_000))
}

/** Every hour: pieces that became public without being published, as after an appeal. */
export async function enqueueUntriedLinks(db: Database): Promise<void> {
  const pieces = await db.run<{ piece: string }>({ text: 'select app.pieces_with_untried_links() as piece' })
  for (const { piece } of pieces) await db.transaction({}, (tx) => enqueue(tx, 'links.fetch', { piece }))
}

async function fetchCard(context: LinkCardsContext, url: string, signal?: AbortSignal): Promise<void> {
  const { db, store } = context
  const found = await fetchMetadata(context, url, signal)
  if (found === 'again' || found === 'never') {
    await keepCards(db, [url, null, null, null, null, null, null, found === 'never'])
    return
  }
  const picture = store && (await fetchPicture(context, found, signal))
  // Deleted by the next sweep if a transaction fails after the bytes are stored.
  if (picture) await db.run({ text: 'select app.expect_picture($1)', values: [picture.hash] })
  const { hash = null, width = null, height = null, bytes } = picture ?? {}
  await keepCards(db, [url, found.title, found.site, hash, width, height, bytes?.length ?? null, false], async () => {
    if (picture) await store!.put(picture.hash, picture.bytes, picture.type)
  })
}

interface KeptCard {
  readonly piece: string
  readonly has_changed: boolean
}

/**
 * For every piece that has the link, a hundred in a transaction, whose tags fit into one job. `storePicture` is called in each that keeps a card: a
 * picture that nothing shows is not stored, and one that is shown stays while it is being kept.
 */
async function keepCards(db: Database, values: readonly unknown[], storePicture?: () => Promise<void>): Promise<void> {
  const keepSome = (after: string | null) =>
    db.transaction({}, async (tx) => {
      const { rows } = await tx.query<KeptCard>(
        'select piece, has_changed from app.keep_link_card($1, $2, $3, $4, $5, $6, $7, $8, $9)',
        [...values, after],
      )
      if (rows.length > 0) await storePicture?.()
      const tags = rows.filter((row) => row.has_changed).flatMap(({ piece }) => purgedWithCards(piece))
      if (tags.length > 0) await enqueue(tx, 'cache.purge', { tags })
      return rows.at(-1)?.piece
    })
  for (let last = await keepSome(null); last !== undefined; ) last = await keepSome(last)
}

/** `never` where trying again would give the same: a forbidden address, a missing page, something else than a page. */
export async function fetchMetadata(
  { pages, userAgent }: Pick<LinkCardsContext, 'pages' | 'userAgent'>,
  url: string,
  signal?: AbortSignal,
): Promise<PageMetadata | 'again' | 'never'> {
  // What Markdown takes for an address need not be one: `http://a:99999/`.
  if (!URL.canParse(url)) return 'never'
  try {
    const headers = { accept: 'text/html, application/xhtml+xml;q=0.9', 'user-agent': userAgent }
    const { answer, address } = await follow(pages, url, headers, signal)
    if (answer.status === 429 || answer.status >= 500) return 'again'
    const type = answer.headers['content-type'] ?? ''
    if (answer.status !== 200 || !/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return 'never'
    return readMetadata(decodePage(answer.head, type), address) ?? 'never'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.kind === 'forbidden_url' || error.kind === 'forbidden_address' ? 'never' : 'again'
  }
}

/** A card does without a picture that cannot be fetched or read. */
async function fetchPicture(
  { pictures, readPicture, userAgent }: LinkCardsContext,
  { picture }: PageMetadata,
  signal?: AbortSignal,
): Promise<Picture | undefined> {
  if (picture === null) return undefined
  try {
    const { answer } = await follow(pictures, picture, { accept: 'image/*', 'user-agent': userAgent }, signal)
    if (answer.status !== 200 || answer.truncated || answer.head.length >= maxPictureBytes) return undefined
    return await readPicture(answer.head, 'card', 'link-cards', signal)
  } catch (error) {
    if (error instanceof OutboundError || error instanceof ServiceError) return undefined
    throw error
  }
}

/** Every hop is checked as the first one is, and waits for its turn at the host. */
async function follow(
  outbound: Outbound,
  url: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<{ readonly answer: OutboundAnswer; readonly address: URL }> {
  let address = new URL(url)
  for (let hops = 0; ; hops += 1) {
    // A forbidden address is never called, so it waits for nothing.
    if ('url' in outbound.check(address.href)) await turnAt(address.host, signal)
    const answer = await outbound.call(address.href, { headers })
    const { location } = answer.headers
    const isRedirect = [301, 302, 303, 307, 308].includes(answer.status)
    if (!isRedirect || hops === maxRedirects || !location || !URL.canParse(location, address.href))
      return { answer, address }
    address = new URL(location, address)
  }
}

async function turnAt(host: string, signal?: AbortSignal): Promise<void> {
  const wait = (lastAsked.get(host) ?? Number.NEGATIVE_INFINITY) + hostPause - performance.now()
  if (wait > 0) await pause(wait, undefined, { signal })
  lastAsked.set(host, performance.now(), 1)
}
