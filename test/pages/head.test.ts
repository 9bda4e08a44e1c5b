import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { testApp, testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

/** What the head of a page says to browsers, search engines and other sites. */

const { url, admin, app } = await testSite()
const base = 'https://site.test'
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
const id = await makePiece(admin, ada, { headline: 'On tea & “time”', category: 'life', tags: ['tea', 'slow <food>'] })
const piece = (await app.inject(`/p/${id}`)).headers.location!.slice(base.length)

const headOf = async (path: string, server = app): Promise<string> => {
  const { statusCode, body } = await server.inject(path)
  assert.equal(statusCode, 200, path)
  return body.slice(0, body.indexOf('</head>'))
}
const has = (head: string, ...lines: string[]): void => {
  for (const line of lines) assert.ok(head.includes(line), `${line} in ${head}`)
}

test('an article names its section, tags and authors, and its picture is described', async () => {
  has(
    await headOf(piece),
    '<meta property="article:section" content="Life">',
    '<meta property="article:tag" content="tea">',
    '<meta property="article:tag" content="slow &lt;food&gt;">',
    `<meta property="article:author" content="${base}/author/ada">`,
    `<meta property="og:image" content="${base}/image/piece/${id}.png">`,
    '<meta property="og:image:alt" content="On tea &amp; “time”">',
  )
})

test('every page with an address of its own has a picture, and no other page has one', async () => {
  for (const [path, picture] of [
    ['/', 'site'],
    ['/shop', 'site'],
    ['/trust', 'site'],
    ['/category/life', 'section/life'],
    ['/author/ada', 'author/ada'],
  ] as const) {
    const head = await headOf(path)
    has(head, `<meta property="og:image" content="${base}/image/${picture}.png">`)
    assert.equal(head.match(/property="og:image"/g)?.length, 1, path)
    assert.match(head, /<meta property="og:image:alt" content="[^"]+">/)
  }
  assert.doesNotMatch(await headOf('/search?q=tea'), /og:image/)
})

test('search engines may show large pictures of what they may show at all', async () => {
  has(await headOf(piece), '<meta name="robots" content="max-image-preview:large">')
  const unlisted = await headOf('/search?q=tea')
  has(unlisted, '<meta name="robots" content="noindex, follow">')
  assert.doesNotMatch(unlisted, /max-image-preview/)
})

test('the browser’s own frame has the colour of the paper, in light and dark', async () => {
  has(
    await headOf('/'),
    '<meta name="theme-color" content="#fcfaf6" media="(prefers-color-scheme: light)">',
    '<meta name="theme-color" content="#15120f" media="(prefers-color-scheme: dark)">',
  )
})

test('an article’s data for search engines has its picture', async () => {
  const [, block] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(await headOf(piece))!
  assert.deepEqual(JSON.parse(block!).image, [`${base}/image/piece/${id}.png`])
})

for (const [name, what] of [
  ['Standfirst', 'our own mark'],
  ['Kettle', 'a Latin initial'],
  ['茶壶', 'a Chinese initial'],
] as const) {
  test(`a home screen has an icon of 180 pixels without transparency: ${what}`, async () => {
    const site = await testApp(url, { SITE_NAME: name })
    const head = await headOf('/', site)
    has(head, '<link rel="apple-touch-icon" href="/apple-touch-icon.png">')
    const { statusCode, headers, rawPayload } = await site.inject('/apple-touch-icon.png')
    assert.deepEqual([statusCode, headers['content-type']], [200, 'image/png'])
    const { width, height, hasAlpha } = await sharp(rawPayload).metadata()
    assert.deepEqual([width, height, hasAlpha], [180, 180, false])
    // The initial, above the short rule.
    const { channels } = await sharp(rawPayload).extract({ left: 40, top: 40, width: 100, height: 80 }).stats()
    assert.ok(channels[0]!.min < 80, 'ink where the initial is')
  })
}

test('browsers find the search, under the name of the site', async () => {
  const site = await testApp(url, { SITE_NAME: 'The Kettle & Cup Quarterly' })
  has(
    await headOf('/', site),
    '<link rel="search" type="application/opensearchdescription+xml" title="The Kettle &amp; Cup Quarterly" href="/opensearch.xml">',
  )
  const { statusCode, headers, body } = await site.inject('/opensearch.xml')
  assert.deepEqual([statusCode, headers['content-type']], [200, 'application/opensearchdescription+xml; charset=utf-8'])
  has(
    body,
    '<ShortName>The Kettle &amp; Cup</ShortName>',
    '<LongName>The Kettle &amp; Cup Quarterly</LongName>',
    `<Url type="text/html" template="${base}/search?q={searchTerms}"/>`,
  )
})
