import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePagesSite } from '../../testkit/pages-site.ts'

/** HTTP responses of pages: content negotiation, caching and compression. */

const { admin, url } = await testDatabase()
const site = await makePagesSite(admin)
const app = await testApp(url)

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const get = (path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: path, headers })

const pages = ['/', '/category/life', '/author/ada-okafor', site.rich.path, '/search?q=tea', '/about', '/nothing-here']

test('no page may run a script, be framed, or ask anybody but this site and the pictures writers chose', async () => {
  for (const path of pages) {
    const { headers, body } = await get(path, { accept: browser })
    assert.equal(
      headers['content-security-policy'],
      "default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self' https:; font-src 'self'; " +
        "base-uri 'none'; form-action 'self'; object-src 'none'; frame-ancestors 'none'; upgrade-insecure-requests",
      path,
    )
    for (const [tag] of body.matchAll(/<script[^>]*>/g)) assert.equal(tag, '<script type="application/ld+json">', path)
    assert.doesNotMatch(body, /\son\w+=|javascript:|<style|\sstyle=|<iframe|<object|<embed/, path)
  }
})

test('a list takes nothing from its address but the cursor', async () => {
  const pieces = async (path: string) => (await get(path)).body.match(/<article/g)?.length
  for (const path of ['/', '/category/life', '/author/ada-okafor', '/trust']) {
    const whole = await pieces(path)
    for (const query of ['category=building%00', 'category=building', 'authorId=x', 'limit=1'])
      assert.equal(await pieces(`${path}?${query}`), whole, `${path}?${query}`)
  }
})

test('what is not there is a page for people, with the search field, and JSON for programs', async () => {
  for (const path of ['/nothing', '/author/nobody-at-all', '/author/ada-okafor/nothing', '/p/nothing', '/category/x']) {
    const page = await get(path, { accept: browser })
    assert.equal(page.statusCode, 404, path)
    assert.equal(page.headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.match(page.body, /<h1 class="title">Page not found<\/h1>/)
    assert.match(page.body, /<input type="search"/)
    for (const accept of [undefined, '*/*', 'application/json', 'text/html;q=0.1, application/json']) {
      const answer = await get(path, accept ? { accept } : {})
      assert.equal(answer.statusCode, 404)
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.json().reason, 'not_found', path)
    }
  }
})

test('the API, feeds and files answer JSON to a browser too', async () => {
  for (const path of [
    '/api/public/pieces/nothing',
    '/api/nothing',
    '/author/nobody/feed.json',
    '/author/nobody/feed.xml',
    '/author/nobody.md',
    '/fonts/nothing.woff2',
    '/style.nothing.css',
    '/desk/api/nothing',
  ])
    assert.match(String((await get(path, { accept: browser })).headers['content-type']), /^application\/json/, path)
})

test('a method that a page does not take, and an address that cannot be read, are pages for people as well', async () => {
  const posted = await app.inject({ method: 'POST', url: '/about', headers: { accept: browser } })
  assert.equal(posted.statusCode, 405)
  assert.match(posted.body, /<h1 class="title">This page can’t be used that way<\/h1>/)
  const unreadable = await get('/author/%ff', { accept: browser })
  assert.equal(unreadable.statusCode, 400)
  assert.match(String(unreadable.headers['content-type']), /^text\/html/)
})

test('pages are kept by edges for half a minute under the names they are purged by, and asked for again with their ETag', async () => {
  const { headers } = await get(site.rich.path)
  assert.equal(headers['cache-control'], 'public, max-age=0, s-maxage=30, must-revalidate')
  const tags = String(headers['surrogate-key']).split(' ')
  assert.ok(tags.includes(`piece-${site.rich.id}`) && tags.includes('byline-ada-okafor'))
  assert.equal(tags.length, 5, 'the three further pieces are named too')
  for (const path of ['/', '/category/life', '/search?q=tea'])
    assert.match(String((await get(path)).headers['surrogate-key']), /\bpieces\b/, path)
  const again = await get(site.rich.path, { 'if-none-match': String(headers['etag']) })
  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')
})

