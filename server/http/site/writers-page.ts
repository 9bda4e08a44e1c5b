import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { authorsByName, initialsOfAuthors, newestAuthors } from '#features/authors/reads.ts'
import type { AuthorHit } from '#features/authors/schema.ts'
import { tagsOfAuthorLists, tagsOfPieceLists } from '#features/cache-tags.ts'
import type { Urls } from '#features/urls.ts'
import type { PageHead } from '#http/page-layout.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { portraitOrInitial, tick } from './byline.ts'
import { feedLinks, older, siteFeed } from './lists.ts'
import { page } from './page.ts'

const perPage = 50
/** Only where the list is longer than a page. */
const newest = 5

const querystring = Type.Object({ cursor, from: Type.Optional(Type.String({ maxLength: 20 })) })

/** `/writers`: everyone with public pieces, by name. */
export const writersPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/writers', { onRequest: gate('list', 'read'), schema }, async (request, reply) => {
    const { cursor, from } = request.query
    const isFirst = cursor === undefined && from === undefined
    const [writers, initials] = await Promise.all([
      authorsByName(reads, { cursor, from: from?.replaceAll('\0', '').toWellFormed(), limit: perPage }),
      initialsOfAuthors(reads),
    ])
    const isShort = isFirst && writers.next_cursor === null
    const joined = isFirst && !isShort ? await newestAuthors(reads, newest) : []
    const head: PageHead = {
      title: t('site.writers.title'),
      description: t('site.writers.description', { site: siteInfo.name }),
      canonical: isFirst ? urls.writers() : undefined,
      robots: isFirst && writers.items.length > 0 ? undefined : 'noindex, follow',
      feeds: [siteFeed(context)],
    }
    const main = html`<div class="column">
<h1 class="title">${t('site.writers.title')}</h1>
${isFirst && writers.items.length === 0 && html`<p class="standfirst">${t('site.writers.empty')}</p>\n<p class="note"><a href="${urls.page('desk')}">${t('site.nav.start_writing')}</a></p>`}
${joined.length > 0 && writersSection(t, 'new', t('site.writers.new'), joined, urls)}
${!isShort && initialLinks(t, initials, urls)}
${writersSection(t, 'all', joined.length > 0 ? t('site.writers.all') : undefined, writers.items, urls)}
${older(urls.writers(), writers.next_cursor, t('site.writers.more'))}
${feedLinks(t, siteFeed(context))}
</div>`
    return withCacheTags(reply, page(reply, context, head, main), [...tagsOfAuthorLists, ...tagsOfPieceLists])
  })
}

const initialLinks = (t: Translator, initials: readonly string[], urls: Urls): Html | null =>
  initials.length < 2
    ? null
    : html`<nav class="sections initials" aria-label="${t('site.writers.initials')}"><ul>
${initials.map((initial) => html`<li><a href="${urls.writers(initial)}"><bdi>${initial}</bdi></a></li>\n`)}</ul></nav>`

const writersSection = (
  t: Translator,
  id: string,
  label: string | undefined,
  writers: readonly AuthorHit[],
  urls: Urls,
): Html =>
  html`<section${label && html` aria-labelledby="${id}"`}>
${label && html`<h2 class="label" id="${id}">${label}</h2>`}
<ul class="quiet writers">
${writers.map((writer) => writerItem(t, writer, label ? 'h3' : 'h2', urls))}</ul>
</section>`

function writerItem(
  t: Translator,
  { name, role, avatar_url, identity_verified, pieces_count, urls: own }: AuthorHit,
  heading: 'h2' | 'h3',
  urls: Urls,
): Html {
  const link = html`<a href="${own.profile}"><bdi>${name}</bdi></a>${identity_verified && tick(t)}`
  return html`<li>
${portraitOrInitial(avatar_url, name, 48, urls)}
<div>
${heading === 'h2' ? html`<h2 class="title">${link}</h2>` : html`<h3 class="title">${link}</h3>`}
<p class="meta">${role && html`<bdi>${role}</bdi>`}<span${role && html` class="dot"`}><bdi>${t('site.author.piece_count', { count: pieces_count })}</bdi></span></p>
</div>
</li>
`
}
