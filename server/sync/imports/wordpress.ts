import { type Message, message } from '#messages/message.ts'
import { type Element, isElement, type Node, textOf } from '#platform/markdown/html-tree.ts'
import { htmlToMarkdown } from '#platform/markdown/import-html.ts'
import { DoctypeError, parseHtml, parseXml } from '#platform/markdown/parse-html.ts'
import { type ExportFiles, textIn } from './export-files.ts'
import { problem } from './message-error.ts'
import { eachPost, lostOf, noted, type Post, postOf, type Reader } from './post.ts'
import { withBlocks } from './wordpress-text.ts'

/** WordPress's export (WXR): RSS with members of its own. WordPress.com packs one or more of them into a zip. */

export const readWordpress: Reader = async (files, options) => {
  const names = files.names.filter((name) => /\.xml$/i.test(name))
  if (names.length === 0) throw problem('import.wordpress.no_xml')
  const items: Item[] = []
  for (const name of names) items.push(...(await itemsIn(files, name)))
  const attachments = new Map(
    items.filter(({ type }) => type === 'attachment').map((one) => [one.text('wp:post_id'), one]),
  )
  const pieces = items.filter(({ type }) => type === 'post' || type === 'page')
  const posts = await eachPost(pieces, options, (item) => wordpressPost(item, attachments))
  const others = items.filter((item) => !pieces.includes(item) && item.type !== 'attachment')
  return {
    posts,
    lost: [...Map.groupBy(others, ({ type }) => type)].map(([kind, { length }]) =>
      message('import.wordpress.items', { kind, count: length }),
    ),
  }
}

interface Item {
  readonly type: string
  readonly language: string
  readonly children: readonly Element[]
  text(name: string): string
}

async function itemsIn(files: ExportFiles, name: string): Promise<Item[]> {
  const channel = channelIn(await textIn(files, name))
  const isExport = channel?.some(({ tag }) => tag === 'wp:wxr_version') ?? false
  if (!channel || !isExport) throw problem('import.wordpress.not_an_export', { file: name })
  const language = memberText(channel, 'language')
  return channel
    .filter(({ tag }) => tag === 'item')
    .map(({ children }) => {
      const members = children.filter(isElement)
      const text = (member: string): string => memberText(members, member)
      return { type: text('wp:post_type') || 'post', language, children: members, text }
    })
}

function channelIn(xml: string): Element[] | undefined {
  try {
    const childOf = (nodes: readonly Node[], tag: string): Node[] | undefined =>
      nodes.filter(isElement).find((one) => one.tag === tag)?.children
    return childOf(childOf(parseXml(xml), 'rss') ?? [], 'channel')?.filter(isElement)
  } catch (error) {
    if (error instanceof DoctypeError) return undefined
    throw error
  }
}

const memberText = (members: readonly Element[], name: string): string =>
  textOf(members.find(({ tag }) => tag === name)?.children ?? []).trim()

function wordpressPost(item: Item, attachments: ReadonlyMap<string, Item>): Post {
  const { children, language, type, text } = item
  const status = text('wp:status')
  const isPublic = status === 'publish'
  const meta = new Map(
    children
      .filter(({ tag }) => tag === 'wp:postmeta')
      .map((one) => one.children.filter(isElement))
      .map((pair) => [memberText(pair, 'wp:meta_key'), memberText(pair, 'wp:meta_value')]),
  )
  const { html, lost } = withBlocks(text('content:encoded'), meta.get('footnotes') ?? '')
  const base = URL.canParse(text('link')) ? text('link') : undefined
  const foreign = htmlToMarkdown(html, { base, without: ['sharedaddy', 'wp-block-jetpack-subscriptions'] })
  const ofDomain = (domain: string): string[] =>
    children
      .filter(({ tag, attributes }) => tag === 'category' && attributes['domain'] === domain)
      .map((one) => textOf(one.children).trim())
  const categories = ofDomain('category').filter((one) => one !== 'Uncategorized')
  return postOf({
    origin: text('guid') || text('link') || text('wp:post_id'),
    slug: decoded(text('wp:post_name')) || text('title'),
    date: gmt(text('wp:post_date_gmt')) ?? gmt(text('wp:post_date')),
    title: plainText(text('title')),
    subtitle: plainText(text('excerpt:encoded')),
    tags: [...ofDomain('post_tag'), ...categories],
    address: isPublic ? text('link') : null,
    locale: language,
    wasPublic: isPublic,
    markdown: foreign.markdown,
    pictures: foreign.pictures,
    cover: attachments.get(meta.get('_thumbnail_id') ?? '')?.text('wp:attachment_url'),
    lost: [...lostIn(item, status, type), ...lost, ...lostOf(foreign)],
  })
}

function lostIn({ children, text }: Item, status: string, type: string): Message[] {
  const comments = children.filter(({ tag }) => tag === 'wp:comment').length
  return [
    ...noted(type === 'page', () => message('import.wordpress.page')),
    ...noted(status === 'future', () => message('import.lost_schedule', { time: text('wp:post_date_gmt') })),
    ...noted(status === 'private' || text('wp:post_password') !== '', () =>
      message('import.lost_audience', { audience: status === 'private' ? 'private' : 'password' }),
    ),
    ...noted(comments > 0, () => message('import.lost_comments', { count: comments })),
  ]
}

/** Titles and excerpts may have tags and references. */
const plainText = (html: string): string => (/[<&]/.test(html) ? textOf(parseHtml(html)) : html)

/** Drafts have a date of zeros. */
const gmt = (text: string): string | undefined =>
  /^(?!0000)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text) ? `${text.replace(' ', 'T')}Z` : undefined

const decoded = (slug: string): string => {
  try {
    return decodeURIComponent(slug)
  } catch {
    return slug
  }
}
