import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

/** embed.js and the frames of sites in other languages. */

const { admin, url } = await testDatabase()
const sites = {
  en: await testApp(url),
  de: await testApp(url, { SITE_LANGUAGE: 'de' }),
  ar: await testApp(url, { SITE_LANGUAGE: 'ar' }),
} as const

const writer = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
await makePiece(admin, writer, {
  headline: 'お茶について',
  body_md: 'お茶の時間。',
  locale: 'ja',
  publishedAt: new Date('2026-05-02T09:00:00Z'),
})

const pinned = async (site: keyof typeof sites) => {
  const { body } = await sites[site].inject('/developers/embeds')
  const [, address = '', integrity = ''] =
    /data-pinned="https:\/\/site\.test([^"]+)" data-integrity="([^"]+)"/.exec(body) ?? []
  return { address, integrity }
}

test('the script has the words of the site and no others', async () => {
  for (const [site, words, dir] of [
    ['de', 'Identität verifiziert', 'ltr'],
    ['ar', 'هوية موثّقة', 'rtl'],
  ] as const) {
    const { body, headers } = await sites[site].inject('/embed.js')
    assert.equal(headers['content-type'], 'application/javascript; charset=utf-8')
    assert.ok(body.includes(words), words)
    assert.ok(body.includes(`"dir":"${dir}"`))
    assert.doesNotMatch(body, /Identity verified|Nothing published/)
  }
})

test('each language has its own entity tag, pinned address and hash', async () => {
  const seen = new Set<string>()
  for (const site of ['en', 'de', 'ar'] as const) {
    const { headers } = await sites[site].inject('/embed.js')
    const { address, integrity } = await pinned(site)
    const { statusCode, body } = await sites[site].inject(address)
    assert.equal(statusCode, 200)
    assert.equal(`sha384-${createHash('sha384').update(body).digest('base64')}`, integrity)
    for (const one of [String(headers['etag']), address, integrity]) seen.add(one)
  }
  assert.equal(seen.size, 9)
})

test('a pinned script stays when the language of the site changes', async () => {
  const { address, integrity } = await pinned('de')
  const { statusCode, body } = await sites.ar.inject(address)
  assert.equal(statusCode, 200)
  assert.equal(`sha384-${createHash('sha384').update(body).digest('base64')}`, integrity)
})

test('a frame is in the language and direction of the site, and names the language of each title', async () => {
  const { body } = await sites.ar.inject('/embed/ada/list')
  assert.match(body, /<html lang="ar" dir="rtl">/)
  assert.match(body, /class="w list"[^>]* lang="ar" dir="rtl" aria-label="مقالات Ada Okafor"/)
  assert.match(body, / dir="auto" lang="ja">お茶について</)
  assert.match(body, / lang="ar" dir="rtl">[^<]*مايو[^<]*</)
})

test('the date of one piece is in the language of the piece', async () => {
  const { body } = await sites.de.inject(`/embed/ada/card?piece=${encodeURIComponent('お茶について')}`)
  assert.match(body, /<html lang="de">/)
  assert.match(body, / lang="ja" dir="ltr">2026年5月2日</)
})
