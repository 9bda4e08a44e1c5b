import { type Message, message } from '#messages/message.ts'
import { readPage } from '../front-matter.ts'
import { jsonIn } from './export-files.ts'
import { MessageError, problem } from './message-error.ts'
import { picturesIn } from './pictures.ts'
import { eachPost, isBeginningOf, type Post, postOf, type Reader, type Row, stringOf as text } from './post.ts'

/** dev.to's export: articles.json with the Markdown of each article, and comments.json. */

export const readDevto: Reader = async (files, options) => {
  const name =
    files.names.find((one) => /(?:^|\/)articles\.json$/.test(one)) ??
    files.names.find((one) => one.endsWith('.json') && !/(?:^|\/)comments\.json$/.test(one))
  if (name === undefined) throw problem('import.devto.no_articles', { file: 'articles.json' })
  const articles = await jsonIn(files, name)
  if (!Array.isArray(articles) || !articles.every((one) => typeof Object(one).body_markdown === 'string')) {
    throw problem('import.devto.not_an_export', { file: name })
  }
  const comments = files.names.filter((one) => /(?:^|\/)comments\.json$/.test(one))
  let count = 0
  for (const one of comments) count += Object(await jsonIn(files, one)).length
  return {
    posts: await eachPost(articles, options, devtoPost),
    lost: count > 0 ? [message('import.lost_own_comments', { count })] : [],
  }
}

function devtoPost(row: Row): Post {
  const { facts, body, lost: unread } = pageOf(text(row, 'body_markdown'))
  const { markdown, lost } = withoutLiquid(body)
  const said = (name: string) => (typeof facts[name] === 'string' ? facts[name] : '')
  const path = text(row, 'path')
  const isPublic = row['published'] === true
  const canonical = said('canonical_url') || text(row, 'canonical_url')
  const cover = said('cover_image') || text(row, 'main_image')
  const responses = Number(row['comments_count'] ?? 0)
  const reactions = Number(row['positive_reactions_count'] ?? row['public_reactions_count'] ?? 0)
  return postOf({
    origin: String(row['id'] ?? '') || path || text(row, 'slug'),
    wasPublic: isPublic,
    slug: text(row, 'slug') || said('title') || text(row, 'title'),
    date: text(row, 'published_at') || text(row, 'created_at'),
    title: text(row, 'title') || said('title'),
    subtitle:
      said('description') || (isBeginningOf(text(row, 'description'), markdown) ? null : text(row, 'description')),
    tags: (text(row, 'cached_tag_list') || said('tags')).split(',').map((tag) => tag.trim()),
    address: canonical || (isPublic && path ? `https://dev.to${path}` : null),
    locale: text(row, 'language'),
    markdown,
    pictures: picturesIn(markdown),
    cover,
    lost: [
      ...[...unread, ...lost],
      ...(said('series') ? [message('import.lost_series', { series: said('series') })] : []),
      ...(responses > 0 ? [message('import.lost_comments', { count: responses })] : []),
      ...(reactions > 0 ? [message('import.lost_reactions', { count: reactions })] : []),
      ...(text(row, 'video_source_url')
        ? [message('import.lost_video', { address: text(row, 'video_source_url') })]
        : []),
    ],
  })
}

/** Some articles begin with front matter, which is not always valid. */
function pageOf(source: string): { facts: Row; body: string; lost: Message[] } {
  const text = source.replace(/\r\n/g, '\n')
  if (!text.startsWith('---\n')) return { facts: {}, body: text, lost: [] }
  try {
    return { ...readPage(text), lost: [] }
  } catch (error) {
    if (error instanceof MessageError)
      return { facts: {}, body: text, lost: [message('import.front_matter_kept'), error.said] }
    throw error
  }
}

/**
 * Liquid tags `{% embed https://… %}` outside of code: a URL becomes a link, others stay as they are and are reported.
 */
function withoutLiquid(body: string): { markdown: string; lost: Message[] } {
  const lost: Message[] = []
  const markdown = body.replace(
    /(^(`{3,}|~{3,})[\s\S]*?^\2|`[^`\n]*`)|\{%\s*(\w+)\s+([^%]*?)\s*%\}/gm,
    (whole, code, _fence, kind, value) => {
      if (code !== undefined) return whole
      const address = addressOf(kind, value)
      lost.push(address ? message('import.embed_linked', { address }) : message('import.devto.liquid', { tag: whole }))
      return address ? `<${address}>` : whole
    },
  )
  return { markdown, lost }
}

function addressOf(kind: string, value: string): string | undefined {
  const [first = ''] = value.split(/\s+/)
  if (/^https?:\/\/[^\s<>]+$/.test(first)) return first
  if (kind === 'youtube' && /^[\w-]{6,20}$/.test(first)) return `https://www.youtube.com/watch?v=${first}`
  if (kind === 'vimeo' && /^\d+$/.test(first)) return `https://vimeo.com/${first}`
  if ((kind === 'link' || kind === 'post') && /^[\w-]+\/[\w-]+$/.test(first)) return `https://dev.to/${first}`
  return kind === 'github' && /^[\w.-]+\/[\w.-]+$/.test(first) ? `https://github.com/${first}` : undefined
}
