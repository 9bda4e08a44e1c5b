import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { inTransaction, makePiece, makeWriter } from '../../testkit/factories.ts'
import { makePieceInLocale, pathOf } from '../../testkit/pages-site.ts'

/** What a reader gets with a text: contents, anchors, notes that lead back, "Updated", sharing. */

const { admin, url } = await testDatabase()
const app = await testApp(url)
const writer = await makeWriter(admin)
const get = async (path: string) => (await app.inject({ url: path, headers: { accept: 'text/html' } })).body
const page = async (given: Parameters<typeof makePiece>[2]) =>
  get(await pathOf(admin, await makePiece(admin, writer, given)))
const articleOf = (body: string) => /<article[\s\S]*<\/article>/.exec(body)![0]

const words = (count: number) => 'word '.repeat(count)
const chapters = (count: number, length: number) =>
  Array.from({ length: count }, (_, at) => `## Chapter ${at + 1}\n\n${words(length)}`).join('\n\n')

test('a long piece with three headings has contents that lead to them, and a shorter one has none', async () => {
  const long = await page({ headline: 'Long', body_md: `${chapters(3, 500)}\n\n### A & *part*[^1]\n\n[^1]: n` })
  const contents = /<nav class="contents" aria-label="Contents">[\s\S]*?<\/nav>/.exec(long)![0]
  const links = [...contents.matchAll(/<a href="#([^"]+)"><bdi>([^<]+)<\/bdi>/g)].map(([, id, text]) => `${id} ${text}`)
  assert.deepEqual(links, [
    's-chapter-1 Chapter 1',
    's-chapter-2 Chapter 2',
    's-chapter-3 Chapter 3',
    's-a-part A &amp; part',
  ])
  for (const [, id] of contents.matchAll(/href="#([^"]+)"/g)) assert.ok(long.includes(` id="${id}"`), id)
  assert.match(contents, /<details open>/)
  for (const body_md of [chapters(3, 400), chapters(2, 900)])
    assert.doesNotMatch(await page({ headline: 'Short', body_md }), /class="contents"/)
})

test('contents of many sections are folded, and of hundreds there are none', async () => {
  assert.match(await page({ headline: 'Ten', body_md: chapters(10, 200) }), /class="contents"[^>]*><details>/)
  const many = await page({ headline: 'Hundreds', body_md: chapters(301, 10) })
  assert.doesNotMatch(many, /class="contents"|class="anchor"/)
})

test('contents of a text without spaces go by its characters', async () => {
  const chapter = (at: number, length: number) => `## 第${at}章\n\n${'茶'.repeat(length)}`
  const body = (length: number) => [1, 2, 3].map((at) => chapter(at, length)).join('\n\n')
  const long = await get(
    await pathOf(
      admin,
      await makePieceInLocale(admin, writer, 'ja', { headline: '長い', sub: null, body_md: body(1_200) }),
    ),
  )
  assert.match(long, /<nav class="contents" aria-label="目次">/)
  const short = await get(
    await pathOf(
      admin,
      await makePieceInLocale(admin, writer, 'ja', { headline: '短い', sub: null, body_md: body(1_000) }),
    ),
  )
  assert.doesNotMatch(short, /class="contents"/)
})

test('every heading of the text links to itself, and says so in the language of the piece', async () => {
  const body = await get(
    await pathOf(
      admin,
      await makePieceInLocale(admin, writer, 'de', {
        headline: 'Über Tee',
        sub: null,
        body_md: '## Warten & "Ziehen"\n\n### Warten\n\n##### Fünf',
      }),
    ),
  )
  assert.match(
    body,
    /<h2 id="s-warten-ziehen">Warten &amp; „Ziehen“<a class="anchor" href="#s-warten-ziehen" aria-label="Link zu Warten &amp; „Ziehen“"><\/a><\/h2>/,
  )
  assert.match(body, /<h3 id="s-warten">Warten<a class="anchor"/)
  assert.match(body, /<h5 id="s-fünf">Fünf<\/h5>/)
})

