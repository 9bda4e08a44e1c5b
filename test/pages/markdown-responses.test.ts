import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publishProfile, renameWriter } from '../../server/features/authors/writers.ts'
import { renderMarkdown } from '../../server/platform/markdown/render.ts'
import { seedSite } from '../../server/seed/seed.ts'
import { testApp, testSite } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, makeDraft, makePiece, makeWriter, unpublish } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'

/** `.md`: the page of a piece or an author as Markdown, with the words, dates and names of the API. */

const { admin, app } = await testSite()
const base = 'https://site.test'
const ask = (path: string, headers: Record<string, string> = {}) => injectRetrying503(app, { url: path, headers })

const body = `# Tea

It is *hot*, **strong** and \`brown\`.[^1] Below: [why](#tea).

- [x] pour
- [ ] wait

| a | b |
|---|--:|
| c \\| d | <script>alert(1)</script> |

\`\`\`js
const minutes = 4
\`\`\`

[^1]: Four minutes.
`
const ada = await makeWriter(admin, {
  slug: 'ada-okafor',
  name: 'Ada *Okafor*',
  bio: 'Writes about tea.\n\nAnd [gardens](https://evil.example).',
  role: 'Gardener',
  website: 'https://ada.example/',
  socials: { x: 'https://x.com/ada' },
  verified: true,
  websiteVerified: true,
})
const tea = await makePiece(admin, ada, {
  headline: 'On tea: # 1 [of](https://evil.example) *many*',
  sub: '> Four <b>minutes</b>.',
  body_md: body,
  category: 'life',
  tags: ['tea', '*slow*'],
  externalUrl: 'https://ada.example/tea?a=1&b=2',
})
await makePiece(admin, ada, { headline: 'Plain', body_md: 'Words.', publishedAt: new Date('2025-05-05T05:05:05.005Z') })

interface Piece {
  readonly url: string
  readonly title: string
  readonly content_html: string
  readonly content_text: string
  readonly date_published: string
  readonly date_modified: string
  readonly authors: readonly { readonly name: string; readonly url: string }[]
}
const pieceOf = async (id: string): Promise<Piece> => (await ask(`/api/public/pieces/${id}`)).json().piece

/** The Markdown response in two rendered parts: above and below the rule. */
function apart(markdown: string) {
  const at = markdown.indexOf('\n---\n')
  const [above, below] = [markdown.slice(0, at), markdown.slice(at + '\n---\n'.length)]
  return { head: renderMarkdown(above), text: renderMarkdown(below) }
}

describe('the twin of a piece', () => {
  test('renders to the text and the HTML of the API', async () => {
    const piece = await pieceOf(tea)
    const { text } = apart((await ask(`${piece.url.slice(base.length)}.md`)).body)
    assert.equal(text.text, piece.content_text)
    assert.equal(text.html, piece.content_html)
  })

  test('has the title, standfirst, author, dates and addresses of the API above it, and no mark-up of theirs', async () => {
    const piece = await pieceOf(tea)
    const { head } = apart((await ask(`${piece.url.slice(base.length)}.md`)).body)
    assert.deepEqual(head.text.split(/\n+/), [
      piece.title,
      '> Four <b>minutes</b>.',
      'By Ada *Okafor* (identity verified)',
      `Published: ${piece.date_published}`,
      `Modified: ${piece.date_modified}`,
      'Language: en',
      'Category: life',
      'Tags: tea, *slow*',
      `Address: ${piece.url}`,
      'First published at: https://ada.example/tea?a=1&b=2',
    ])
    const links = [...head.html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)
    assert.deepEqual(links, [piece.authors[0]!.url, piece.url, 'https://ada.example/tea?a=1&amp;b=2'])
    assert.doesNotMatch(head.html, /<(em|b|strong|h2)>/)
  })

  test('is Markdown in UTF-8, open to every origin, not for search engines, and points to the page', async () => {
    const { headers } = await ask('/author/ada-okafor/plain.md')
    assert.equal(headers['content-type'], 'text/markdown; charset=utf-8')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['link'], `<${base}/author/ada-okafor/plain>; rel="canonical"`)
  })

  test('is cached and purged like the piece', async () => {
    const { headers } = await ask('/author/ada-okafor/plain.md')
    assert.match(String(headers['surrogate-key']), /^piece-[0-9a-f-]{36} byline-ada-okafor$/)
    assert.match(String(headers['cache-control']), /s-maxage=30/)
    const again = await ask('/author/ada-okafor/plain.md', { 'if-none-match': String(headers['etag']) })
    assert.equal(again.statusCode, 304)
  })

  test('is 404 for what is a draft, was unpublished or never was', async () => {
    await makeDraft(admin, ada, { headline: 'Still a draft' })
    const gone = await makePiece(admin, ada, { headline: 'Gone' })
    assert.equal((await ask('/author/ada-okafor/gone.md')).statusCode, 200)
    await unpublish(admin, ada, gone)
    const paths = ['gone', 'still-a-draft', 'never', '', 'plain.md', 'PLAIN', '%00', '..%2Fplain', 'x'.repeat(5_000)]
    for (const path of paths) {
      assert.equal((await ask(`/author/ada-okafor/${path}.md`)).statusCode, 404, path)
    }
    assert.equal((await ask('/author/nobody/plain.md')).statusCode, 404)
  })
})

