import { type Message, message } from '#messages/message.ts'
import { draftOf } from '../file-draft.ts'
import { type Page, readPage } from '../front-matter.ts'
import { textIn } from './export-files.ts'
import { MessageError, problem } from './message-error.ts'
import { picturesIn, withPictures } from './pictures.ts'
import { eachPost, filesLeft, noted, type Post, postOf, type Reader } from './post.ts'

/** Markdown files with front matter, as static site generators and this site's own export have them. */

const isText = (name: string): boolean => /\.(?:md|markdown)$/i.test(name)
const isPicture = (name: string): boolean => /\.(?:avif|gif|hei[cf]|jpe?g|png|webp)$/i.test(name)
/** Files about a repository or a section, not posts. */
const papers = /(?:^|\/)(?:README|CHANGELOG|CONTRIBUTING|LICENSE|CODE_OF_CONDUCT|SECURITY|_index)\.(?:md|markdown)$/i

export const readMarkdown: Reader = async (files, options) => {
  const texts = files.names.filter((name) => isText(name) && !papers.test(name))
  if (texts.length === 0) throw problem('import.markdown.no_files')
  const names = new Set(files.names)
  const posts = await eachPost(texts, options, async (name) => markdownPost(name, await textIn(files, name), names))
  const used = new Set(posts.flatMap(({ pictures, cover }) => [...pictures, cover ?? '']))
  const others = files.names.filter((name) => !texts.includes(name) && !used.has(name))
  const kindOf = (name: string) => (isPicture(name) ? '*.jpg, *.png …' : `*.${name.split('.').at(-1)}`)
  return { posts, lost: filesLeft(others, kindOf) }
}

function markdownPost(name: string, source: string, names: ReadonlySet<string>): Post {
  const { facts, body, lost } = pageOf(source)
  const { draft, ignored } = draftOf({ facts, body })
  const line = (value: unknown): string => (typeof value === 'string' ? value : '')
  const isDraft = facts['draft'] === true || facts['published'] === false || facts['status'] === 'draft'
  const file = (address: string): string => fileAt(name, address, names) ?? address
  const addresses = picturesIn(draft.body_md)
  const markdown = withPictures(draft.body_md, new Map(addresses.map((one) => [one, file(one)])))
  const slug =
    line(facts['slug']) ||
    name
      .split('/')
      .at(-1)!
      .replace(/\.\w+$/, '')
  const cover = ['cover', 'cover_image', 'image', 'featured_image'].map((one) => line(facts[one])).find(Boolean)
  const known = ['draft', 'published', 'slug', 'cover', 'cover_image', 'image', 'featured_image', 'date']
  const left = ignored.filter((one) => !known.includes(one))
  return postOf({
    origin: `${name}\n${source}`,
    slug: slug === 'index' ? (name.split('/').at(-2) ?? slug) : slug,
    date: line(facts['date']) || line(facts['published_at']),
    title: line(draft.headline) || slug.replace(/^\d{4}-\d\d-\d\d-/, ''),
    subtitle: line(draft.sub) || line(facts['description']) || line(facts['excerpt']),
    tags: Array.isArray(draft.tags) ? draft.tags.map(String) : [],
    address: line(draft.external_url),
    locale: line(draft.locale),
    meta: stringsOf(draft.meta),
    wasPublic: !isDraft,
    markdown,
    pictures: addresses.map(file),
    cover: cover === undefined ? undefined : file(cover),
    lost: [...lost, ...noted(left.length > 0, () => message('import.markdown.members', { names: left.join(', ') }))],
  })
}

/** Nobody has validated the file. */
const stringsOf = (meta: Post['draft']['meta']): Post['draft']['meta'] =>
  meta && Object.fromEntries(Object.entries(meta).filter(([, text]) => typeof text === 'string'))

/** The name of a file of the export that an address leads to, beside the text or from the top. */
function fileAt(from: string, address: string, names: ReadonlySet<string>): string | undefined {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(address)) return undefined
  const base = 'https://export.invalid/'
  const path = URL.parse(address, `${base}${encodeURI(from)}`)?.pathname
  if (path === undefined) return undefined
  let name = path.slice(1)
  try {
    name = decodeURIComponent(name)
  } catch {}
  const [top = ''] = from.split('/')
  return [name, `${top}/${name}`, `static/${name}`, `${top}/static/${name}`, `public/${name}`].find((one) =>
    names.has(one),
  )
}

function pageOf(source: string): Page & { readonly lost: Message[] } {
  try {
    return { ...readPage(source), lost: [] }
  } catch (error) {
    if (!(error instanceof MessageError)) throw error
    return { facts: {}, body: source, lost: [message('import.front_matter_kept'), error.said] }
  }
}
