import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { tagsOfPieceLists } from '#features/cache-tags.ts'
import { languagesOf } from '#features/pieces/languages.ts'
import type { PublishedPiece } from '#features/pieces/public-lists.ts'
import { recentPieces } from '#features/pieces/reads.ts'
import { languageFilter } from '#features/pieces/schema.ts'
import { allTopics, type CountedTopic, type Topic, topicAt } from '#features/pieces/topics.ts'
import { inLanguage, type Urls } from '#features/urls.ts'
import { askedLanguage } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { type Translator, translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { type Html, html } from '#platform/html.ts'
import { cached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { pageAddress } from '#platform/http/link-headers.ts'
import { langIn } from './byline.ts'
import { breadcrumbs } from './json-ld.ts'
import { emptyList, feedNamed, listPage, pieceListPage } from './lists.ts'
import { markdownHeaders, topicMarkdown } from './markdown.ts'
import { isForMarkdown } from './page.ts'

const perPage = 25
/** In Markdown, for programs. */
const perMarkdownPage = 100
/** Above the list of all, if there are more than that. */
const mostUsed = 20

const params = Type.Object({ topic: Type.String() })
const querystring = Type.Object({ cursor, language: languageFilter })
const ofTopic = { hide: true, params, querystring } as { params: typeof params; querystring: typeof querystring }

/** `/topics` and `/topic/{topic}`: pieces by their tags. */
export const topicPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo } = context
  const { urls } = reads
  const t = translatorOf(siteInfo.language)
  const onRequest = gate('list', 'read')
  app.addHook('onSend', cached('publicRead'))

  app.get('/topics', { onRequest, schema: { hide: true } as object }, async (_request, reply) => {
    const topics = await allTopics(reads)
    const description = t('site.topics.description', { site: siteInfo.name })
    const of = { name: t('site.topics.title'), description, address: urls.topics(), isIndexed: topics.length > 0 }
    return listPage(reply, context, of, topicSections(t, topics, urls))
  })

  const markdown = async (reply: FastifyReply, found: Topic, { cursor, language }: Asked): Promise<string> => {
    const list = await recentPieces(reads, { topic: found.topic, cursor, language, limit: perMarkdownPage })
    const text = topicMarkdown(t, found, { list, language, site: siteInfo.name }, urls)
    return withCacheTags(
      reply,
      markdownHeaders(reply, text, inLanguage(urls.topic(found.topic), language)),
      tagsOfPieceLists,
    )
  }

  app.get('/topic/:topic.md', { onRequest, schema: ofTopic }, async (request, reply) => {
    const found = await topicAt(reads, request.params.topic)
    if (!found) throw failure(404)
    const asked = askedOf(request.query)
    if (found.topic !== request.params.topic)
      return reply.redirect(pageAddress(inLanguage(urls.topicMarkdown(found.topic), asked.language), asked.cursor), 301)
    return markdown(reply, found, asked)
  })

  app.get('/topic/:topic', { onRequest, schema: ofTopic }, async (request, reply) => {
    const found = await topicAt(reads, request.params.topic)
    if (!found) throw failure(404)
    const { topic, name } = found
    const asked = askedOf(request.query)
    const { cursor, language } = asked
    const address = inLanguage(urls.topic(topic), language)
    if (topic !== request.params.topic) return reply.redirect(pageAddress(address, cursor), 301)
    if (isForMarkdown(request, reply)) return markdown(reply, found, asked)

    const [list, languages] = await Promise.all([
      recentPieces(reads, { topic, cursor, language, limit: perPage }),
      cursor === undefined ? languagesOf(reads, { topic }) : [],
    ])
    const title = t('site.topics.title')
    return pieceListPage(reply, context, {
      ...{ name, list, cursor, languages, language },
      description: t('site.topic.description', { name, site: siteInfo.name }),
      address: urls.topic(topic),
      feed: feedNamed(context, name, urls.topicFeedJson(topic), urls.topicFeedRss(topic)),
      followed: { kind: 'topic', name, path: `topic/${encodeURIComponent(topic)}` },
      heading: html`<p class="kicker above-title"><a href="${urls.topics()}">${title}</a></p>
<h1 class="title" dir="auto">${name}</h1>`,
      markdown: inLanguage(urls.topicMarkdown(topic), language),
      jsonLd: [breadcrumbs([siteInfo.name, urls.home()], [title, urls.topics()], [name, urls.topic(topic)])],
    })
  })
}

interface Asked {
  readonly cursor?: string | undefined
  readonly language?: string | undefined
}

const askedOf = ({ cursor, language }: Asked): Asked => ({ cursor, language: askedLanguage(language) })

/** In the order that people of the site's language sort by, which the root order of Unicode is not for all. */
const byName = (t: Translator, topics: readonly CountedTopic[]): CountedTopic[] => {
  const { compare } = new Intl.Collator(t.language, { numeric: true })
  return topics.toSorted((one, other) => compare(one.name, other.name))
}

const topicSections = (t: Translator, topics: readonly CountedTopic[], urls: Urls): Html =>
  html`${topics.length === 0 && emptyList(t, t('site.topics.empty'), urls)}
${topics.length > mostUsed && topicSection(t, 'most-used', t('site.topics.most_used'), topics.slice(0, mostUsed), urls)}
${topics.length > 0 && topicSection(t, 'all', t('site.topics.all'), byName(t, topics), urls)}`

const topicSection = (t: Translator, id: string, label: string, topics: readonly CountedTopic[], urls: Urls): Html =>
  html`<section aria-labelledby="${id}">
<h2 class="label" id="${id}">${label}</h2>
<ul class="directory">
${topics.map(({ topic, name, piecesCount }) => html`<li><a href="${urls.topic(topic)}"><bdi>${name}</bdi></a> <span class="meta">${t('site.author.piece_count', { count: piecesCount })}</span></li>\n`)}</ul>
</section>`

/** The tags of a piece after its text; null if it has none. In a preview they lead nowhere yet. */
export const topicLinks = (t: Translator, topics: PublishedPiece['topics'], around: string): Html | null =>
  topics.length === 0
    ? null
    : html`<nav class="topics" aria-label="${t('site.topics.title')}"${langIn(t, around)}><ul>
${topics.map(({ name, url }) => html`<li>${url === null ? html`<bdi>${name}</bdi>` : html`<a href="${url}" rel="tag"><bdi>${name}</bdi></a>`}</li>\n`)}</ul></nav>
`
