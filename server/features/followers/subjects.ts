import { type Category, categories } from '#features/pieces/schema.ts'
import type { Urls } from '#features/urls.ts'
import { isUuid } from '#platform/cursor.ts'
import type { Database } from '#platform/db/database.ts'
import type { Subject } from './schema.ts'

/** What can be followed: by its address, for forms, and by its key, for what is followed. */

export interface SubjectContext {
  /** A connection that reads the public schema. */
  readonly db: Database
  readonly urls: Urls
}

/**
 * Undefined where nothing public is at this path: `site`, `author/ada-okafor`, `series/ada-okafor/on-tea`. A writer is
 * found by former slugs too.
 */
export async function subjectAt(context: SubjectContext, path: string): Promise<Subject | undefined> {
  const [kind, first = '', second = ''] = path.split('/')
  if (path === 'site') return siteSubject(context.urls)
  if (path.includes('\0') || !path.isWellFormed()) return undefined
  if (kind === 'section') return sectionSubject(context.urls, first)
  if (kind === 'author') return one(context, authors, ofAuthor, [first.toLowerCase()])
  if (kind === 'topic') return one(context, topics, 't.topic = pub.topic_of($1)', [first.slice(0, 200)])
  if (kind === 'series')
    return one(context, series, `${ofAuthor} and s.slug = $2`, [
      first.toLowerCase(),
      second.normalize('NFC').toLowerCase(),
    ])
  return undefined
}

/** In the order of the keys, without what is no longer public. */
export async function subjectsOf(context: SubjectContext, keys: readonly string[]): Promise<Subject[]> {
  const idsOf = (kind: string) =>
    keys.flatMap((key) => (key.startsWith(`${kind}:`) ? [key.slice(kind.length + 1)] : []))
  const found = await Promise.all([
    many(context, authors, 'a.id = any ($1::uuid[])', idsOf('author').filter(isUuid)),
    many(context, series, 's.id = any ($1::uuid[])', idsOf('series').filter(isUuid)),
    many(context, topics, 't.topic = any ($1::text[])', idsOf('topic')),
  ])
  const known = new Map(found.flat().map((subject) => [subject.key, subject]))
  return keys.flatMap((key) => {
    if (key === 'site') return [siteSubject(context.urls)]
    if (key.startsWith('section:')) return sectionSubject(context.urls, key.slice('section:'.length)) ?? []
    return known.get(key) ?? []
  })
}

interface Row {
  readonly id: string
  readonly slug: string
  readonly series_slug: string | null
  readonly name: string
}

interface Source {
  readonly select: string
  present(urls: Urls, row: Row): Subject
}

const ofAuthor =
  'a.id = coalesce((select o.id from pub.authors o where o.slug = $1), (select f.author_id from pub.former_slugs f where f.slug = $1))'

const authors: Source = {
  select: 'select a.id, a.slug, null as series_slug, a.name from pub.authors a',
  present: (urls, { id, slug, name }) => ({
    kind: 'author',
    key: `author:${id}`,
    path: `author/${slug}`,
    name,
    url: urls.profile(slug),
    feeds: { json: urls.feedJson(slug), rss: urls.feedRss(slug) },
  }),
}

const series: Source = {
  select: `select s.id, a.slug, s.slug as series_slug, s.title as name
             from pub.series s join pub.authors a on a.id = s.author_id`,
  present: (urls, { id, slug, series_slug, name }) => ({
    kind: 'series',
    key: `series:${id}`,
    path: `series/${slug}/${encodeURIComponent(series_slug!)}`,
    name,
    url: urls.series(slug, series_slug!),
    feeds: { json: urls.seriesFeedJson(slug, series_slug!), rss: urls.seriesFeedRss(slug, series_slug!) },
  }),
}

/** With the spelling of its newest piece. */
const topics: Source = {
  select: `select t.topic as id, t.topic as slug, null as series_slug, t.name
             from (select distinct on (p.topic) p.topic, p.name from pub.piece_topics p
                    order by p.topic, p.published_at desc) t`,
  present: (urls, { id, name }) => ({
    kind: 'topic',
    key: `topic:${id}`,
    path: `topic/${encodeURIComponent(id)}`,
    name,
    url: urls.topic(id),
    feeds: { json: urls.topicFeedJson(id), rss: urls.topicFeedRss(id) },
  }),
}

const siteSubject = (urls: Urls): Subject => ({
  kind: 'site',
  key: 'site',
  path: 'site',
  name: '',
  url: urls.home(),
  feeds: { json: urls.siteFeedJson(), rss: urls.siteFeedRss() },
})

const sectionSubject = (urls: Urls, section: string): Subject | undefined =>
  categories.includes(section as Category)
    ? {
        kind: 'section',
        key: `section:${section}`,
        path: `section/${section}`,
        name: section,
        url: urls.category(section),
        feeds: { json: urls.categoryFeedJson(section), rss: urls.categoryFeedRss(section) },
      }
    : undefined

async function one({ db, urls }: SubjectContext, source: Source, where: string, values: readonly string[]) {
  const [row] = await db.run<Row>({ text: `${source.select} where ${where} limit 1`, values: [...values] })
  return row && source.present(urls, row)
}

async function many({ db, urls }: SubjectContext, source: Source, where: string, ids: readonly string[]) {
  if (ids.length === 0) return []
  const rows = await db.run<Row>({ text: `${source.select} where ${where}`, values: [ids] })
  return rows.map((row) => source.present(urls, row))
}