test('each mention of a note has its own way back, with a label', async () => {
  const article = articleOf(await page({ headline: 'Notes', body_md: 'a[^1] b[^1]\n\n[^1]: n' }))
  const back = [
    ...article.matchAll(/<a href="#(fnref-[\d-]+)" class="footnote-backref" role="doc-backlink" aria-label="([^"]+)"/g),
  ]
  assert.deepEqual(
    back.map(([, id, label]) => `${id} ${label}`),
    ['fnref-1 Back to reference 1', 'fnref-1-2 Back to reference 1-2'],
  )
  for (const [, id] of back)
    assert.match(article, new RegExp(`<a href="#fn-1" id="${id}" role="doc-noteref" aria-label="Footnote 1"`))
})

test('what was changed on a later day says so, and what was changed at once does not', async () => {
  const change = async (publishedAt: string, modified: string) => {
    const id = await makePiece(admin, writer, {
      headline: 'Changed',
      body_md: 'Text.',
      publishedAt: new Date(publishedAt),
    })
    await inTransaction(admin, async (client) => {
      await client.query('set local role svc_publisher')
      await client.query('update pub.pieces set modified_at = $2 where id = $1', [id, modified])
    })
    return /<p class="byline">[\s\S]*?<\/p>/.exec(await get(await pathOf(admin, id)))![0].replace(/<[^>]+>/g, ' ')
  }
  assert.match(await change('2026-03-01T10:00:00Z', '2026-03-03T08:00:00Z'), /1 March 2026\s+Updated\s+3 March 2026/)
  assert.doesNotMatch(await change('2026-03-01T10:00:00Z', '2026-03-01T22:00:00Z'), /Updated/)
  assert.doesNotMatch(await change('2026-03-01T23:40:00Z', '2026-03-02T00:10:00Z'), /Updated/)
})

test('sharing is plain links that name the address, whatever the headline is', async () => {
  const body = await page({ headline: 'Tea & "time" <b>', body_md: 'Text.' })
  const share = /<p class="share">[\s\S]*?<\/p>/.exec(body)![0]
  const links = [...share.matchAll(/href="([^"]+)"/g)].map(([, href]) => new URL(href!.replaceAll('&amp;', '&')))
  assert.deepEqual(
    links.map(({ host, protocol }) => host || protocol),
    ['mailto:', 'bsky.app', 'www.facebook.com', 'www.linkedin.com', 'x.com'],
  )
  const address = /<link rel="canonical" href="([^"]+)"/.exec(body)![1]!
  for (const link of links)
    assert.ok(
      [...link.searchParams.values()].some((value) => value.includes(address)),
      link.href,
    )
  assert.match(share, new RegExp(`<span class="permalink" dir="ltr">${RegExp.escape(address)}</span>`))
})

test('a summary that the writer did not write begins with the words of the text', async () => {
  const body = await page({
    headline: 'Pictures',
    sub: null,
    body_md: '![A kettle](https://a.example/k.png "The kettle")\n\nFirst words.',
  })
  assert.match(body, /<meta name="description" content="First words\.">/)
})

test('captions, bare addresses and wide pictures are on the page and come back in its Markdown', async () => {
  const source = '![A kettle](https://a.example/k.png#wide "The *old* kettle")\n\nSee https://a.example/b--c.'
  const id = await makePiece(admin, writer, { headline: 'Kit', body_md: source })
  const path = await pathOf(admin, id)
  const article = articleOf(await get(path))
  assert.match(
    article,
    /<figure class="wide"><img src="https:\/\/a\.example\/k\.png" alt="A kettle"[^>]*><figcaption>The <em>old<\/em> kettle<\/figcaption>/,
  )
  assert.match(
    article,
    /<a class="address" href="https:\/\/a\.example\/b--c" rel="[^"]+">https:\/\/a\.example\/b--c<\/a>\./,
  )
  const twin = (await app.inject({ url: `${path}.md` })).body
  assert.match(
    twin,
    /\n!\[A kettle\]\(https:\/\/a\.example\/k\.png#wide "The \*old\* kettle"\)\n\nSee <https:\/\/a\.example\/b--c>\.\n$/,
  )
})
