import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { authorAt, type KnownAuthor } from '#features/authors/reads.ts'
import type { Author } from '#features/authors/schema.ts'
import { tagsOfAuthorPieces } from '#features/cache-tags.ts'
import { handleOfAuthor } from '#features/fediverse/reads.ts'
import { languagesOf } from '#features/pieces/languages.ts'
import { piecesOfAuthor } from '#features/pieces/public-lists.ts'
import { languageFilter, type PieceListItem } from '#features/pieces/schema.ts'
import { noProducts, productsOfAuthor, type SellerProducts } from '#features/products/reads.ts'
import { seriesOfAuthor } from '#features/series/reads.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { followedAuthor } from '#http/follow-form.ts'
import { askedLanguage } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { primaryLanguage } from '#platform/text/language.ts'
import { shortened } from '#platform/text/normalise.ts'
import { hostOf, portrait, safeUrl, tick, yearOf } from './byline.ts'
import { breadcrumbs, person } from './json-ld.ts'
import { feedNamed, languageLinks, listPage, older, pieceList, productList } from './lists.ts'
import { authorMarkdown, markdownHeaders } from './markdown.ts'
import { isForMarkdown } from './page.ts'
import { seriesSection } from './series-page.ts'
import { verifiedLines } from './verified.ts'

const perPage = 40

const params = Type.Object({ author: Type.String() })
const querystring = Type.Object({ cursor, language: languageFilter })

/** `/author/{slug}`: an author's profile and pieces. */
export const authorPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, params, querystring } as { params: typeof params; querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/author/:author', { onRequest: gate('list', 'read'), schema }, async (request, reply) => {
    const found = await authorAt(reads, request.params.author.toLowerCase())
    if (!found) throw failure(404)
    const { author } = found
    const { cursor } = request.query
    const language = askedLanguage(request.query.language)
    const address = inLanguage(author.urls.profile, language)
    if (author.slug !== request.params.author) return reply.redirect(pageAddress(address, cursor), 301)

    const isFirst = cursor === undefined
    const [pieces, fediverse, sold, series] = await Promise.all([
      piecesOfAuthor(reads, found.id, { cursor, language, limit: perPage }),
      handleOfAuthor(reads, found.id, author.slug),
      isFirst ? productsOfAuthor(reads, found.id) : noProducts,
      isFirst ? seriesOfAuthor(reads, found) : [],
    ])
    const cacheTags = tagsOfAuthorPieces(author.slug, pieces.items)
    if (isForMarkdown(request, reply)) {
      const markdown = markdownHeaders(
        reply,
        authorMarkdown(t, author, { pieces, sold, series, language }, urls),
        address,
      )
      return withCacheTags(reply, markdown, cacheTags)
    }
    const isWhole = isFirst && pieces.next_cursor === null && language === undefined
    const languages = isWhole
      ? [...new Set(pieces.items.map((piece) => primaryLanguage(piece.language)))]
      : isFirst
        ? await languagesOf(reads, { authorId: found.id })
        : []
    return listPage(
      reply,
      context,
      {
        ...{ name: author.name, address: author.urls.profile, language, isFirst, isIndexed: isFirst },
        description: author.bio
          ? shortened(author.bio, 200)
          : t('site.author.description', { name: author.name, site: siteInfo.name }),
        feed: feedNamed(context, author.name, author.urls.feed_json, author.urls.feed_rss),
        followed: followedAuthor(author),
        heading: profile(t, found, siteInfo.name, urls),
        cacheTags,
        markdown: inLanguage(urls.profileMarkdown(author.slug), language),
        activity: fediverse?.actor,
        image: urls.profileImage(author.slug),
        oembed: urls.oembed(author.urls.profile),
        jsonLd: [
          person(author, siteInfo),
          breadcrumbs([siteInfo.name, urls.home()], [author.name, author.urls.profile]),
        ],
        kind: 'profile',
      },
      html`${series.length > 0 && seriesSection(t, series)}${languageLinks(t, author.urls.profile, languages, language)}<section class="years" aria-label="${t('site.author.pieces')}">
${pieces.items.length === 0 && html`<p class="standfirst">${t('site.list.empty')}</p>`}
${byYear(t, pieces.items).map(([year, ofYear]) => html`<h2 class="year">${year}</h2>\n${pieceList(t, ofYear, urls, { heading: 'h3', standfirst: true, meta: 'day' })}\n`)}
${older(address, pieces.next_cursor, t('site.list.older'))}
</section>
${sold.products.length > 0 && shopSection(t, author, sold, urls)}`,
    )
  })
}

const profile = (t: Translator, { author, websiteCheckedAt }: KnownAuthor, site: string, urls: Urls): Html =>
  html`<header class="profile">
<div class="profile-name">
<h1 class="title"><bdi>${author.name}</bdi>${author.identity_verified && tick(t)}</h1>
${portrait(author.avatar_url, 96, urls)}
</div>
${(author.role || author.location) && html`<p class="facts" dir="auto">${[author.role, author.location].filter(Boolean).join(' · ')}</p>`}
${author.bio && html`<p class="bio" dir="auto">${author.bio}</p>`}
${verifiedLines(t, site, {
  identity: author.identity_verified ? {} : undefined,
  website: author.website_verified
    ? { url: author.website, checkedAt: websiteCheckedAt, rel: 'me noopener' }
    : undefined,
})}
${socialLinks(t, author)}
</header>`

const shopSection = (t: Translator, { slug, name }: Author, { products, hasMore }: SellerProducts, urls: Urls): Html =>
  html`<section aria-labelledby="shop">
<h2 class="label" id="shop">${t('site.author.shop')}</h2>
${productList(t, products, { heading: 'h3', seller: false })}
${hasMore && html`<p class="older"><a href="${urls.shopOf(slug)}">${t('site.author.see_all', { name })}</a></p>`}
</section>`

/** Undefined where it is not the name of a brand. */
const names: Readonly<Record<keyof Author['socials'], string | undefined>> = {
  x: 'X',
  linkedin: 'LinkedIn',
  facebook: 'Facebook',
  youtube: 'YouTube',
  instagram: 'Instagram',
  newsletter: undefined,
}

/** Other profiles; a verified website is shown above. */
function socialLinks(t: Translator, { website, website_verified, socials }: Author): Html | null {
  const own = website_verified ? undefined : safeUrl(website)
  const links = [
    ...(own ? [linkOut(own, hostOf(own))] : []),
    ...Object.entries(names).flatMap(([key, name]) => {
      const address = safeUrl(socials[key as keyof typeof names])
      return address ? [linkOut(address, name ?? t('site.author.newsletter'))] : []
    }),
  ]
  return links.length === 0
    ? null
    : html`<nav class="facts" aria-label="${t('site.author.social_links')}"><ul>\n${links}</ul></nav>`
}

const linkOut = (address: string, label: string): Html =>
  html`<li><a href="${address}" rel="nofollow ugc noopener">${label}</a></li>\n`

/** Pieces come newest first, so those of a year are adjacent. */
function byYear(t: Translator, pieces: readonly PieceListItem[]): [year: string, pieces: PieceListItem[]][] {
  const years = new Map<string, PieceListItem[]>()
  for (const piece of pieces) {
    const year = yearOf(t, piece.date_published)
    years.set(year, [...(years.get(year) ?? []), piece])
  }
  return [...years]
}
