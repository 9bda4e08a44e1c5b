import { renderMarkdown } from '../../server/platform/markdown/render.ts'
import { readJsonFeed, readRss } from './readers.ts'

/** What a form of a piece tells a reader. Left out is what it does not show. */
export interface Shown {
  readonly id?: string
  readonly url: string
  readonly title: string
  readonly summary?: string
  /** The words of the text, in order. */
  readonly words: string
  readonly published: Date
  readonly modified?: Date
  readonly authors: readonly { readonly name: string; readonly url?: string }[]
  readonly tags?: readonly string[]
  readonly category?: string
  readonly language?: string
}

/** A piece by its addresses, without the site's own. */
export interface Where {
  readonly id: string
  readonly author: string
  readonly slug: string
}

/** Every way a piece is shown, by name. */
export const forms: Readonly<
  Record<string, (body: (path: string) => Promise<string>, where: Where) => Promise<Shown>>
> = {
  async REST(body, { id }) {
    const { piece } = JSON.parse(await body(`/api/public/pieces/${id}`))
    return { ...ofItem(piece), words: wordsOf(piece.content_text) }
  },

  async 'REST, its HTML'(body, { id }) {
    const { piece } = JSON.parse(await body(`/api/public/pieces/${id}`))
    return { ...ofItem(piece), words: wordsOfHtml(piece.content_html) }
  },

  async 'JSON Feed'(body, { id, author }) {
    const { items } = readJsonFeed(await body(`/author/${author}/feed.json`))
    const item = items.find((one) => one.id.endsWith(id))!
    return { ...ofItem(item), words: wordsOf(item.content_text), language: item.language }
  },

  async 'JSON Feed, its HTML'(body, { id, author }) {
    const { items } = readJsonFeed(await body(`/author/${author}/feed.json`))
    const item = items.find((one) => one.id.endsWith(id))!
    return { ...ofItem(item), words: wordsOfHtml(item.content_html), language: item.language }
  },

  async RSS(body, { id, author }) {
    const [feed] = readRss([await body(`/author/${author}/feed.xml`)])
    const item = feed!.items.find((one) => one.guid.endsWith(id))!
    const [category, ...tags] = item.categories
    return {
      id: item.guid,
      url: item.link,
      title: item.title,
      summary: item.summary,
      words: wordsOfHtml(item.content),
      published: new Date(item.pubDate),
      modified: new Date(item.updated),
      authors: item.creators.map((name) => ({ name })),
      tags,
      ...(category === undefined ? {} : { category }),
      language: item.language,
    }
  },

  async 'the page'(body, { author, slug }) {
    const page = await body(`/author/${author}/${slug}`)
    const told = [...page.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(([, block]) =>
      JSON.parse(block!),
    )
    const article = told.find((one) => one['@type'] === 'Article')
    const prose = page.slice(page.indexOf('<div class="prose">'), page.indexOf('</article>'))
    return {
      id: article['@id'],
      url: article.mainEntityOfPage,
      title: unescaped(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(page)![1]!),
      summary: article.description,
      words: wordsOfHtml(prose),
      published: new Date(article.datePublished),
      modified: new Date(article.dateModified),
      authors: article.author.map(({ name, url }: { name: string; url: string }) => ({ name, url })),
      tags: article.keywords?.split(', ') ?? [],
      category: article.articleSection,
      language: article.inLanguage,
    }
  },

  async 'its Markdown'(body, { author, slug }) {
    const twin = await body(`/author/${author}/${slug}.md`)
    const fact = (name: string) => new RegExp(`^- ${name}: (.+)$`, 'm').exec(twin)![1]!
    const { html } = renderMarkdown(twin)
    const [, profile, name] = /<p>By <a href="([^"]+)"[^>]*>(.+?)<\/a>/.exec(html)!
    return {
      url: fact('Address').replace(/^<|>$/g, ''),
      title: unescaped(/<h1[^>]*>([\s\S]*?)<\/h1>/.exec(html)![1]!),
      words: wordsOfHtml(html.slice(html.indexOf('<hr'))),
      published: new Date(fact('Published')),
      modified: new Date(fact('Modified')),
      authors: [{ name: unescaped(name!), url: profile! }],
      category: fact('Category'),
    }
  },
}

interface Item {
  readonly id: string
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly date_published: string
  readonly date_modified: string
  readonly authors: readonly { readonly name: string; readonly url: string }[]
  readonly tags: readonly string[]
  readonly category: string
}

const ofItem = ({ id, url, title, summary, date_published, date_modified, authors, tags, category }: Item) => ({
  id,
  url,
  title,
  summary,
  published: new Date(date_published),
  modified: new Date(date_modified),
  authors: authors.map((one) => ({ name: one.name, url: one.url })),
  tags,
  category,
})

/** Letters, digits and emoji, one space apart: what is left of a text when it is told without marks. */
const wordsOf = (text: string): string =>
  (text.replace(/↩\uFE0E?/g, ' ').match(/[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []).join(' ')

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' }

const unescaped = (text: string): string =>
  text.replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)

function wordsOfHtml(html: string): string {
  const text = html
    .replace(/<img [^>]*?alt="([^"]*)"[^>]*>/g, ' $1 ')
    // A list draws the numbers of notes itself.
    .replace(/<li id="fn-(\d+)">/g, ' $1 ')
    // Only what stands in a line may stand in a word.
    .replace(/<\/?(?:em|strong|del|code|a|span)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
  return wordsOf(unescaped(text))
}
