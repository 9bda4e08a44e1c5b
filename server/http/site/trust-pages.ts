import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { ProofRecord } from '#config/proof-record.ts'
import { type Evidence, writersEvidence } from '#features/authors/reads.ts'
import { tagsOfAuthorLists, tagsOfPiece } from '#features/cache-tags.ts'
import { publishedPiece } from '#features/pieces/public-lists.ts'
import { byKey, provenBy } from '#features/pieces/receipts/check.ts'
import { getReceipt, receiptKeys } from '#features/pieces/receipts/receipts.ts'
import { type Receipt, ReceiptFound, ReceiptKeys } from '#features/pieces/receipts/schema.ts'
import { OnePiece, type Piece } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import type { PageHead } from '#http/page-layout.ts'
import { failures, type PublicContext } from '#http/public-context.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { preferred, varyBy } from '#platform/http/negotiation.ts'
import { date, dateTime, hostOf, safeUrl, seal } from './byline.ts'
import { older } from './lists.ts'
import { page } from './page.ts'

const perPage = 50

const querystring = Type.Object({ cursor })

export interface TrustRoutesContext extends PublicContext {
  /** The last proof run, if the site has one. */
  readonly proof: ProofRecord | undefined
}

/** `/trust`: the site's promises, how they are enforced, and whom it has verified. */
export const trustPages: FastifyPluginAsyncTypebox<TrustRoutesContext> = async (app, context) => {
  const { reads, gate, siteInfo, proof } = context
  const { urls } = reads
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/trust', { onRequest: gate('list', 'read'), schema }, async (request, reply) => {
    const isFirst = request.query.cursor === undefined
    const [writers, { keys }] = await Promise.all([
      writersEvidence(reads, { cursor: request.query.cursor, limit: perPage }),
      receiptKeys(reads),
    ])
    const head: PageHead = {
      title: 'Trust',
      description: `What ${siteInfo.name} promises, how that is held, and what you can check yourself.`,
      canonical: isFirst ? urls.page('trust') : undefined,
      robots: isFirst ? undefined : 'noindex, follow',
    }
    const main = html`<div class="column">
<h1 class="title">${isFirst ? 'Trust' : 'Who is verified'}</h1>
${isFirst && promises(keys, proof, urls)}
<section class="evidence" aria-label="Who is verified">
${evidenceList(writers.items, siteInfo.name)}
${older(urls.page('trust'), writers.next_cursor, 'More writers')}
</section>
</div>`
    return withCacheTags(reply, page(reply, context, head, main), tagsOfAuthorLists)
  })
}

const promises = (keys: ReceiptKeys['keys'], proof: ProofRecord | undefined, urls: Urls): Html =>
  html`<div class="prose">
<p>What is promised here is held by the site’s database and its source, not by good intentions. This page says how, and what you can check yourself.</p>
<h2>Only people publish</h2>
<p>Programs can write drafts here, with a key that a writer gave them. They cannot publish. A piece becomes public when a person who is signed in at the desk presses Publish, having been shown that very revision, and the database refuses every other way. Each publication has a <a href="${urls.page('developers/security')}#receipts">signed receipt</a>, linked at the end of the piece: when, that a person did it, and which revisions came by key.</p>
${keysLine(keys, urls)}
<h2>Drafts are private</h2>
<p>Pages, feeds, the API and tools read from a store in which there are no drafts, in a role that can see nothing else. Until it is submitted for review, a draft is its writer’s alone. A piece that is unpublished is gone from all of them at once, and its receipt with it; copies in caches are gone half a minute later at the most.</p>
<h2>Sites are told what happened</h2>
<p>A writer’s own site can be told of each new piece by a signed message. It is ordered in the same step as the publication, so that neither happens without the other, tried for three days, and never sent to a private address. What is unpublished before it was told is told to nobody.</p>
<h2>The last proof</h2>
${proofLines(proof)}
<h2>Who is verified</h2>
<p>An identity is verified by a moderator or an operator who is somebody else, and no longer once the name changes. A website is verified by a link or mark on it that leads back here; it is looked for every day, and where it is missing the website is verified no more. Where no day stands beside a website, an operator vouches for it.</p>
</div>`

const keysLine = (keys: ReceiptKeys['keys'], urls: Urls): Html =>
  keys.length === 0
    ? html`<p>No receipt has been signed yet.</p>`
    : html`<p>Receipts are signed with <a href="${urls.receiptKeys()}">${keys.length === 1 ? 'this key' : `these keys`}</a>; keep a copy to compare with:</p>
<ul>
${keys.map(({ kid, since }) => html`<li><code class="hash">${kid}</code>, since ${date(since)}</li>\n`)}</ul>`

const count = (number: number): string => number.toLocaleString('en-GB')

function proofLines(proof: ProofRecord | undefined): Html {
  if (!proof) return html`<p>This site has no proof run to show. Its source has one: <code>npm run proof</code>.</p>`
  const { at, proved, breaches, planted, timings } = proof
  return html`<p>${proved ? 'Proved' : html`<strong>Not proved</strong>`} on ${date(at)}, of the source at commit <code>${proof.commit.slice(0, 12)}</code>${proof.changed && ', with changes that were not in it yet'}.</p>
<ul>
<li>${count(proof.answers)} generated requests to ${count(proof.routes)} pairs of address and method, by strangers, keys, writers and moderators. ${breaches === 0 ? 'None' : count(breaches)} made anything public or showed what is private.</li>
<li>${count(proof.canaries)} private texts, each marked, were looked for in every answer, log line, letter and message. The ${count(proof.published)} publications by people at the desk were all noticed.</li>
<li>${planted.found} of ${planted.of} mistakes that were planted on purpose were found.</li>
<li>In ${timings.alike} of ${timings.of} comparisons the time an answer takes tells nothing either.</li>
</ul>
<p>Run it yourself: <code>npm run proof -- --seed ${proof.seed}</code>.</p>`
}

