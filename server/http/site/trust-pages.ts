import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { ProofRecord } from '#config/proof-record.ts'
import { type Evidence, writersEvidence } from '#features/authors/reads.ts'
import { tagsOfAuthorLists, tagsOfPiece, tagsOfSeries, tagsOfTranslations } from '#features/cache-tags.ts'
import { publishedPiece } from '#features/pieces/public-lists.ts'
import {
  coAuthorsText,
  firstHere,
  importedText,
  proofText,
  revisionsText,
  scheduledText,
} from '#features/pieces/receipts/facts.ts'
import { getReceipt, receiptKeys } from '#features/pieces/receipts/receipts.ts'
import { type Receipt, ReceiptFound, ReceiptKeys } from '#features/pieces/receipts/schema.ts'
import { OnePiece, type Piece } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import type { PageHead } from '#http/page-layout.ts'
import { failures, type PublicContext } from '#http/public-context.ts'
import { inHtml } from '#http/translate.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { preferred, varyBy } from '#platform/http/negotiation.ts'
import { date, dateTime } from './byline.ts'
import { older } from './lists.ts'
import { page } from './page.ts'
import { verifiedLines } from './verified.ts'

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
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/trust', { onRequest: gate('list', 'read'), schema }, async (request, reply) => {
    const isFirst = request.query.cursor === undefined
    const [writers, { keys }] = await Promise.all([
      writersEvidence(reads, { cursor: request.query.cursor, limit: perPage }),
      receiptKeys(reads),
    ])
    const head: PageHead = {
      title: t('site.trust.title'),
      description: t('site.trust.description', { site: siteInfo.name }),
      canonical: isFirst ? urls.page('trust') : undefined,
      robots: isFirst ? undefined : 'noindex, follow',
    }
    const main = html`<div class="column">
<h1 class="title">${t(isFirst ? 'site.trust.title' : 'site.trust.verified_title')}</h1>
${isFirst && promises(t, keys, proof, urls)}
<section class="evidence" aria-label="${t('site.trust.verified_title')}">
${evidenceList(t, writers.items, siteInfo.name)}
${older(urls.page('trust'), writers.next_cursor, t('site.trust.more'))}
</section>
</div>`
    return withCacheTags(reply, page(reply, context, head, main), tagsOfAuthorLists)
  })
}

const linkTo =
  (address: string) =>
  (label: Html): Html =>
    html`<a href="${address}">${label}</a>`

const receiptDocs = (urls: Urls): string => `${urls.page('developers/security')}#receipts`

const promises = (t: Translator, keys: ReceiptKeys['keys'], proof: ProofRecord | undefined, urls: Urls): Html =>
  html`<div class="prose">
<p>${t('site.trust.intro')}</p>
<h2>${t('site.trust.people_title')}</h2>
<p>${inHtml(t, 'site.trust.people', { link: linkTo(receiptDocs(urls)) })}</p>
${keyList(t, keys, urls)}
<h2>${t('site.trust.drafts_title')}</h2>
<p>${t('site.trust.drafts')}</p>
<h2>${t('site.trust.webhooks_title')}</h2>
<p>${t('site.trust.webhooks')}</p>
<h2>${t('site.trust.proof_title')}</h2>
${proofLines(t, proof)}
<h2>${t('site.trust.verified_title')}</h2>
<p>${t('site.trust.verified')}</p>
</div>`

const keyList = (t: Translator, keys: ReceiptKeys['keys'], urls: Urls): Html =>
  keys.length === 0
    ? html`<p>${t('site.trust.no_keys')}</p>`
    : html`<p>${inHtml(t, 'site.trust.keys', { count: keys.length, link: linkTo(urls.receiptKeys()) })}</p>
<ul>
${keys.map(({ kid, since }) => html`<li>${inHtml(t, 'site.trust.key', { key: hashCode(kid), date: date(t, since) })}</li>\n`)}</ul>`

const hashCode = (value: string): Html => html`<code class="hash">${value}</code>`

function proofLines(t: Translator, proof: ProofRecord | undefined): Html {
  if (!proof) return html`<p>${inHtml(t, 'site.trust.no_proof', { command: html`<code>npm run proof</code>` })}</p>`
  const { proved, planted, timings, canaries, published } = proof
  const run = {
    date: date(t, proof.at),
    commit: html`<code>${proof.commit.slice(0, 12)}</code>`,
    changed: proof.changed ? 'yes' : 'no',
  }
  const requests = { requests: proof.answers, routes: proof.routes, breaches: proof.breaches }
  const command = html`<code>npm run proof -- --seed ${proof.seed}</code>`
  return html`<p>${
    proved
      ? inHtml(t, 'site.trust.proof_passed', run)
      : inHtml(t, 'site.trust.proof_failed', { ...run, strong: (text) => html`<strong>${text}</strong>` })
  }</p>
<ul>
<li>${t('site.trust.proof_requests', requests)}</li>
<li>${t('site.trust.proof_canaries', { canaries, published })}</li>
<li>${t('site.trust.proof_planted', { found: planted.found, total: planted.of })}</li>
<li>${t('site.trust.proof_timings', { alike: timings.alike, total: timings.of })}</li>
</ul>
<p>${inHtml(t, 'site.trust.proof_run', { command })}</p>`
}

