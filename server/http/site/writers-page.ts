import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { authorsByName, initialsOfAuthors, newestAuthors } from '#features/authors/reads.ts'
import type { AuthorHit } from '#features/authors/schema.ts'
import { tagsOfAuthorLists, tagsOfPieceLists } from '#features/cache-tags.ts'
import type { Urls } from '#features/urls.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached } from '#platform/http/caching.ts'
import { portraitOrInitial, tick } from './byline.ts'
import { emptyList, listPage, older } from './lists.ts'

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
    const isEmpty = writers.items.length === 0
    return listPage(
      reply,
      context,
      {
        name: t('site.writers.title'),
        description: t('site.writers.description', { site: siteInfo.name }),
        address: urls.writers(),
        isFirst,
        isIndexed: isFirst && !isEmpty,
        cacheTags: [...tagsOfAuthorLists, ...tagsOfPieceLists],
      },
      html`${isFirst && isEmpty && emptyList(t, t('site.writers.empty'), urls)}
${joined.length > 0 && writersSection(t, 'new', t('site.writers.new'), joined, urls)}
${!isShort && initialLinks(t, initials, urls)}
${writersSection(t, 'all', joined.length > 0 ? t('site.writers.all') : undefined, writers.items, urls)}
${older(urls.writers(), writers.next_cursor, t('site.writers.more'))}`,
    )
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

const writerItem = (
  t: Translator,
  { name, role, avatar_url, identity_verified, pieces_count, urls: own }: AuthorHit,
  heading: 'h2' | 'h3',
  urls: Urls,
): Html =>
  html`<li>
${portraitOrInitial(avatar_url, name, 48, urls)}
<div>
<${heading} class="title"><a href="${own.profile}"><bdi>${name}</bdi></a>${identity_verified && tick(t)}</${heading}>
<p class="meta">${role && html`<bdi>${role}</bdi>`}<span${role && html` class="dot"`}><bdi>${t('site.author.piece_count', { count: pieces_count })}</bdi></span></p>
</div>
</li>
`
