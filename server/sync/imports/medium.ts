import sanitizeHtml from 'sanitize-html'
import { cliTranslator } from '#messages/cli.ts'
import { htmlTree, textOf } from '#platform/markdown/html-tree.ts'
import { htmlToMarkdown } from '#platform/markdown/import-html.ts'
import { Stopped } from '../terminal.ts'
import type { ExportFiles } from './export-files.ts'
import { filesLeft, type Imported, lostOf, type Post, postOf } from './post.ts'

const t = cliTranslator()

/** Medium's export: a zip with an HTML page for each post, draft and response, and much else. */

export function readMedium(files: ExportFiles): Imported {
  const pages = files.names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/.test(name))
  const found = pages.length > 0 ? pages : files.names.filter((name) => /^[^/]+\.html$/.test(name))
  if (found.length === 0) throw new Stopped(t('cli.import.medium.no_posts', { files: 'posts/*.html' }))
  const lost: string[] = []
  const posts: Post[] = []
  for (const name of found) {
    const html = files.text(name)
    const response = responseIn(html)
    if (response === undefined) posts.push(mediumPost(name, html))
    else lost.push(t('cli.import.medium.response', { file: name, response }))
  }
  const others = files.names.filter((name) => !found.includes(name))
  return { posts, lost: [...lost, ...filesLeft(others, (name) => name.split('/').at(-2) ?? name)] }
}

/** A response has no title: its page is named after its first words. */
function responseIn(html: string): string | undefined {
  const title = plainOf(insideOf(html, 'h1', 'p-name'))
  const body = plainOf(bodyOf(html))
  const isTitled = /class="[^"]*\bgraf--title\b/.test(html) || insideOf(html, 'section', 'p-summary') !== ''
  if (isTitled || title === '' || !body.startsWith(title.replace(/…$/, ''))) return undefined
  return hrefOf(html, 'p-canonical') || body.slice(0, 60)
}

function mediumPost(name: string, html: string): Post {
  const title = plainOf(insideOf(html, 'h1', 'p-name'))
  const subtitle = plainOf(insideOf(html, 'section', 'p-summary'))
  const file = name
    .split('/')
    .at(-1)!
    .replace(/\.html$/, '')
  const isDraft = file.startsWith('draft_')
  const foreign = htmlToMarkdown(withoutTitle(bodyOf(html), title, subtitle))
  const [, slug = file] = /^(?:\d{4}-\d\d-\d\d|draft)_(.+?)-+[0-9a-f]{8,}$/.exec(file) ?? []
  const tags = [...html.matchAll(/<a\b[^>]*class="p-tag"[^>]*>([\s\S]*?)<\/a>/g)].map(([, tag = '']) => plainOf(tag))
  return postOf({
    slug,
    date: /<time\b[^>]*datetime="([^"]+)"/.exec(html)?.[1] ?? null,
    title,
    subtitle,
    tags,
    address: isDraft ? null : hrefOf(html, 'p-canonical'),
    markdown: foreign.markdown,
    lost: [
      ...(tags.length === 0 && !isDraft ? [t('cli.import.medium.tags')] : []),
      ...(isDraft ? [] : [t('cli.import.medium.claps')]),
      ...lostOf(foreign),
    ],
  })
}

/** From the start of the text to the footer; the first section begins with a rule of the page. */
const bodyOf = (html: string): string =>
  (/<section\b[^>]*class="e-content"[^>]*>([\s\S]*?)<footer\b/.exec(html)?.[1] ?? '').replace(
    /(<section\b[^>]*section--first[^>]*>\s*)<div class="section-divider">\s*<hr[^>]*>\s*<\/div>/,
    '$1',
  )

/** The text repeats title and subtitle. */
const withoutTitle = (body: string, title: string, subtitle: string): string =>
  body.replace(
    /<(h[1-4]|p)\b[^>]*class="[^"]*\bgraf--(title|subtitle)\b[^"]*"[^>]*>([\s\S]*?)<\/\1>/g,
    (whole, _tag, kind, words) => (plainOf(words) === (kind === 'title' ? title : subtitle) ? '' : whole),
  )

const hrefOf = (html: string, name: string): string => {
  const [tag = ''] = new RegExp(`<a\\b[^>]*class="${name}"[^>]*>`).exec(html) ?? []
  return plainOf(/href="([^"]*)"/.exec(tag)?.[1] ?? '')
}

/** The content of the first element with a class; it must not contain another of its tag. */
const insideOf = (html: string, tag: string, name: string): string =>
  new RegExp(`<${tag}\\b[^>]*class="${name}"[^>]*>([\\s\\S]*?)</${tag}>`).exec(html)?.[1] ?? ''

/** The text content on one line. */
const plainOf = (html: string): string =>
  textOf(htmlTree(sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} })))
    .replace(/\s+/g, ' ')
    .trim()
