import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { listProduct, makePiece, makeProductDraft, makeWriter } from '../../testkit/factories.ts'

/** Text in every language and script, on pages and wherever they are linked. */

const { admin, url } = await testDatabase()
const app = await testApp(url)
const base = 'https://site.test'
const writer = await makeWriter(admin, { slug: 'lin', name: '林' })
const get = (path: string) => app.inject({ url: path, headers: { accept: 'text/html' } })

const addressOf = async (id: string): Promise<string> => {
  const { piece } = (await app.inject(`/api/public/pieces/${id}`)).json()
  return piece.url
}

test('a piece has its address in its own script, wherever it is linked', async () => {
  const id = await makePiece(admin, writer, { headline: '关于茶', body_md: '一杯好茶。', locale: 'zh' })
  const path = `/author/lin/${encodeURIComponent('关于茶')}`
  assert.equal(await addressOf(id), base + path)
  const page = await get(path)
  assert.equal(page.statusCode, 200)
  assert.ok(page.body.includes(`<link rel="canonical" href="${base}${path}">`))
  assert.ok(String(page.headers['link']).includes(`<${base}${path}>; rel="canonical"`))
  assert.equal((await get(`${path}.md`)).statusCode, 200)
  for (const list of ['/', '/author/lin', '/author/lin/feed.json', '/author/lin/feed.xml', '/llms.txt'])
    assert.ok((await app.inject(list)).body.includes(path), list)
  const { statusCode, headers } = await get(`/p/${id}`)
  assert.deepEqual([statusCode, headers['location']], [301, base + path])
  const embedded = await app.inject(`/oembed?url=${encodeURIComponent(base + path)}`)
  assert.equal(embedded.json().title, '关于茶')
  const frame = /src="([^"]+)"/.exec(embedded.json().html)![1]!.replaceAll('&amp;', '&')
  assert.ok((await app.inject(frame.replace(base, ''))).body.includes('关于茶'))
})

test('a second piece of the same name gets a number, and emoji alone get a word', async () => {
  const again = await makePiece(admin, writer, { headline: '关于茶', body_md: '又一杯。', locale: 'zh' })
  assert.equal(await addressOf(again), `${base}/author/lin/${encodeURIComponent('关于茶-2')}`)
  const emoji = await makePiece(admin, writer, { headline: '🍵🍵', body_md: 'Tea.' })
  assert.equal(await addressOf(emoji), `${base}/author/lin/piece`)
})

test('capitals and decomposed letters lead to the one address', async () => {
  const id = await makePiece(admin, writer, { headline: 'Ёлка и чай', body_md: 'Чай.', locale: 'ru' })
  const address = await addressOf(id)
  assert.equal(decodeURIComponent(address), `${base}/author/lin/ёлка-и-чай`)
  for (const asked of ['ЁЛКА-и-чай', 'ёлка-и-чай'.normalize('NFD')]) {
    const { statusCode, headers } = await get(`/author/lin/${encodeURIComponent(asked)}`)
    assert.deepEqual([statusCode, headers['location']], [301, address])
  }
})

test('a listing has its address in its own script', async () => {
  const id = await makeProductDraft(admin, writer, { name: 'دفتر الشاي' })
  await listProduct(admin, writer, id)
  const path = `/shop/${encodeURIComponent('دفتر-الشاي')}`
  assert.equal((await get(path)).statusCode, 200)
  assert.ok((await app.inject('/shop')).body.includes(path))
})

test('the site speaks the language of SITE_LANGUAGE, from left or from right', async () => {
  for (const [language, search, dir] of [
    ['de', 'Suche', undefined],
    ['fr', 'Recherche', undefined],
    ['es', 'Buscar', undefined],
    ['pt-BR', 'Busca', undefined],
    ['ja', '検索', undefined],
    ['ar', 'بحث', 'rtl'],
  ] as const) {
    const site = await testApp(url, { SITE_LANGUAGE: language })
    const { body } = await site.inject({ url: '/', headers: { accept: 'text/html' } })
    assert.match(body, new RegExp(`<html lang="${language}"${dir ? ` dir="${dir}"` : ''}>`))
    assert.ok(body.includes(`>${search}<`), `${language}: ${search}`)
    const missing = await site.inject({ url: '/nothing-here', headers: { accept: 'text/html' } })
    assert.doesNotMatch(missing.body, /Page not found/)
    await site.close()
  }
})

