import { type Message, message } from '#messages/message.ts'
import { htmlToMarkdown } from '#platform/markdown/import-html.ts'
import { readCsv } from '#platform/text/csv.ts'
import { textIn } from './export-files.ts'
import { problem } from './message-error.ts'
import { eachPost, filesLeft, lostOf, type Post, postOf, type Reader } from './post.ts'

/** Substack's export: a zip with posts.csv, and the HTML of each post in posts/{post_id}.html. */

type Row = Readonly<Record<string, string>>

/** Elements of the newsletter that are not text. */
const nonTextClasses = [
  'subscription-widget-wrap',
  'subscription-widget-wrap-editor',
  'button-wrapper',
  'paywall-jump',
  'image-link-expand',
  'captioned-button-wrap',
  'poll-embed',
]

export const readSubstack: Reader = async (files, options) => {
  const { site, siteOption } = options
  const list = files.names.find((name) => /(?:^|\/)posts\.csv$/.test(name))
  if (list === undefined) throw problem('import.substack.no_posts', { file: 'posts.csv' })
  const folder = list.slice(0, -'posts.csv'.length)
  const rows = readCsv(await textIn(files, list))
  const used = new Set([list])
  const names = new Set(files.names)
  const posts = await eachPost(rows, options, async (row) => {
    const page = [`${folder}posts/${row['post_id']}.html`, `${folder}${row['post_id']}.html`].find((name) =>
      names.has(name),
    )
    if (page !== undefined) used.add(page)
    return substackPost(row, page === undefined ? undefined : await textIn(files, page), site)
  })
  return {
    posts,
    lost: [
      ...filesLeft(
        files.names.filter((name) => !used.has(name)),
        kindOf,
      ),
      ...(site ? [] : [message('import.lost_addresses', { option: siteOption })]),
    ],
  }
}

function substackPost(row: Row, html: string | undefined, site: string | undefined): Post {
  const foreign = htmlToMarkdown(html ?? '', { base: site, without: nonTextClasses })
  const slug = (row['post_id'] ?? '').replace(/^\d+\./, '')
  const isPublic = /^true$/i.test(row['is_published'] ?? '')
  return postOf({
    origin: row['post_id'] ?? '',
    slug,
    wasPublic: isPublic,
    date: row['post_date'],
    title: row['title'] ?? '',
    subtitle: row['subtitle'],
    address: isPublic && site ? `${site}/p/${slug}` : null,
    markdown: foreign.markdown,
    pictures: foreign.pictures,
    lost: [...lostRow(row, html, isPublic), ...lostIn(html ?? ''), ...lostOf(foreign)],
  })
}

function lostRow(row: Row, html: string | undefined, isPublic: boolean): Message[] {
  const { type = '', audience = '', podcast_url: podcast } = row
  return [
    ...(html === undefined ? [message('import.substack.no_html')] : []),
    ...(audience === '' || audience === 'everyone' ? [] : [message('import.lost_audience', { audience })]),
    ...(type === '' || type === 'newsletter' ? [] : [message('import.substack.type', { type })]),
    ...(podcast ? [message('import.substack.audio', { address: podcast })] : []),
    ...(!isPublic && new Date(row['post_date'] ?? '') > new Date()
      ? [message('import.lost_schedule', { time: row['post_date'] ?? '' })]
      : []),
    ...(isPublic ? [message('import.substack.comments')] : []),
  ]
}

const lostIn = (html: string): Message[] => [
  ...(html.includes('subscription-widget-wrap') || html.includes('button-wrapper')
    ? [message('import.lost_buttons')]
    : []),
  ...(html.includes('paywall-jump') ? [message('import.lost_paywall')] : []),
  ...(html.includes('poll-embed') ? [message('import.substack.poll')] : []),
]

/** Lists of people are left out of the import, and named by their files. */
const kindOf = (name: string): string =>
  /\.(?:delivers|opens)\.csv$/.test(name) ? '*.delivers.csv, *.opens.csv' : name
