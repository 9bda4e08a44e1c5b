import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import Type from 'typebox'
import type { SiteInfo } from '#config/site-info.ts'
import { tagsOfPieceLists, tagsOfProductLists } from '#features/cache-tags.ts'
import type { Urls } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cursor } from '#platform/common-schemas.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { addresses, disallowed } from './endpoints.ts'
import { llmsText, type WriteCatalogue } from './llms.ts'
import { sitemapRoutes } from './sitemap.ts'

const querystring = Type.Object({ cursor })

export interface DiscoveryRoutesContext extends PublicContext {
  readonly writeCatalogue: WriteCatalogue
}

/** The addresses that crawlers and other programs ask first. */
export const discoveryRoutes: FastifyPluginAsyncTypebox<DiscoveryRoutesContext> = async (app, context) => {
  await app.register(textRoutes, context)
  await app.register(sitemapRoutes, context)
}

const textRoutes: FastifyPluginAsyncTypebox<DiscoveryRoutesContext> = async (
  app,
  { reads, gate, siteInfo, writeCatalogue },
) => {
  const plain = 'text/plain; charset=utf-8'
  const route = { onRequest: gate('list', 'read'), schema: { hide: true } as object }
  app.addHook('onSend', cached('publicRead'))

  app.get('/llms.txt', route, async (_request, reply) => {
    reply.type(plain)
    return withCacheTags(reply, await llmsText(reads, siteInfo), [...tagsOfPieceLists, ...tagsOfProductLists])
  })

  const paged = { ...route, schema: { hide: true, querystring } as { querystring: typeof querystring } }
  app.get('/llms-products.txt', paged, async (request, reply) => {
    const text = await writeCatalogue(request.query.cursor)
    reply.type(plain)
    return withCacheTags(reply, text, [...tagsOfProductLists, ...tagsOfPieceLists])
  })

  app.get('/robots.txt', route, async (_request, reply) => {
    reply.type(plain)
    return robotsText(reads.urls)
  })

  app.get('/.well-known/security.txt', route, async (_request, reply) => {
    reply.type(plain)
    return securityText(siteInfo, reads.urls, new Date())
  })
}

/** The favicon. */
export const faviconRoutes: FastifyPluginAsync<{ siteInfo: SiteInfo }> = async (app, { siteInfo }) => {
  app.addHook('onSend', cached('description'))
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type('image/svg+xml')
      return siteInfo.mark
    })
  }
}

/** /robots.txt (RFC 9309): everything public is allowed. */
const robotsText = ({ base }: Urls): string =>
  [
    'User-agent: *',
    'Allow: /',
    ...disallowed.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${base}/sitemap.xml`,
    '',
  ].join('\n')

const day = 86_400_000
/** RFC 9116 recommends less than a year. */
const validDays = 360

const pathOf = (title: string): string => addresses.find((address) => address.title === title)!.path

/** /.well-known/security.txt (RFC 9116). Stays the same for a whole day, so that caches and people can compare it. */
export function securityText({ contact }: SiteInfo, { base }: Urls, now: Date): string {
  const today = Math.floor(now.getTime() / day) * day
  const policy = base + pathOf('Security')
  const fields = {
    Contact: contact ? `mailto:${contact}` : policy,
    Expires: new Date(today + validDays * day).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: base + pathOf('security.txt'),
    Policy: policy,
  }
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')
}
