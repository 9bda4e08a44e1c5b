import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyPluginAsync } from 'fastify'
import Type from 'typebox'
import type { SiteInfo } from '#config/site-info.ts'
import { tagsOfPieceLists, tagsOfProductLists } from '#features/cache-tags.ts'
import type { Urls } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { cursor } from '#platform/common-schemas.ts'
import { xml } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { outlineOf } from '#platform/images/drawn-cover/outline.ts'
import { transformOf } from '#platform/images/drawn-cover/sheet.ts'
import { touchIcon } from '#platform/images/touch-icon.ts'
import { tokenColour } from '#platform/page/colours.ts'
import { textToPath } from '#platform/svg-text/line.ts'
import { createTextShaper, type TextShaper } from '#platform/svg-text/shaper.ts'
import { shortened } from '#platform/text/normalise.ts'
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

  app.get('/opensearch.xml', { ...route, onSend: cached('description') }, async (_request, reply) => {
    reply.type('application/opensearchdescription+xml; charset=utf-8')
    return openSearch(siteInfo, reads.urls)
  })

  app.get('/.well-known/security.txt', route, async (_request, reply) => {
    reply.type(plain)
    return securityText(siteInfo, reads.urls, new Date())
  })
}

/** The site's mark, for tabs and home screens. */
export const faviconRoutes: FastifyPluginAsync<{ siteInfo: SiteInfo }> = async (app, { siteInfo }) => {
  const shaper = createTextShaper(siteInfo.language, { milliseconds: 5_000 })
  app.addHook('onClose', () => shaper.close())
  app.addHook('onSend', cached('description'))
  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, { schema: { hide: true } as object }, async (_request, reply) => {
      reply.type('image/svg+xml')
      return siteInfo.mark
    })
  }
  let icon: Promise<Buffer> | undefined
  app.get('/apple-touch-icon.png', { schema: { hide: true } as object }, async (_request, reply) => {
    icon ??= outlinedMark(siteInfo, shaper).then(touchIcon)
    icon.catch(() => {
      icon = undefined
    })
    reply.type('image/png')
    return icon
  })
}

/** Our own default has a character as text; a server has no font for it, so it becomes an outline. */
async function outlinedMark({ mark, hasOwnMark }: SiteInfo, shaper: TextShaper): Promise<string> {
  const found = hasOwnMark ? undefined : /<text [^>]*>([^<]*)<\/text>/.exec(mark)
  if (!found) return mark
  const initial = found[1]!
  const path = textToPath(initial)?.path ?? (await shaper.fitOrFail(initial))?.path
  const outline = path === undefined ? undefined : outlineOf(path)
  const place = { x: 16, y: 14, width: 26, height: 19 }
  const colour = tokenColour('ink')
  return mark.replace(
    found[0],
    outline ? `<path fill="${colour}" transform="${transformOf(outline, place)}" d="${outline.path}"/>` : '',
  )
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

/** Its limit for the name (https://github.com/dewitt/opensearch). */
const longestShortName = 16

/** /opensearch.xml: browsers offer the site's search. */
const openSearch = ({ name, description, language }: SiteInfo, { base, search }: Urls): string =>
  String(xml`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${Array.from(name).slice(0, longestShortName).join('')}</ShortName>
<LongName>${Array.from(name).slice(0, 48).join('')}</LongName>
<Description>${shortened(description, 1_024)}</Description>
<Language>${language}</Language>
<InputEncoding>UTF-8</InputEncoding>
<Image width="32" height="32" type="image/svg+xml">${base}/favicon.svg</Image>
<Url type="text/html" template="${search()}?q={searchTerms}"/>
<Url type="application/json" template="${base}/api/public/pieces/search?q={searchTerms}"/>
</OpenSearchDescription>
`)

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