const evidenceList = (t: Translator, writers: readonly Evidence[], site: string): Html =>
  writers.length === 0
    ? html`<p class="standfirst">${t('site.trust.nobody')}</p>`
    : html`<ol class="quiet">
${writers.map((writer) => evidenceItem(t, writer, site))}</ol>`

const evidenceItem = (t: Translator, { name, profile, identity, website }: Evidence, site: string): Html =>
  html`<li>
<h3 class="title"><a href="${profile}"><bdi>${name}</bdi></a></h3>
${verifiedLines(t, site, {
  identity: identity ?? undefined,
  website: website ? { ...website, rel: 'nofollow ugc noopener' } : undefined,
})}
</li>
`

/** `/p/{id}/receipt`: how a piece was published, as JSON or, on request, as a page. */
export const receiptPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const t = translatorOf(siteInfo.language)
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
        response: {
          200: {
            description: 'The receipt of the edition that is public now.',
            content: { 'application/json': { schema: ReceiptFound }, 'text/html': { schema: Type.String() } },
          },
          ...failures(404),
        },
      },
    },
    async (request, reply) => {
      const { found, authorSlug } = await getReceipt(reads, request.params)
      const tags = tagsOfPiece(
        found.receipt.piece,
        authorSlug,
        ...(found.receipt.co_authors ?? []).map(({ slug }) => slug),
      )
      varyBy(reply, 'Accept')
      if (preferred(request.headers.accept, ['application/json', 'text/html']) === 'application/json')
        return withCacheTags(reply, found, tags)
      const { piece } = await publishedPiece(reads, request.params)
      const head = { title: t('site.receipt.title'), robots: 'noindex, follow' }
      // A Buffer, which bypasses the JSON serialiser.
      return withCacheTags(reply, Buffer.from(page(reply, context, head, receiptMain(t, found, piece, reads.urls))), [
        ...tags,
        ...tagsOfTranslations(piece),
        ...tagsOfSeries(piece),
      ]) as never
    },
  )

  app.get(
    '/.well-known/standfirst-receipts.json',
    { onRequest: gate('list', 'read'), schema: { hide: true, response: { 200: ReceiptKeys } } as object },
    async () => receiptKeys(reads),
  )
}

function receiptMain(t: Translator, { receipt, signature }: ReceiptFound, piece: Piece, urls: Urls): Html {
  const facts = [
    inHtml(t, 'site.receipt.edition', { date: dateTime(t, receipt.published) }),
    inHtml(t, 'site.receipt.first', { date: dateTime(t, firstHere(receipt)) }),
    ...(receipt.imported ? [importedText(t, receipt.imported)] : []),
    ...(receipt.co_authors ? [coAuthorsText(t, receipt.co_authors)] : []),
    ...(receipt.scheduled ? [scheduledText(t, receipt.scheduled)] : []),
    ...(receipt.proof ? [proofText(t, receipt.proof)] : []),
    revisionsText(t, receipt),
    ...(receipt.translation_of ? [translationText(t, receipt.translation_of, piece)] : []),
    receipt.previous === null
      ? t('site.receipt.number', { number: receipt.number })
      : inHtml(t, 'site.receipt.number_after', { number: receipt.number, hash: hashCode(receipt.previous) }),
  ]
  return html`<div class="column">
<h1 class="title">${t('site.receipt.title')}</h1>
<div class="prose">
<p>${inHtml(t, 'site.receipt.by', {
    who: receipt.role === 'moderator' ? 'moderator' : receipt.act,
    piece: html`<a href="${piece.url}"><bdi>${piece.title}</bdi></a>`,
  })}</p>
<ul>
${facts.map((fact) => html`<li>${fact}</li>\n`)}</ul>
<h2>${t('site.receipt.check_title')}</h2>
<p>${t('site.receipt.check')}</p>
<ul>
<li>${inHtml(t, 'site.receipt.content', { hash: hashCode(receipt.content) })}</li>
<li>${inHtml(t, 'site.receipt.key', { hash: hashCode(signature.key) })}</li>
<li>${inHtml(t, 'site.receipt.signature', { value: hashCode(signature.value) })}</li>
</ul>
<p>${inHtml(t, 'site.receipt.json', { piece: linkTo(urls.pieceJson(receipt.piece)), keys: linkTo(urls.receiptKeys()) })}</p>
<pre dir="ltr"><code>npx standfirst receipt verify ${urls.receipt(receipt.piece)}</code></pre>
<p>${inHtml(t, 'site.receipt.cli', {
    command: html`<code>standfirst</code>`,
    install: html`<code>npm ci</code>`,
    link: linkTo(receiptDocs(urls)),
  })}</p>
<ul>
<li>${inHtml(t, 'site.receipt.proves', { link: linkTo(receiptDocs(urls)) })}</li>
<li>${inHtml(t, 'site.receipt.trust', { link: linkTo(urls.page('trust')) })}</li>
</ul>
</div>
</div>`
}

/** Names the original by its headline while both are public as its translation, and else by its id. */
function translationText(
  t: Translator,
  { piece: id, content }: NonNullable<Receipt['translation_of']>,
  { translations = [] }: Piece,
): Html {
  const original = translations.find((translation) => translation.id.endsWith(id))
  const piece = original ? html`<a href="${original.url}"><bdi>${original.title}</bdi></a>` : hashCode(id)
  return content === null
    ? inHtml(t, 'site.receipt.translation_no_hash', { piece })
    : inHtml(t, 'site.receipt.translation', { piece, hash: hashCode(content) })
}
