import { cliTranslator } from '#messages/cli.ts'
import { htmlToMarkdown } from '#platform/markdown/import-html.ts'
import { Stopped } from '../terminal.ts'
import { type ExportFiles, jsonIn } from './export-files.ts'
import { type Imported, type ImportOptions, lostOf, type Post, postOf, type Row, textIn as text } from './post.ts'

const t = cliTranslator()

/** Ghost's export: its database tables as one JSON file. Posts have HTML besides the editor's format. */

const isRow = (one: unknown): one is Row => typeof one === 'object' && one !== null

export function readGhost(files: ExportFiles, { site }: ImportOptions): Imported {
  const name = files.names.find((one) => one.endsWith('.json'))
  if (name === undefined) throw new Stopped(t('cli.import.ghost.no_json'))
  const given: { db?: [{ data?: Row }]; data?: Row } = Object(jsonIn(files, name))
  const data = given.db?.[0]?.data ?? given.data
  if (!Array.isArray(data?.['posts'])) throw new Stopped(t('cli.import.ghost.not_an_export', { file: name }))
  const table = (of: string): Row[] => (Array.isArray(data[of]) ? data[of].filter(isRow) : [])
  const posts = table('posts').map((row) => ghostPost(row, table, site))
  return { posts, lost: leftOf(data, site) }
}

function ghostPost(row: Row, table: (of: string) => Row[], site: string | undefined): Post {
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
    slug,
    date: text(row, 'published_at') || text(row, 'created_at'),
    title: text(row, 'title'),
    subtitle: text(row, 'custom_excerpt'),
    tags: tags.filter((tag) => !isInternal(tag)).map((tag) => text(tag, 'name')),
    address: placed(text(row, 'canonical_url')) || (isPublic && site ? `${site}/${slug}/` : null),
    locale: text(row, 'locale'),
    markdown: foreign.markdown,
    lost: [
      ...lostRow(row, html),
      ...(internal.length > 0 ? [t('cli.import.ghost.internal_tags', { tags: t.list(internal) })] : []),
      ...lostMeta(row, meta, placed),
      ...lostAuthors(of(table('posts_authors')), table),
      ...lostOf(foreign),
    ],
  })
}

/** Internal tags, which readers of Ghost never see. */
const isInternal = (tag: Row | undefined): boolean =>
  tag?.['visibility'] === 'internal' || text(tag, 'name').startsWith('#')

function lostRow(row: Row, html: string): string[] {
  const visibility = text(row, 'visibility') || 'public'
  return [
    ...(html === '' ? [t('cli.import.ghost.no_html')] : []),
    ...(visibility === 'public' ? [] : [t('cli.import.lost_audience', { audience: visibility })]),
    ...(/<!--\s*members-only\s*-->/.test(html) ? [t('cli.import.lost_paywall')] : []),
    ...(row['status'] === 'scheduled' ? [t('cli.import.lost_schedule', { time: text(row, 'published_at') })] : []),
    ...(row['type'] === 'page' ? [t('cli.import.ghost.page')] : []),
    ...(/kg-(?:signup|cta)-card/.test(html) ? [t('cli.import.lost_buttons')] : []),
    ...(/kg-(?:gallery|callout|toggle|product|header)-card/.test(html) ? [t('cli.import.ghost.cards')] : []),
    ...['codeinjection_head', 'codeinjection_foot']
      .filter((name) => text(row, name))
      .map((name) => t('cli.import.ghost.code', { name })),
  ]
}

const lostMeta = (row: Row, meta: Row | undefined, placed: (value: string) => string): string[] => [
  ...(text(row, 'feature_image') ? [t('cli.import.lost_cover', { address: placed(text(row, 'feature_image')) })] : []),
  ...(text(meta, 'email_subject')
    ? [t('cli.import.ghost.email_subject', { subject: text(meta, 'email_subject') })]
    : []),
  ...(Object.keys(meta ?? {}).some((name) => /^(?:meta|og|twitter)_/.test(name) && text(meta, name))
    ? [t('cli.import.ghost.metadata')]
    : []),
]

function lostAuthors(links: Row[], table: (of: string) => Row[]): string[] {
  const names = links.map(({ author_id }) =>
    text(
      table('users').find(({ id }) => id === author_id),
      'name',
    ),
  )
  return names.length > 1 ? [t('cli.import.ghost.authors', { names: t.list(names.slice(1)) })] : []
}

const read = ['posts', 'posts_meta', 'posts_tags', 'tags', 'posts_authors', 'users']

const leftOf = (data: Row, site: string | undefined): string[] => [
  ...Object.entries(data)
    .filter(([of, rows]) => !read.includes(of) && Array.isArray(rows) && rows.length > 0)
    .map(([table, rows]) => t('cli.import.ghost.rows', { count: (rows as Row[]).length, table })),
  ...(site ? [] : [t('cli.import.lost_addresses', { option: '--site https://…' })]),
]
