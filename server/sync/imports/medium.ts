import { type Message, message } from '#messages/message.ts'
import { type Element, elementsIn, hasClass, type Node, textOf } from '#platform/markdown/html-tree.ts'
import { treeToMarkdown } from '#platform/markdown/import-html.ts'
import { parseHtml } from '#platform/markdown/parse-html.ts'
import { textIn } from './export-files.ts'
import { problem } from './message-error.ts'
import { eachPost, filesLeft, isBeginningOf, lostOf, noted, type Post, postOf, type Reader } from './post.ts'

/** Medium's export: a zip with an HTML page for each post, draft and response, and much else. */

export const readMedium: Reader = async (files, options) => {
  const pages = files.names.filter((name) => /(?:^|\/)posts\/[^/]+\.html$/.test(name))
  const found = pages.length > 0 ? pages : files.names.filter((name) => /^[^/]+\.html$/.test(name))
  if (found.length === 0) throw problem('import.medium.no_posts', { files: 'posts/*.html' })
  const lost: Message[] = []
  const posts = await eachPost(found, options, async (name) => {
    const page = pageOf(parseHtml(await textIn(files, name)))
    const response = responseIn(page)
    if (response === undefined) return mediumPost(name, page)
    lost.push(message('import.medium.response', { file: name, response }))
    return undefined
  })
  const others = files.names.filter((name) => !found.includes(name))
  return { posts, lost: [...lost, ...filesLeft(others, (name) => name.split('/').at(-2) ?? name)] }
}

interface MediumPage {
  readonly title: string
  /** Written by the author, or the beginning of the text, cut after 140 characters. */
  readonly summary: string
  readonly body: Element | undefined
  readonly tags: readonly string[]
  readonly date: string | undefined
  readonly address: string
}

function pageOf(tree: readonly Node[]): MediumPage {
  const all = [...elementsIn(tree)]
  const find = (name: string) => all.find((one) => hasClass(one, name))
  return {
    title: lineOf(find('p-name')),
    summary: lineOf(find('p-summary')),
    body: find('e-content'),
    tags: all.filter((one) => hasClass(one, 'p-tag')).map(lineOf),
    date: all.find(({ tag }) => tag === 'time')?.attributes['datetime'],
    address: find('p-canonical')?.attributes['href'] ?? '',
  }
}

/** A response has no title: its page is named after its first words. */
function responseIn({ title, summary, body, address }: MediumPage): string | undefined {
  const isTitled = summary !== '' || [...elementsIn(body?.children ?? [])].some((one) => hasClass(one, 'graf--title'))
  const text = lineOf(body)
  if (isTitled || title === '' || !text.startsWith(title.replace(/…$/, ''))) return undefined
  return address || text.slice(0, 60)
}

function mediumPost(name: string, page: MediumPage): Post {
  const file = name
    .split('/')
    .at(-1)!
    .replace(/\.html$/, '')
  const isDraft = file.startsWith('draft_')
  const { subtitle, content } = contentOf(page)
  const foreign = treeToMarkdown(content)
  const [, slug = file, id = file] = /^(?:\d{4}-\d\d-\d\d|draft)_(.+?)-+([0-9a-f]{8,})$/.exec(file) ?? []
  const { title, tags, date, address } = page
  return postOf({
    origin: id,
    slug,
    date,
    title,
    subtitle,
    tags,
    address: isDraft ? null : address,
    wasPublic: !isDraft,
    markdown: foreign.markdown,
    pictures: foreign.pictures,
    lost: [
      ...noted(tags.length === 0 && !isDraft, () => message('import.medium.tags')),
      ...noted(!isDraft, () => message('import.medium.claps')),
      ...lostOf(foreign),
    ],
  })
}

/** The text repeats title and subtitle, whole where the summary is cut, and begins with a rule of the page. */
function contentOf({ title, summary, body }: MediumPage): { subtitle: string; content: readonly Node[] } {
  const all = [...elementsIn(body?.children ?? [])]
  const beginning = summary.replace(/\s*(?:…|\.\.\.)$/, '')
  const ofTitle = all.find((one) => hasClass(one, 'graf--title') && lineOf(one) === title)
  const [first] = all.filter((one) => hasClass(one, 'graf') && one !== ofTitle && !hasClass(one, 'graf--figure'))
  const isSubtitle = (one: Element | undefined): one is Element =>
    one !== undefined &&
    (hasClass(one, 'graf--subtitle') || (one.tag === 'h4' && beginning !== '' && lineOf(one).startsWith(beginning)))
  const subtitle = isSubtitle(first) ? first : undefined
  const dropped = new Set([ofTitle, subtitle, firstRule(all)])
  const kept = (nodes: readonly Node[]): Node[] =>
    nodes.flatMap((node): Node[] => {
      if (typeof node === 'string') return [node]
      return dropped.has(node) ? [] : [{ ...node, children: kept(node.children) }]
    })
  const content = kept(body?.children ?? [])
  const own = isBeginningOf(beginning, textOf(content)) ? '' : summary
  return { subtitle: subtitle ? lineOf(subtitle) : own, content }
}

function firstRule(all: readonly Element[]): Element | undefined {
  const section = all.find((one) => hasClass(one, 'section--first'))
  return section?.children.find((one): one is Element => typeof one !== 'string' && hasClass(one, 'section-divider'))
}

/** The text content on one line. */
const lineOf = (one: Element | undefined): string =>
  textOf(one?.children ?? [])
    .replace(/\s+/g, ' ')
    .trim()
