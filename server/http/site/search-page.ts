import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type, { type Static } from 'typebox'
import { authorAt, writersWith } from '#features/authors/reads.ts'
import { tagsOfAuthorLists, tagsOfPieceLists } from '#features/cache-tags.ts'
import type { ReadContext } from '#features/context.ts'
import { languagesOf } from '#features/pieces/languages.ts'
import { type Category, categories } from '#features/pieces/schema.ts'
import { parseQuestion } from '#features/pieces/search/words-query.ts'
import { searchByWords } from '#features/pieces/words-reads.ts'
import { askedLanguage, languageLabels } from '#http/language-label.ts'
import type { PublicContext } from '#http/public-context.ts'
import { translatorOf } from '#messages/translator.ts'
import { cursor } from '#platform/common-schemas.ts'
import { cached, uncached, withCacheTags } from '#platform/http/caching.ts'
import { failure } from '#platform/http/errors.ts'
import { isLanguageTag } from '#platform/text/language.ts'
import { withoutAccents } from '#platform/text/slug.ts'
import { page } from './page.ts'
import { invitation, longestTerm, tooLong } from './search-form.ts'
import { results } from './search-results.ts'

const perPage = 20
const mostAuthors = 3

/** Empty for all: what the form sends. */
const choice = Type.Optional(Type.String({ maxLength: 100, 'x-line': true }))

/** Length is checked here, not by the schema: an empty field gets a page that invites to search. */
const querystring = Type.Object({
  q: Type.Optional(Type.String({ 'x-line': true })),
  cursor,
  language: Type.Optional(Type.String()),
  category: choice,
  author: choice,
  tag: choice,
  since: choice,
  until: choice,
})

/** `/search?q=`: pieces that have all the words, best place first, and authors. */
export const searchPages: FastifyPluginAsyncTypebox<PublicContext> = async (app, context) => {
  const { reads, gate, siteInfo, onPartial } = context
  const t = translatorOf(siteInfo.language)
  const schema = { hide: true, querystring } as { querystring: typeof querystring }
  app.addHook('onSend', cached('publicRead'))

  app.get('/search', { onRequest: gate('search', 'search'), schema }, async (request, reply) => {
    const { q = '', cursor } = request.query
    const chosen = chosenIn(request.query)
    const languages = await languagesOf(reads)
    const form = { urls: reads.urls, chosen, labels: languageLabels(t, languages) }
    const title = t('site.search.title')
    const head = { title: q ? t('site.search.title_of', { query: q }) : title, robots: 'noindex, follow' }
    if (q === '') return withCacheTags(reply, page(reply, context, head, invitation(t, form)), tagsOfPieceLists)
    if ([...q].length > longestTerm) {
      reply.code(400)
      return page(reply, context, { ...head, title }, tooLong(t, q, form))
    }
    const { author, ...filter } = chosen
    const authorId = author === undefined ? undefined : await authorNamed(reads, author)
    const [hits, writers] = await Promise.all([
      searchByWords(reads, { q, languages, authorId, ...filter, limit: perPage, ...(cursor ? { cursor } : {}) }),
      cursor ? [] : writersWith(reads, q, mostAuthors),
    ])
    const meant = hits.corrected ? hits.did_you_mean! : q
    const question = parseQuestion(meant, chosen.language === undefined ? languages : [chosen.language])
    const markup = page(reply, context, head, results(t, { hits, writers, isFirst: !cursor, question }, form))
    if (!hits.partial) return withCacheTags(reply, markup, [...tagsOfPieceLists, ...tagsOfAuthorLists])
    onPartial()
    return uncached(reply, markup)
  })
}

/** What the form was sent with, without what was left empty. */
function chosenIn({ category, language, author, tag, since, until }: Static<typeof querystring>) {
  if (language && !isLanguageTag(language)) throw failure(400)
  if (category && !categories.includes(category as Category)) throw failure(400)
  for (const day of [since, until]) if (day && !/^\d{4}-\d\d-\d\d$/.test(day)) throw failure(400)
  return {
    category: (category || undefined) as Category | undefined,
    language: askedLanguage(language || undefined),
    author: author || undefined,
    tag: tag || undefined,
    since: since || undefined,
    until: until || undefined,
  }
}

/** Of nobody: nothing is found. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** By address or by name, with or without accents; if several have it, the one that author search names first. */
async function authorNamed(reads: ReadContext, said: string): Promise<string> {
  const known = await authorAt(reads, said.toLowerCase())
  if (known) return known.id
  const plain = withoutAccents(said)
  const named = await writersWith(reads, said, 20)
  const writer =
    named.find(({ name }) => withoutAccents(name) === plain) ??
    named.find(({ name }) => withoutAccents(name).includes(plain))
  return (writer && (await authorAt(reads, writer.slug))?.id) ?? nobody
}
