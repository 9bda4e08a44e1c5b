import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { authorParts, authorsOfPart } from '#features/authors/sitemap.ts'
import { tagsOfPieceLists, tagsOfProductLists } from '#features/cache-tags.ts'
import type { ReadContext } from '#features/context.ts'
import { archiveMonths } from '#features/pieces/archive.ts'
import { pieceParts, piecesOfPart } from '#features/pieces/sitemap.ts'
import { allTopics } from '#features/pieces/topics.ts'
import { productParts, productsOfPart } from '#features/products/sitemap.ts'
import { seriesOfPart, seriesParts } from '#features/series/reads.ts'
import type { PublicContext } from '#http/public-context.ts'
import { notFound } from '#platform/errors.ts'
import { type Xml, xml } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { sitemapPages } from './endpoints.ts'
import { limitConcurrency, memoizeFor } from './memoize.ts'

interface Entry {
  readonly url: string
  readonly modifiedAt?: Date | null
}

/** How long a process caches the list of parts; a new day appears that much later. */
const partsTtl = 5 * 60_000

/** Parts written concurrently, each up to 15 MB, and callers that may queue. */
const maxConcurrent = 2
const maxWaiting = 20

const params = Type.Object({ part: Type.String() })
const tags = [...tagsOfPieceLists, ...tagsOfProductLists]

/** /sitemap.xml and its parts (sitemaps.org): pages, topics, months, authors, listings, series, and pieces by publication time. */
export const sitemapRoutes: FastifyPluginAsyncTypebox<PublicContext> = async (app, { reads, gate }) => {
  const { base } = reads.urls
  const onRequest = gate('list', 'read')
  const allParts = memoizeFor(partsTtl, () => partsOf(reads))
  const inTurn = limitConcurrency(maxConcurrent, maxWaiting)
  app.addHook('onSend', cached('publicRead'))

  app.get('/sitemap.xml', { onRequest, schema: { hide: true } as object }, async (_request, reply) => {
    const parts = await allParts()
    reply.type('application/xml; charset=utf-8')
    const entries = parts.map(({ name, modifiedAt }) => ({ url: `${base}/sitemap-${name}.xml`, modifiedAt }))
    return withCacheTags(reply, sitemapXml('sitemapindex', [lines('sitemap', entries)]), tags)
  })

  app.get(
    '/sitemap-:part.xml',
    { onRequest, schema: { hide: true, params } as { params: typeof params } },
    async (request, reply) => {
      const pages = await inTurn(() => pagesOfPart(reads, request.params.part))
      if (pages.length === 0) throw notFound('No part of the sitemap is called so. /sitemap.xml names them all.')
      reply.type('application/xml; charset=utf-8')
      return withCacheTags(reply, sitemapXml('urlset', pages), tags)
    },
  )
}

async function partsOf(reads: ReadContext): Promise<{ name: string; modifiedAt?: Date }[]> {
  const { db } = reads
  const [topics, authors, products, series, pieces] = await Promise.all([
    allTopics(reads, 1),
    authorParts(db),
    productParts(db),
    seriesParts(db),
    pieceParts(db),
  ])
  return [
    { name: 'pages' },
    ...(topics.length > 0 ? [{ name: 'topics' }] : []),
    ...(pieces.length > 0 ? [{ name: 'archive' }] : []),
    ...authors.map((digits) => ({ name: digits ? `authors-${digits}` : 'authors' })),
    ...products.map((digits) => ({ name: digits ? `products-${digits}` : 'products' })),
    ...series.map((digits) => ({ name: digits ? `series-${digits}` : 'series' })),
    ...pieces.map(({ name, modifiedAt }) => ({ name: `pieces-${name}`, modifiedAt })),
  ]
}

/** Each page of rows becomes bytes before the next is read, so that only bytes accumulate. */
async function pagesOfPart(reads: ReadContext, part: string): Promise<Buffer[]> {
  const pages: Buffer[] = []
  for await (const entries of await entriesOf(reads, part)) pages.push(lines('url', entries))
  return pages
}

const pagesOf = <Item>(items: readonly Item[], urlOf: (item: Item) => string): Entry[][] =>
  items.length === 0 ? [] : [items.map((item) => ({ url: urlOf(item) }))]

async function entriesOf(reads: ReadContext, part: string): Promise<AsyncIterable<Entry[]> | Iterable<Entry[]>> {
  const [kind, ...rest] = part.split('-')
  const name = rest.join('-')
  if (part === 'pages') return [sitemapPages(reads.urls.base).map((url) => ({ url }))]
  if (part === 'topics') return pagesOf(await allTopics(reads), ({ topic }) => reads.urls.topic(topic))
  if (part === 'archive') return pagesOf(await archiveMonths(reads), ({ month }) => reads.urls.archive(month))
  if (kind === 'pieces') return piecesOfPart(reads, name)
  if (kind === 'authors') return authorsOfPart(reads, name)
  if (kind === 'series') return seriesOfPart(reads, name)
  if (kind === 'products') return productsOfPart(reads, name)
  return []
}

const lines = (element: 'url' | 'sitemap', entries: readonly Entry[]): Buffer =>
  Buffer.from(entries.map((entry) => line(element, entry)).join(''))

const line = (element: 'url' | 'sitemap', { url, modifiedAt }: Entry): Xml => {
  const content = xml`<loc>${url}</loc>${modifiedAt && xml`<lastmod>${modifiedAt.toISOString()}</lastmod>`}`
  return element === 'url' ? xml`<url>${content}</url>\n` : xml`<sitemap>${content}</sitemap>\n`
}

const sitemapXml = (root: 'urlset' | 'sitemapindex', content: readonly Buffer[]): Buffer =>
  Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="UTF-8"?>\n'),
    Buffer.from(`<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`),
    ...content,
    Buffer.from(`</${root}>\n`),
  ])