test('text is compressed for whoever reads it so, each way with an ETag of its own', async () => {
  const plain = await get(site.rich.path)
  const open = { br: brotliDecompressSync, gzip: gunzipSync } as const
  for (const encoding of ['br', 'gzip'] as const) {
    const asked = { 'accept-encoding': encoding }
    const { headers, rawPayload } = await get(site.rich.path, asked)
    assert.equal(headers['content-encoding'], encoding)
    assert.equal(headers['content-length'], String(rawPayload.length))
    assert.match(String(headers['vary']), /\bAccept-Encoding\b/)
    assert.equal(open[encoding](rawPayload).toString(), plain.body)
    assert.notEqual(headers['etag'], plain.headers['etag'])
    assert.doesNotMatch(String(headers['etag']), /^W\//)
    const etag = String(headers['etag'])
    const again = await get(site.rich.path, { ...asked, 'if-none-match': etag })
    assert.equal(again.statusCode, 304)
    assert.equal(again.headers['etag'], etag)
    assert.equal(again.headers['content-encoding'], undefined)
    assert.equal((await get(site.rich.path, { 'if-none-match': etag })).statusCode, 200, 'other bytes')
    const head = await get(site.rich.path, asked, 'HEAD')
    assert.deepEqual([head.headers['content-length'], head.headers['etag']], [headers['content-length'], etag])
  }
  assert.match(String(plain.headers['vary']), /\bAccept-Encoding\b/)
  for (const accepted of ['identity', 'br;q=0, gzip;q=0.0', 'deflate', '']) {
    const { headers, body } = await get(site.rich.path, { 'accept-encoding': accepted })
    assert.equal(headers['content-encoding'], undefined, accepted)
    assert.equal(body, plain.body)
  }
  assert.equal(
    (await get(site.rich.path, { 'accept-encoding': 'gzip;q=1, br;q=0' })).headers['content-encoding'],
    'gzip',
  )
})

test('the answers of the API stay as they are', async () => {
  const { headers } = await get('/api/public/pieces/recent', { 'accept-encoding': 'br, gzip' })
  assert.equal(headers['content-encoding'], undefined)
})

test('the stylesheet and the fonts have names that say their bytes, and are kept for a year', async () => {
  const { body } = await get('/')
  const [, stylesheet] = /<link rel="stylesheet" href="([^"]+)">/.exec(body)!
  const css = await get(stylesheet!, { 'accept-encoding': 'br' })
  assert.equal(css.statusCode, 200)
  assert.equal(css.headers['content-type'], 'text/css; charset=utf-8')
  assert.equal(css.headers['cache-control'], 'public, max-age=31536000, immutable')
  const fonts = [
    ...brotliDecompressSync(css.rawPayload)
      .toString()
      .matchAll(/url\((\/fonts\/[^)]+)\)/g),
  ].map(([, path]) => path!)
  assert.equal(fonts.length, 21)
  for (const path of fonts) {
    const { statusCode, headers, rawPayload } = await get(path)
    assert.equal(statusCode, 200, path)
    assert.equal(headers['content-type'], 'font/woff2')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(rawPayload.subarray(0, 4).toString(), 'wOF2')
  }
})

test('a page of another release finds a stylesheet too, which nobody keeps', async () => {
  const { statusCode, headers, body } = await get('/style.0000000000.css')
  assert.equal(statusCode, 200)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(body, /--paper/)
})

test('whoever asks for Markdown gets it at the address of the page', async () => {
  for (const path of [site.rich.path, '/author/ada-okafor']) {
    const markdown = await get(path, { accept: 'text/markdown, text/html;q=0.5' })
    assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
    assert.match(String(markdown.headers['vary']), /\bAccept\b(?!-)/)
    assert.equal(markdown.body, (await get(`${path}.md`)).body)
    assert.match(String((await get(path, { accept: browser })).headers['content-type']), /^text\/html/)
  }
})

test('a site without words of its own has an about and a privacy page, and no legal notice', async () => {
  for (const [name, part] of [
    ['about', 'Everything here is free to read'],
    ['privacy', 'sets no cookies on its pages'],
  ] as const) {
    const { statusCode, headers, body } = await get(`/${name}`)
    assert.equal(statusCode, 200)
    assert.equal(headers['set-cookie'], undefined)
    assert.ok(body.includes(part), name)
    assert.match(body, new RegExp(`<li><a href="[^"]+/${name}">`))
    assert.doesNotMatch(body, /imprint/)
  }
  assert.equal((await get('/imprint')).statusCode, 404)
})

test('a site with a folder of its own has its own pages, name and mark', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  t.after(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'about.md'), '# Who we are\n\nA *small* site.<script>alert(1)</script>\n')
  await writeFile(join(folder, 'imprint.md'), 'Leek Ltd, 1 Field Lane.\n')
  await writeFile(join(folder, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"><title>Ours</title></svg>')
  const own = await testApp(url, {
    SITE_NAME: 'The Daily <Leek>',
    SITE_DESCRIPTION: 'Vegetables, seriously.',
    SITE_FOLDER: folder,
    CONTACT: 'post@leek.example',
  })
  const about = await own.inject('/about')
  assert.match(about.body, /<h1 class="title">Who we are<\/h1>/)
  assert.match(about.body, /A <em>small<\/em> site\.&lt;script&gt;/)
  assert.match(about.body, /<title>Who we are · The Daily &lt;Leek&gt;<\/title>/)
  assert.ok(about.body.includes('Vegetables, seriously.'))
  assert.match(about.body, /<li><a href="[^"]+\/imprint">Legal notice<\/a><\/li>/)
  assert.match(
    (await own.inject('/imprint')).body,
    /<h1 class="title">Legal notice<\/h1>[\s\S]*Leek Ltd, 1 Field Lane\./,
  )
  assert.match((await own.inject('/privacy')).body, /href="mailto:post@leek\.example"/)
  assert.match((await own.inject('/favicon.svg')).body, /<title>Ours<\/title>/)
  assert.match(
    (await own.inject('/')).body,
    /<img src="\/favicon\.svg" alt="" width="32" height="32">The Daily &lt;Leek&gt;/,
  )
})

test('a site with a name of its own and no mark gets one with its first letter', async () => {
  const own = await testApp(url, { SITE_NAME: 'élan & <co>' })
  const { body } = await own.inject('/favicon.svg')
  assert.match(body, />É<\/text>/)
  assert.match(body, /<title>élan &amp; &lt;co&gt;<\/title>/)
  assert.doesNotMatch((await own.inject('/')).body, /<img src="\/favicon\.svg"/)
})