const evidenceList = (writers: readonly Evidence[], site: string): Html =>
  writers.length === 0
    ? html`<p class="standfirst">Nobody is verified yet.</p>`
    : html`<ol class="quiet">
${writers.map((writer) => evidenceItem(writer, site))}</ol>`

function evidenceItem({ name, profile, identity, website }: Evidence, site: string): Html {
  const address = safeUrl(website?.url)
  const lines = [
    ...(identity
      ? [
          html`Identity verified by <bdi>${site}</bdi>${identity.since && html`, ${date(identity.since.toISOString())}`}`,
        ]
      : []),
    ...(address
      ? [
          html`Website verified: <a href="${address}" rel="nofollow ugc noopener">${hostOf(address)}</a>${website?.checkedAt && html`, checked ${date(website.checkedAt.toISOString())}`}`,
        ]
      : []),
  ]
  return html`<li>
<h3 class="title"><a href="${profile}"><bdi>${name}</bdi></a></h3>
<div class="facts" lang="en"><ul>
${lines.map((line) => html`<li>${seal}${line}</li>\n`)}</ul></div>
</li>
`
}

/** `/p/{id}/receipt`: how a piece was published, as JSON or, on request, as a page. */
export const receiptPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate } = context
  app.addHook('onSend', cached('publicRead'))

  app.get(
    '/p/:id/receipt',
    {
      onRequest: gate('single', 'read'),
      schema: {
        operationId: 'getReceipt',
        tags: ['Pieces'],
        summary: 'How a piece was published',
        description:
          'A signed receipt: when it became public, that a person did it, which revisions came by key, and the hash of what readers get. `Accept: text/html` answers with a page for people.',
        params: OnePiece,
        response: { 200: jsonOrPage, ...failures(404) },
      },
    },
    async (request, reply) => {
      const { found, authorSlug } = await getReceipt(reads, request.params)
      const tags = tagsOfPiece(found.receipt.piece, authorSlug)
      varyBy(reply, 'Accept')
      if (preferred(request.headers.accept, ['application/json', 'text/html']) === 'application/json')
        return withCacheTags(reply, found, tags)
      const { piece } = await publishedPiece(reads, request.params)
      const head = { title: 'How this was published', robots: 'noindex, follow' }
      // A Buffer, which bypasses the JSON serialiser.
      return withCacheTags(
        reply,
        Buffer.from(page(reply, context, head, receiptMain(found, piece, reads.urls))),
        tags,
      ) as never
    },
  )

  app.get(
    '/.well-known/standfirst-receipts.json',
    { onRequest: gate('list', 'read'), schema: { hide: true, response: { 200: ReceiptKeys } } as object },
    async () => receiptKeys(reads),
  )
}

const jsonOrPage = {
  description: 'The receipt of the edition that is public now.',
  content: { 'application/json': { schema: ReceiptFound }, 'text/html': { schema: Type.String() } },
}

const receiptMain = ({ receipt, signature }: ReceiptFound, piece: Piece, urls: Urls): Html =>
  html`<div class="column">
<h1 class="title">How this was published</h1>
<div class="prose">
<p><a href="${piece.url}"><bdi>${piece.title}</bdi></a> was made public by a person, signed in at the desk: ${whoDid(receipt)}. No program can do that here.</p>
<ul>
<li>This edition: ${dateTime(receipt.published)}.</li>
<li>First public: ${dateTime(receipt.first_published)}.</li>
${receipt.proof && html`<li>That person ${provenBy(receipt.proof)}.</li>`}
<li>It is revision ${receipt.revision}; ${byKey(receipt)}.</li>
<li>Receipt ${receipt.number} of this piece${receipt.previous && html`; the one before has the hash <code class="hash">${receipt.previous}</code>`}.</li>
</ul>
<h2>To check it</h2>
<p>The site has signed this, with the hash of the text:</p>
<ul>
<li>Content: <code class="hash">${receipt.content}</code></li>
<li>Key: <code class="hash">${signature.key}</code></li>
<li>Signature: <code class="hash">${signature.value}</code></li>
</ul>
<p>Programs get the same as JSON at this address, beside <a href="${urls.pieceJson(receipt.piece)}">the piece</a> and <a href="${urls.receiptKeys()}">the keys</a>. This verifies it:</p>
<pre><code>npx standfirst receipt verify ${urls.receipt(receipt.piece)}</code></pre>
<p><code>standfirst</code> is the program of this site, and runs so wherever its source lies and <code>npm ci</code> has run. <a href="${urls.page('developers/security')}#receipts">Without it</a>, a few lines of JavaScript do the same.</p>
<p><a href="${urls.page('developers/security')}#receipts">What a receipt proves, and what it does not</a>. <a href="${urls.page('trust')}">What else this site vouches for</a>.</p>
</div>
</div>`

const whoDid = ({ act, role }: Receipt): string => {
  if (role === 'moderator') return 'a moderator who did not write it approved it'
  return act === 'update' ? 'its writer, who updated it' : 'its writer'
}
