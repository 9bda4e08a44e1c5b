import { type Message, message } from '#messages/message.ts'
import { htmlToMarkdown } from '#platform/markdown/import-html.ts'
import { jsonIn } from './export-files.ts'
import { problem } from './message-error.ts'
import { eachPost, lostOf, type Post, postOf, type Reader, type Row, stringOf as text } from './post.ts'

/** Ghost's export: its database tables as one JSON file. Posts have HTML besides the editor's format. */

const isRow = (one: unknown): one is Row => typeof one === 'object' && one !== null

export const readGhost: Reader = async (files, options) => {
  const { site, siteOption } = options
  const name = files.names.find((one) => one.endsWith('.json'))
  if (name === undefined) throw problem('import.ghost.no_json')
  const given: { db?: [{ data?: Row }]; data?: Row } = Object(await jsonIn(files, name))
  const data = given.db?.[0]?.data ?? given.data
  if (!Array.isArray(data?.['posts'])) throw problem('import.ghost.not_an_export', { file: name })
  const table = (of: string): Row[] => (Array.isArray(data[of]) ? data[of].filter(isRow) : [])
  const languageRow = table('settings').find(({ key }) => key === 'locale' || key === 'lang')
  const language = text(languageRow, 'value')
  const posts = await eachPost(table('posts'), options, (row) => ghostPost(row, table, site, language))
  return { posts, lost: leftOf(data, site, siteOption) }
}

function ghostPost(row: Row, table: (of: string) => Row[], site: string | undefined, language: string): Post {
  // Ghost's placeholder for its own address.
  const placed = (value: string) => value.replaceAll('__GHOST_URL__', site ?? '')
  const html = placed(text(row, 'html'))
  const foreign = htmlToMarkdown(html, { base: site, without: ['kg-signup-card', 'kg-cta-card'] })
  const of = (rows: Row[]) => rows.filter((one) => one['post_id'] === row['id'])
  const tags = of(table('posts_tags'))
    .sort((a, b) => Number(a['sort_order']) - Number(b['sort_order']))
    .map(({ tag_id }) => table('tags').find(({ id }) => id === tag_id))
  const internal = tags.filter(isInternal).map((tag) => text(tag, 'name'))
  const slug = text(row, 'slug')
  const isPublic = row['status'] === 'published' || row['status'] === 'sent'
  const [meta] = of(table('posts_meta'))
  return postOf({
    origin: text(row, 'uuid') || text(row, 'id') || slug,
    slug,
    wasPublic: isPublic,
    date: text(row, 'published_at') || text(row, 'created_at'),
    title: text(row, 'title'),
    subtitle: text(row, 'custom_excerpt'),
    tags: tags.filter((tag) => !isInternal(tag)).map((tag) => text(tag, 'name')),
    address: placed(text(row, 'canonical_url')) || (isPublic && site ? `${site}/${slug}/` : null),
    locale: text(row, 'locale') || language,
    meta: {
      title: text(meta, 'meta_title'),
      description: text(meta, 'meta_description'),
      social_title: text(meta, 'og_title') || text(meta, 'twitter_title'),
      social_description: text(meta, 'og_description') || text(meta, 'twitter_description'),
    },
    markdown: foreign.markdown,
    pictures: foreign.pictures,
    cover: placed(text(row, 'feature_image')),
    lost: [
      ...lostRow(row, html),
      ...(internal.length > 0 ? [message('import.ghost.internal_tags', { tags: internal.join(', ') })] : []),
      ...lostMeta(meta),
      ...lostAuthors(of(table('posts_authors')), table),
      ...lostOf(foreign),
    ],
  })
}

/** Internal tags, which readers of Ghost never see. */
const isInternal = (tag: Row | undefined): boolean =>
  tag?.['visibility'] === 'internal' || text(tag, 'name').startsWith('#')

function lostRow(row: Row, html: string): Message[] {
  const visibility = text(row, 'visibility') || 'public'
  return [
    ...(html === '' ? [message('import.ghost.no_html')] : []),
    ...(visibility === 'public' ? [] : [message('import.lost_audience', { audience: visibility })]),
    ...(/<!-{2}\s*members-only\s*-->/.test(html) ? [message('import.lost_paywall')] : []),
    ...(row['status'] === 'scheduled' ? [message('import.lost_schedule', { time: text(row, 'published_at') })] : []),
    ...(row['type'] === 'page' ? [message('import.ghost.page')] : []),
    ...(/kg-(?:signup|cta)-card/.test(html) ? [message('import.lost_buttons')] : []),
    ...(/kg-(?:gallery|callout|toggle|product|header)-card/.test(html) ? [message('import.ghost.cards')] : []),
    ...['codeinjection_head', 'codeinjection_foot']
      .filter((name) => text(row, name))
      .map((name) => message('import.ghost.code', { name })),
  ]
}

const lostMeta = (meta: Row | undefined): Message[] => [
  ...(text(meta, 'email_subject')
    ? [message('import.ghost.email_subject', { subject: text(meta, 'email_subject') })]
    : []),
  ...(text(meta, 'og_image') || text(meta, 'twitter_image') ? [message('import.ghost.metadata')] : []),
]

function lostAuthors(links: Row[], table: (of: string) => Row[]): Message[] {
  const names = links.map(({ author_id }) =>
    text(
      table('users').find(({ id }) => id === author_id),
      'name',
    ),
  )
  return names.length > 1 ? [message('import.ghost.authors', { names: names.slice(1).join(', ') })] : []
}

const read = ['posts', 'posts_meta', 'posts_tags', 'tags', 'posts_authors', 'users']

const leftOf = (data: Row, site: string | undefined, option: string): Message[] => [
  ...Object.entries(data)
    .filter(([of, rows]) => !read.includes(of) && Array.isArray(rows) && rows.length > 0)
    .map(([table, rows]) => message('import.ghost.rows', { count: (rows as Row[]).length, table })),
  ...(site ? [] : [message('import.lost_addresses', { option })]),
]
