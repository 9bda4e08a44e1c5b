import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { tagsOfPiece } from '#features/pieces/cache-tags.ts'
import { publishedPiece } from '#features/pieces/public-lists.ts'
import { byKey, provenBy } from '#features/pieces/receipts/check.ts'
import { getReceipt, receiptKeys } from '#features/pieces/receipts/reads.ts'
import { type Receipt, ReceiptFound, ReceiptKeys } from '#features/pieces/receipts/schema.ts'
import { OnePiece, type Piece } from '#features/pieces/schema.ts'
import { type Html, html } from '#platform/html.ts'
import { preferred } from '#platform/http/accept.ts'
import { cached, tagged } from '#platform/http/caching.ts'
import { varyBy } from '#platform/http/compression.ts'
import { failures, type PublicContext } from '#platform/http/public-context.ts'
import type { Urls } from '#platform/urls.ts'
import { moment } from './dates.ts'
import { page } from './page.ts'

/** `/p/{id}/receipt`: how a piece was published, as JSON for programs and as a page for whoever asks for one. */
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
        return tagged(reply, found, tags)
      const { piece } = await publishedPiece(reads, request.params)
      const head = { title: 'How this was published', robots: 'noindex, follow' }
      // As bytes: what is no object is not for the serialiser.
      return tagged(
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
<li>This edition: ${moment(receipt.published)}.</li>
<li>First public: ${moment(receipt.first_published)}.</li>
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
