import { cliTranslator } from '#messages/cli.ts'
import { readPage } from '../front-matter.ts'
import { Problem, Stopped } from '../terminal.ts'
import { type ExportFiles, jsonIn } from './export-files.ts'
import { type Imported, type Post, postOf, type Row, textIn as text } from './post.ts'

const t = cliTranslator()

/** dev.to's export: articles.json with the Markdown of each article, and comments.json. */

export function readDevto(files: ExportFiles): Imported {
  const name =
    files.names.find((one) => /(?:^|\/)articles\.json$/.test(one)) ??
    files.names.find((one) => one.endsWith('.json') && !/(?:^|\/)comments\.json$/.test(one))
  if (name === undefined) throw new Stopped(t('cli.import.devto.no_articles', { file: 'articles.json' }))
  const articles = jsonIn(files, name)
  if (!Array.isArray(articles) || !articles.every((one) => typeof Object(one).body_markdown === 'string')) {
    throw new Stopped(t('cli.import.devto.not_an_export', { file: name }))
  }
  const comments = files.names.filter((one) => /(?:^|\/)comments\.json$/.test(one))
  const count = comments.reduce((sum, one) => sum + Object(jsonIn(files, one)).length, 0)
  return {
    posts: articles.map(devtoPost),
    lost: count > 0 ? [t('cli.import.lost_own_comments', { count })] : [],
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
    slug: text(row, 'slug') || said('title') || text(row, 'title'),
    date: text(row, 'published_at') || text(row, 'created_at'),
    title: text(row, 'title') || said('title'),
    subtitle: said('description') || ownDescription(text(row, 'description'), markdown),
    tags: (text(row, 'cached_tag_list') || said('tags')).split(',').map((tag) => tag.trim()),
    address: canonical || (isPublic && path ? `https://dev.to${path}` : null),
    locale: text(row, 'language'),
    markdown,
    lost: [
      ...[...unread, ...lost],
      ...(cover ? [t('cli.import.lost_cover', { address: cover })] : []),
      ...(said('series') ? [t('cli.import.lost_series', { series: said('series') })] : []),
      ...(responses > 0 ? [t('cli.import.lost_comments', { count: responses })] : []),
      ...(reactions > 0 ? [t('cli.import.lost_reactions', { count: reactions })] : []),
      ...(text(row, 'video_source_url')
        ? [t('cli.import.lost_video', { address: text(row, 'video_source_url') })]
        : []),
      ...[...markdown.matchAll(/!\[[^\]]*\]\((https?:\/\/[^\s)]+)/g)].map(([, address = '']) =>
        t('cli.import.remote_image', { address }),
      ),
    ],
  })
}

/** Without a description dev.to uses the beginning of the text, which is there already. */
function ownDescription(description: string, markdown: string): string | null {
  const letters = (words: string): string => words.replace(/[^\p{L}\p{N}]/gu, '')
  return letters(markdown).startsWith(letters(description)) ? null : description
}

/** Some articles begin with front matter, which is not always valid. */
function pageOf(source: string): { facts: Row; body: string; lost: string[] } {
  const text = source.replace(/\r\n/g, '\n')
  if (!text.startsWith('---\n')) return { facts: {}, body: text, lost: [] }
  try {
    return { ...readPage(text), lost: [] }
  } catch (error) {
    if (error instanceof Problem)
      return { facts: {}, body: text, lost: [t('cli.import.front_matter_kept', { reason: error.message })] }
    throw error
  }
}

/**
 * Liquid tags `{% embed https://… %}` outside of code: a URL becomes a link, others stay as they are and are reported.
 */
function withoutLiquid(body: string): { markdown: string; lost: string[] } {
  const lost: string[] = []
  const markdown = body.replace(
    /(^(`{3,}|~{3,})[\s\S]*?^\2|`[^`\n]*`)|\{%\s*(\w+)\s+([^%]*?)\s*%\}/gm,
    (whole, code, _fence, kind, value) => {
      if (code !== undefined) return whole
      const address = addressOf(kind, value)
      lost.push(address ? t('cli.import.embed_linked', { address }) : t('cli.import.devto.liquid', { tag: whole }))
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
