import { foreignMarkdown } from '#platform/markdown/import-html.ts'
import { Stopped } from '../user-error.ts'
import { insideOf, plainOf } from './elements.ts'
import type { ExportFiles } from './export-files.ts'
import { type Imported, lostOf, type Post, postOf } from './post.ts'

/** Medium's export: a zip with a page of HTML for each post, draft and response, and much else. */

export function readMedium(files: ExportFiles): Imported {
  const pages = files.names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/.test(name))
  const found = pages.length > 0 ? pages : files.names.filter((name) => /^[^/]+\.html$/.test(name))
  if (found.length === 0)
    throw new Stopped(
      'There is no posts/*.html in this export. In Medium: Settings, Security, Download your information.',
    )
  const lost: string[] = []
  const posts: Post[] = []
  for (const name of found) {
    const html = files.text(name)
    const response = responseIn(html)
    if (response === undefined) posts.push(mediumPost(name, html))
    else lost.push(`${name}: it seems to be a response to somebody (${response})`)
  }
  const rooms = new Map<string, number>()
  for (const name of files.names.filter((one) => !found.includes(one))) {
    const room = name.split('/').at(-2) ?? name
    rooms.set(room, (rooms.get(room) ?? 0) + 1)
  }
  return { posts, lost: [...lost, ...[...rooms].map(([room, count]) => `${room} (${count} of the export's files)`)] }
}

/** A response has no title of its own: the page is called by its first words. */
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
  const foreign = foreignMarkdown(withoutTitle(bodyOf(html), title, subtitle))
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
      ...(tags.length === 0 && !isDraft ? ['its tags, if it had any: this export has none'] : []),
      ...(isDraft ? [] : ['claps, responses and who may read it: the export does not say']),
      ...lostOf(foreign),
    ],
  })
}

/** From the beginning of the text to the foot of the page; each of its sections begins with a rule of the page's own. */
const bodyOf = (html: string): string =>
  (/<section\b[^>]*class="e-content"[^>]*>([\s\S]*?)<footer\b/.exec(html)?.[1] ?? '').replace(
    /(<section\b[^>]*section--first[^>]*>\s*)<div class="section-divider">\s*<hr[^>]*>\s*<\/div>/,
    '$1',
  )

/** Title and subtitle stand in the text once more. */
const withoutTitle = (body: string, title: string, subtitle: string): string =>
  body.replace(
    /<(h[1-4]|p)\b[^>]*class="[^"]*\bgraf--(title|subtitle)\b[^"]*"[^>]*>([\s\S]*?)<\/\1>/g,
    (whole, _tag, kind, words) => (plainOf(words) === (kind === 'title' ? title : subtitle) ? '' : whole),
  )

const hrefOf = (html: string, name: string): string => {
  const [tag = ''] = new RegExp(`<a\\b[^>]*class="${name}"[^>]*>`).exec(html) ?? []
  return plainOf(/href="([^"]*)"/.exec(tag)?.[1] ?? '')
}
