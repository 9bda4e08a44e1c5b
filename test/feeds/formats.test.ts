import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renderMarkdown } from '../../server/platform/markdown/render.ts'
import { typographic } from '../../server/platform/text/typography.ts'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { readJsonFeed, readRss } from './readers.ts'

/** What one format of a piece contains; fields it does not have are left out. */
interface Shown {
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

/** The parts of a piece's addresses. */
interface Where {
  readonly id: string
  readonly author: string
  readonly slug: string
}

/** Every format of a piece, by name. */
const forms: Readonly<Record<string, (body: (path: string) => Promise<string>, where: Where) => Promise<Shown>>> = {
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
    const jsonLd = [...page.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].map(([, block]) =>
      JSON.parse(block!),
    )
    const article = jsonLd.find((one) => one['@type'] === 'Article')
    const [prose] = /<div class="prose">[\s\S]*?\n<\/div>\n(?=<|$)/.exec(page)!
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

/** Letters, digits and emoji, separated by one space: the text without punctuation and markup. */
const wordsOf = (text: string): string =>
  (text.replace(/↩\uFE0E?/g, ' ').match(/[\p{L}\p{M}\p{N}]+|\p{Extended_Pictographic}/gu) ?? []).join(' ')

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: '\u00a0' }

const unescaped = (text: string): string =>
  text.replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)

function wordsOfHtml(html: string): string {
  const text = html
    .replace(/<img [^>]*?alt="([^"]*)"[^>]*>/g, ' $1 ')
    // An ordered list draws the footnote numbers itself.
    .replace(/<li id="fn-(\d+)">/g, ' $1 ')
    // Only inline elements can be inside a word.
    .replace(/<\/?(?:em|strong|del|code|a|span)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
  return wordsOf(unescaped(text))
}

/** One piece in all its formats has the same text, dates and authors. */

const { admin, app } = await testSite()

async function body(path: string): Promise<string> {
  const answer = await injectRetrying503(app, path)
  assert.equal(answer.statusCode, 200, path)
  return answer.body
}

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada <i>&</i> "O\'Kafor" 茶', verified: true })

const manuscripts = {
  'a plain piece': {
    headline: 'On tea',
    sub: 'Four minutes is not long.',
    body_md: 'One paragraph.\n\nAnother, with *weight* and a [link](https://x.example/?a=1&b=2).',
  },
  'a piece with everything': {
    headline: 'Tables, notes & "lists" <in> one',
    body_md: [
      '# A heading',
      'Words with `code <b>` and ~~none~~; see [above](#a-heading). A note.[^a] Fish & chips < 5 > 4 "quoted" it\'s.',
      '- one\n- two\n  1. deep\n  2. deeper',
      '> A quotation,\n> on two lines',
      '| a | b |\n|---|--:|\n| 1 | 2 & 3 |',
      '```js\nconst x = "<script>" && 1\n```',
      '![A *cup* of tea](https://x.example/cup.png "Mine")',
      '***',
      '[^a]: What it says,\n    twice.',
    ].join('\n\n'),
    tags: ['tea', 'R&D', '<x>'],
  },
  'a piece in many scripts': {
    headline: 'Grüße, 茶 و שלום 🫖',
    sub: 'ไทย क्षि — 👩‍👩‍👧‍👦 e\u0301',
    body_md:
      'العربية and עברית, then \u202Eturned\u202C back. 👍🏽 𝔘 \u200Bhidden\n\nline two\r\nline three ]]> &amp; &#x41;',
  },
} as const

/** At its own precision: without milliseconds or time if there are none. */
const atPrecision = (date: Date): string => date.toISOString().replace(/(T00:00:00)?\.000Z$/, '')

const published = new Map<string, Where>()
for (const [what, given] of Object.entries(manuscripts)) {
  const id = await makePiece(admin, writer, { ...given, publishedAt: new Date('2026-03-04T05:06:07.891Z') })
  const { rows } = await admin.query<{ slug: string }>('select slug from pub.pieces where id = $1', [id])
  published.set(what, { id, author: 'ada', slug: rows[0]!.slug })
}

for (const [what, where] of published) {
  describe(what, () => {
    const read = (name: string): Promise<Shown> => forms[name]!(body, where)

    for (const name of Object.keys(forms)) {
      test(`as ${name} is the same as over REST`, async () => {
        const [shown, rest] = [await read(name), await read('REST')]
        assert.equal(shown.words, rest.words)
        assert.equal(shown.url, rest.url)
        // A page sets quotation marks and dashes by the language.
        assert.equal(shown.title, name === 'the page' ? typographic(rest.title, 'en') : rest.title)
        // Some formats give the time to the second, or only the day.
        assert.ok(rest.published.toISOString().startsWith(atPrecision(shown.published)), 'another date')
        if (shown.modified)
          assert.ok(rest.modified!.toISOString().startsWith(atPrecision(shown.modified)), 'another change')
        for (const [at, { name: author, url: profile }] of shown.authors.entries()) {
          assert.equal(author, rest.authors[at]!.name)
          if (profile) assert.equal(profile, rest.authors[at]!.url)
        }
        assert.equal(shown.authors.length, rest.authors.length)
        for (const field of ['id', 'summary', 'tags', 'category'] as const)
          if (shown[field] !== undefined) assert.deepEqual(shown[field], rest[field], field)
      })
    }

    test('has words', async () => {
      assert.ok((await read('REST')).words.split(' ').length > 3)
    })
  })
}