describe('the twin of an author', () => {
  test('has what the API knows of them, and their pieces by their own twins', async () => {
    const { author } = (await ask('/api/public/authors/ada-okafor')).json()
    const { body, headers } = await ask('/author/ada-okafor.md')
    assert.equal(headers['content-type'], 'text/markdown; charset=utf-8')
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['link'], `<${base}/author/ada-okafor>; rel="canonical"`)
    const { text, html } = renderMarkdown(body)
    assert.deepEqual(text.split(/\n+/), [
      author.name,
      'Writes about tea.',
      'And [gardens](https://evil.example).',
      'Role: Gardener',
      'Identity: verified',
      'Website: https://ada.example/ (verified)',
      'x: https://x.com/ada',
      `Joined: ${author.joined_at}`,
      `Pieces: ${author.stats.pieces_count}`,
      `Address: ${author.urls.profile}`,
      `Feeds: ${author.urls.feed_json}, ${author.urls.feed_rss}`,
      'Pieces',
      `${(await pieceOf(tea)).title}, ${(await pieceOf(tea)).date_published.slice(0, 10)}`,
      'Plain, 2025-05-05',
    ])
    assert.doesNotMatch(html, /href="https:\/\/evil/)
    assert.match(html, new RegExp(`href="${base}/author/ada-okafor/plain\\.md"`))
  })

  test('leads on where there are more pieces than one page holds, down to the first', async () => {
    const prolific = await makeWriter(admin, { slug: 'prolific' })
    for (let index = 0; index < 103; index++) {
      await makePiece(admin, prolific, {
        headline: `Piece ${index}`,
        publishedAt: new Date(Date.UTC(2020, 0, index + 1)),
      })
    }
    const pieces = (markdown: string) =>
      [...markdown.matchAll(/^- \[Piece (\d+)\]/gm)].map(([, number]) => Number(number))
    const first = (await ask('/author/prolific.md')).body
    const [, next = ''] = /\[Older pieces\]\(([^)]+)\)/.exec(first) ?? []
    const second = (await ask(next.slice(base.length))).body
    assert.deepEqual(
      [...pieces(first), ...pieces(second)],
      Array.from({ length: 103 }, (_, at) => 102 - at),
    )
    assert.doesNotMatch(second, /Older pieces/)
    assert.equal((await ask('/author/prolific.md?cursor=x')).statusCode, 400)
  })

  test('of somebody without pieces is whole, and of nobody 404', async () => {
    await makeWriter(admin, { slug: 'new-here', name: 'New Here' })
    const { statusCode, body } = await ask('/author/new-here.md')
    assert.equal(statusCode, 200)
    assert.match(body, /^# New Here\n\n- Identity: not verified\n/)
    for (const slug of ['nobody', 'NEW-HERE', '', '%00']) {
      assert.equal((await ask(`/author/${slug}.md`)).statusCode, 404, slug)
    }
  })
})

test('a former slug leads to the twin at the current one', async () => {
  const writer = await makeWriter(admin, { slug: 'old-name' })
  await makePiece(admin, writer, { headline: 'Kept' })
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_owner')
    await renameWriter(client, 'old-name', 'new-name')
    await client.query('reset role')
    await publishProfile(client, writer.id)
  })
  for (const [from, to] of [
    ['/author/old-name.md', '/author/new-name.md'],
    ['/author/old-name/kept.md', '/author/new-name/kept.md'],
  ] as const) {
    const answer = await ask(from)
    assert.equal(answer.statusCode, 301)
    assert.equal(answer.headers['location'], base + to)
    assert.equal((await ask(to)).statusCode, 200)
  }
})

test('every piece of a seeded site has the same words, dates and authors in its twin as in the API', async () => {
  const seeded = await testDatabase()
  await seedSite(seeded.url, { authors: 12, pieces: 120, rng: 3, until: new Date('2026-06-01T12:00:00Z') })
  const site = await testApp(seeded.url)
  const { items } = (await injectRetrying503(site, '/api/public/pieces/recent?limit=100')).json()
  assert.equal(items.length, 100)
  for (const { id } of items) {
    const { piece } = (await injectRetrying503(site, `/api/public/pieces/${id.split('/').at(-1)}`)).json<{
      piece: Piece
    }>()
    const twin = apart((await injectRetrying503(site, `${piece.url.slice(base.length)}.md`)).body)
    assert.equal(twin.text.text, piece.content_text)
    assert.equal(twin.text.html, piece.content_html)
    for (const line of [piece.title, `Published: ${piece.date_published}`, `Modified: ${piece.date_modified}`])
      assert.ok(twin.head.text.split('\n').includes(line), line)
    assert.match(twin.head.text, new RegExp(`^By ${piece.authors[0]!.name}( \\(identity verified\\))?$`, 'm'))
  }
})
