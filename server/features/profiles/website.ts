import { enqueue } from '#features/jobs.ts'
import type { Urls } from '#features/urls.ts'
import { type Message, message } from '#messages/message.ts'
import { toStored } from '#messages/stored.ts'
import type { Database } from '#platform/db/database.ts'
import { OutboundError } from '#platform/outbound/connect.ts'
import type { Outbound, OutboundAnswer, OutboundLimits } from '#platform/outbound/outbound.ts'
import { purgeAuthor } from './profile.ts'
import { type ExpectedProof, expectedProof, findProof } from './website-token.ts'

/** Verifies that a website belongs to a writer. */

const maxPageBytes = 524_288
const timeout = 5_000
const maxRedirects = 3

export const websiteLimits: Partial<OutboundLimits> = {
  connect: 4_000,
  whole: timeout,
  answer: maxPageBytes,
  keep: maxPageBytes,
}

export interface WebsiteCheckContext {
  readonly db: Database
  readonly outbound: Outbound
  readonly urls: Urls
}

/** In the worker: checks the website and records the result, which updates the public verified mark and purges caches. */
export async function checkWebsite({ db, outbound, urls }: WebsiteCheckContext, writer: string): Promise<void> {
  const [target] = await db.run<{ website: string; slugs: string[] }>({
    text: 'select * from app.website_to_check($1)',
    values: [writer],
  })
  if (!target) return
  const { state, method, evidence } = await fetchAndCheck(
    target.website,
    expectedProof(writer, target.slugs, urls),
    outbound,
  )
  await db.transaction({}, async (tx) => {
    const { rows } = await tx.query<{ slug: string | null }>(
      'select app.keep_website_check($1, $2, $3, $4, $5) as slug',
      [writer, target.website, state, method, evidence],
    )
    const slug = rows[0]?.slug
    if (slug) await purgeAuthor(tx, slug)
  })
}

/** Per run; the next run is an hour later. */
const maxDue = 5_000

/** Enqueues the daily check of everyone who has requested one. */
export async function enqueueDueChecks(db: Database): Promise<void> {
  const due = await db.run<{ writer: string }>({ text: 'select app.websites_due($1) as writer', values: [maxDue] })
  for (const { writer } of due) await db.transaction({}, (tx) => enqueue(tx, 'website.check', { writer }))
}

/** `evidence` is the address of the page with the proof, or a stored message (messages/stored.ts). */
interface CheckResult {
  readonly state: 'proven' | 'not_found' | 'unreachable'
  readonly method: 'rel_me' | 'meta' | null
  readonly evidence: string
}

const failed = (state: 'not_found' | 'unreachable', reason: Message): CheckResult => ({
  state,
  method: null,
  evidence: toStored(reason),
})
const notFound = (reason: Message): CheckResult => failed('not_found', reason)
const unreachable = (reason: Message): CheckResult => failed('unreachable', reason)

export async function fetchAndCheck(
  website: string,
  expected: ExpectedProof,
  outbound: Outbound,
): Promise<CheckResult> {
  const start = performance.now()
  let address = new URL(website)
  try {
    for (let hops = 0; hops <= maxRedirects; hops += 1) {
      const answer = await outbound.call(address.href, { headers })
      const next = redirectOf(answer, address)
      if (next === undefined) return checkResponse(answer, address, expected)
      if (siteOf(next) !== siteOf(address)) {
        return notFound(message('error.website.redirects_elsewhere', { host: next.hostname }))
      }
      if (performance.now() - start > timeout) break
      address = next
    }
  } catch (error) {
    if (error instanceof OutboundError) return unreachable(error.words)
    throw error
  }
  return unreachable(message('error.website.too_many_redirects'))
}

const headers = { accept: 'text/html, application/xhtml+xml;q=0.9', 'user-agent': 'Standfirst-Website-Check/1' }

function redirectOf({ status, headers }: OutboundAnswer, address: URL): URL | undefined {
  const { location } = headers
  const isRedirect = [301, 302, 303, 307, 308].includes(status)
  return isRedirect && location && URL.canParse(location, address.href) ? new URL(location, address) : undefined
}

/** A host and its www subdomain are the same website. */
const siteOf = ({ host }: URL): string => host.replace(/^www\./, '')

/** A deleted page has no proof; a server that fails or refuses us may have it tomorrow. */
function checkResponse(
  { status, headers, head, truncated }: OutboundAnswer,
  address: URL,
  expected: ExpectedProof,
): CheckResult {
  if (status === 404 || status === 410) return notFound(message('error.website.page_not_found', { status }))
  if (status !== 200) return unreachable(message('error.website.bad_status', { status }))
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '')) {
    return notFound(message('error.website.not_a_page'))
  }
  const method = findProof(head.toString('utf8'), expected, address)
  if (method) return { state: 'proven', method, evidence: address.href }
  return notFound(truncated ? message('error.website.too_far_down') : message('error.website.no_proof'))
}