test('a site in American English has American dates and spelling, its pieces in English too', async () => {
  const site = await testApp(url, { SITE_LANGUAGE: 'en-US' })
  const page = async (path: string) => (await site.inject({ url: path, headers: { accept: 'text/html' } })).body
  const id = await makePiece(admin, writer, { headline: 'On colour', body_md: 'Tea.' })
  const published = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())
  const body = await page(new URL(await addressOf(id)).pathname)
  assert.match(body, /<html lang="en(?:-US)?">/)
  assert.ok(body.includes(published) && body.includes('On colour'), published)
  assert.match(await page('/'), /<html lang="en-US">/)
  assert.match(await page('/developers/embeds'), /Accent color/)
  await site.close()
})

test('what belongs to a piece is in its language, and a list names the language of each', async () => {
  const id = await makePiece(admin, writer, { headline: 'Über "Tee"', body_md: 'Sie sagte "gut".', locale: 'de' })
  const { body } = await get(new URL(await addressOf(id)).pathname)
  const published = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date())
  assert.ok(body.includes(published), published)
  assert.ok(body.includes('Über „Tee“') && body.includes('Sie sagte „gut“.'))
  assert.match((await get('/')).body, /lang="de">(?:<a[^>]*>)?Über „Tee“/)
  const { piece } = (await app.inject(`/api/public/pieces/${id}`)).json()
  assert.deepEqual([piece.title, piece.content_text], ['Über "Tee"', 'Sie sagte "gut".'])
})

test('what speaks of the site names its language, and what speaks of a piece that of the piece', async () => {
  const site = await testApp(url, { SITE_LANGUAGE: 'de' })
  const ask = (path: string) => site.inject({ url: path, headers: { accept: 'text/html' } })
  const aoi = await makeWriter(admin, { slug: 'aoi', name: 'あおい' })
  await makeWriter(admin, { slug: 'silent', name: 'Silent' })
  const id = await makePiece(admin, aoi, { headline: '茶の本', body_md: '一杯のお茶。', locale: 'ja' })
  await makePiece(admin, aoi, { headline: 'Ein Tee', body_md: 'Eine Tasse.', locale: 'de' })
  await makePiece(admin, aoi, { headline: '無題', body_md: '無題。', locale: 'ja' })
  const unknown = await makePiece(admin, aoi, { headline: 'Xyz', body_md: 'Xyz.', locale: 'no such tag' })
  const path = new URL(await addressOf(id)).pathname

  const localeOf = async (page: string) => /property="og:locale" content="([^"]+)"/.exec((await ask(page)).body)?.[1]
  assert.deepEqual(
    [await localeOf('/'), await localeOf('/author/aoi'), await localeOf(path)],
    ['de_DE', 'de_DE', 'ja_JP'],
  )
  assert.equal(await localeOf(new URL(await addressOf(unknown)).pathname), undefined)
  assert.equal(/og:locale" content="([^"]+)"/.exec((await get('/')).body)?.[1], 'en_GB')

  const inLanguage = async (page: string) => /"inLanguage":"([^"]+)"/.exec((await ask(page)).body)?.[1]
  assert.deepEqual([await inLanguage('/'), await inLanguage('/author/aoi'), await inLanguage(path)], ['de', 'de', 'ja'])

  const feed = (await site.inject('/author/aoi/feed.json')).json()
  assert.equal(feed.language, 'ja')
  assert.deepEqual(feed.items.map(({ language }: { language: string }) => language).sort(), ['de', 'ja', 'ja', 'und'])
  const rss = (await site.inject('/author/aoi/feed.xml')).body
  assert.ok(rss.includes('<language>ja</language>') && rss.includes('<dc:language>de</dc:language>'))
  assert.equal((await site.inject('/author/silent/feed.json')).json().language, 'de')
  assert.ok((await site.inject('/author/silent/feed.xml')).body.includes('<language>de</language>'))

  assert.match((await ask(`${path}.md`)).body, /^- Language: ja$/m)
  const author = (await ask('/author/aoi.md')).body
  assert.match(author, /^- \[茶の本\]\([^)]+\), [\d-]+, ja$/m)
  assert.match(author, /^- \[Ein Tee\]\([^)]+\), [\d-]+$/m)
  const llms = (await site.inject('/llms.txt')).body
  assert.match(llms, /The language of the site is de;/)
  assert.match(llms, /^- \[茶の本\]\([^)]+\.md\): ja$/m)
  assert.match(llms, /^- \[Ein Tee\]\([^)]+\.md\)$/m)

  const embedded = (await site.inject(`/oembed?url=${encodeURIComponent(base + path)}`)).json()
  assert.match(embedded.html, / title="茶の本" lang="ja" /)

  const { result } = (
    await site.inject({
      method: 'POST',
      url: '/api/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_pieces', arguments: { query: '茶の本' } },
      },
    })
  ).json()
  assert.equal(result.structuredContent.results[0].language, 'ja')
})
