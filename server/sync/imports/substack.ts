import { cliTranslator } from '#messages/cli.ts'
import { htmlToMarkdown } from '#platform/markdown/import-html.ts'
import { readCsv } from '#platform/text/csv.ts'
import { Stopped } from '../terminal.ts'
import type { ExportFiles } from './export-files.ts'
import { filesLeft, type Imported, type ImportOptions, lostOf, type Post, postOf } from './post.ts'

const t = cliTranslator()

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

export function readSubstack(files: ExportFiles, { site }: ImportOptions): Imported {
  const list = files.names.find((name) => /(?:^|\/)posts\.csv$/.test(name))
  if (list === undefined) throw new Stopped(t('cli.import.substack.no_posts', { file: 'posts.csv' }))
  const folder = list.slice(0, -'posts.csv'.length)
  const rows = readCsv(files.text(list))
  const used = new Set([list])
  const posts = rows.map((row) => {
    const page = [`${folder}posts/${row['post_id']}.html`, `${folder}${row['post_id']}.html`].find((name) =>
      files.names.includes(name),
    )
    if (page !== undefined) used.add(page)
    return substackPost(row, page === undefined ? undefined : files.text(page), site)
  })
  return {
    posts,
    lost: [
      ...filesLeft(
        files.names.filter((name) => !used.has(name)),
        kindOf,
      ),
      ...(site ? [] : [t('cli.import.lost_addresses', { option: '--site https://….substack.com' })]),
    ],
  }
}

function substackPost(row: Row, html: string | undefined, site: string | undefined): Post {
  const foreign = htmlToMarkdown(html ?? '', { base: site, without: nonTextClasses })
  const slug = (row['post_id'] ?? '').replace(/^\d+\./, '')
  const isPublic = /^true$/i.test(row['is_published'] ?? '')
  return postOf({
    slug,
    date: row['post_date'],
    title: row['title'] ?? '',
    subtitle: row['subtitle'],
    address: isPublic && site ? `${site}/p/${slug}` : null,
    markdown: foreign.markdown,
    lost: [...lostRow(row, html, isPublic), ...lostIn(html ?? ''), ...lostOf(foreign)],
  })
}

function lostRow(row: Row, html: string | undefined, isPublic: boolean): string[] {
  const { type = '', audience = '', podcast_url: podcast } = row
  return [
    ...(html === undefined ? [t('cli.import.substack.no_html')] : []),
    ...(audience === '' || audience === 'everyone' ? [] : [t('cli.import.lost_audience', { audience })]),
    ...(type === '' || type === 'newsletter' ? [] : [t('cli.import.substack.type', { type })]),
    ...(podcast ? [t('cli.import.substack.audio', { address: podcast })] : []),
    ...(!isPublic && new Date(row['post_date'] ?? '') > new Date()
      ? [t('cli.import.lost_schedule', { time: row['post_date'] ?? '' })]
      : []),
    ...(isPublic ? [t('cli.import.substack.comments')] : []),
  ]
}

const lostIn = (html: string): string[] => [
  ...(html.includes('subscription-widget-wrap') || html.includes('button-wrapper')
    ? [t('cli.import.lost_buttons')]
    : []),
  ...(html.includes('paywall-jump') ? [t('cli.import.lost_paywall')] : []),
  ...(html.includes('poll-embed') ? [t('cli.import.substack.poll')] : []),
]

const kindOf = (name: string): string => {
  if (/\.(?:delivers|opens)\.csv$/.test(name)) return t('cli.import.substack.deliveries')
  return /(?:email_list|subscribers?)[^/]*\.csv$/.test(name) ? t('cli.import.substack.subscribers') : name
}
