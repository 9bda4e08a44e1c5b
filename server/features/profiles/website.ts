import type { Database } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/jobs.ts'
import type { OutboundAnswer, OutboundLimits } from '#platform/outbound/call.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { OutboundError } from '#platform/outbound/outbound-error.ts'
import type { Urls } from '#platform/urls.ts'
import { purgeAuthor } from './purge.ts'
import { proofIn, type Sought, soughtFor } from './website-token.ts'

/** Whether a writer's website says that it is theirs. */

const longestPage = 524_288
const patience = 5_000
const mostRedirects = 3

export const websiteLimits: Partial<OutboundLimits> = {
  connect: 4_000,
  whole: patience,
  answer: longestPage,
  keep: longestPage,
}

export interface Checking {
  readonly db: Database
  readonly outbound: Outbound
  readonly urls: Urls
}

/** The worker's part: looks, and keeps what it saw. The mark, in public too, and the caches follow with it. */
export async function checkWebsite({ db, outbound, urls }: Checking, writer: string): Promise<void> {
  const [wanted] = await db.run<{ website: string; slugs: string[] }>({
    text: 'select * from app.website_to_check($1)',
    values: [writer],
  })
  if (!wanted) return
  const { state, method, evidence } = await lookAt(wanted.website, soughtFor(writer, wanted.slugs, urls), outbound)
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ slug: string | null }>(
      'select app.keep_website_check($1, $2, $3, $4, $5) as slug',
      [writer, wanted.website, state, method, evidence],
    )
    const slug = rows[0]?.slug
    if (slug) await purgeAuthor(tx, slug)
  })
}

/** What one look enqueues at most; the next comes an hour later. */
const mostDue = 5_000

/** Everybody who asked once is looked at every day. */
export async function orderDueChecks(db: Database): Promise<void> {
  const due = await db.run<{ writer: string }>({ text: 'select app.websites_due($1) as writer', values: [mostDue] })
  for (const { writer } of due) await db.transaction({}, (tx) => enqueue(tx, 'website.check', { writer }))
}

interface Seen {
  readonly state: 'proven' | 'not_found' | 'unreachable'
  readonly method: 'rel_me' | 'meta' | null
  readonly evidence: string
}

const notFound = (evidence: string): Seen => ({ state: 'not_found', method: null, evidence })
const unreachable = (evidence: string): Seen => ({ state: 'unreachable', method: null, evidence })

export async function lookAt(website: string, sought: Sought, outbound: Outbound): Promise<Seen> {
  const start = performance.now()
  let address = new URL(website)
  try {
    for (let hops = 0; hops <= mostRedirects; hops += 1) {
      const answer = await outbound.call(address.href, { headers })
      const next = redirectOf(answer, address)
      if (next === undefined) return judged(answer, address, sought)
      if (siteOf(next) !== siteOf(address)) {
        return notFound(`It leads on to ${next.hostname}, another website. Give that address, if it is yours.`)
      }
      if (performance.now() - start > patience) break
      address = next
    }
  } catch (error) {
    if (error instanceof OutboundError) return unreachable(error.message)
    throw error
  }
  return unreachable('It leads on from one address to the next too often, or too slowly.')
}

const headers = { accept: 'text/html, application/xhtml+xml;q=0.9', 'user-agent': 'Standfirst-Website-Check/1' }

function redirectOf({ status, headers }: OutboundAnswer, address: URL): URL | undefined {
  const { location } = headers
  const isRedirect = [301, 302, 303, 307, 308].includes(status)
  return isRedirect && location && URL.canParse(location, address.href) ? new URL(location, address) : undefined
}

/** A host and its www are one website. */
const siteOf = ({ host }: URL): string => host.replace(/^www\./, '')

/** A page that is gone has no proof; a server that fails or refuses us may have it tomorrow. */
function judged({ status, headers, head, truncated }: OutboundAnswer, address: URL, sought: Sought): Seen {
  if (status === 404 || status === 410) return notFound(`The page is not there: its server answered ${status}.`)
  if (status !== 200) return unreachable(`Its server answered ${status} instead of the page.`)
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '')) {
    return notFound('What is at this address is no web page.')
  }
  const method = proofIn(head.toString('utf8'), sought, address)
  if (method) return { state: 'proven', method, evidence: address.href }
  return notFound(
    truncated
      ? 'The proof is not in the first 512 KiB of the page. Put it further up.'
      : 'The page answers, but neither the link nor the tag is in it.',
  )
}
