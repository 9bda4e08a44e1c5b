import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { ConfigError, readConfig } from '../../server/config/config.ts'
import { publicPools } from '../../server/config/pools.ts'
import { readProofRecord } from '../../server/config/proof-record.ts'
import { readSiteInfo } from '../../server/config/site-info.ts'
import { urlsFor } from '../../server/features/urls.ts'
import { trustPages } from '../../server/http/site/trust-pages.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'

/** /trust: the promises, the last proof run, and the current verification policy. */

const { url, admin } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'sf-trust-'))
after(() => rmSync(folder, { recursive: true }))

const record = {
  at: '2026-11-14T10:00:00.000Z',
  proved: true,
  commit: '0123456789abcdef0123456789abcdef01234567',
  changed: false,
  seed: 42,
  routes: 321,
  answers: 10_150,
  canaries: 10_407,
  published: 136,
  breaches: 0,
  planted: { found: 9, of: 9 },
  timings: { alike: 4, of: 4 },
}
function saved(name: string, value: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, JSON.stringify(value))
  return file
}

const app = await testApp(url, { PROOF_FILE: saved('proof.json', record), SITE_NAME: 'The Tea Site' })
const pageOf = async (path = '/trust', of = app) => {
  const answer = await of.inject(path)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer
}
/** The text of the page, without markup. */
const words = (body: string) =>
  body
    .slice(body.indexOf('<main'))
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')

test('a site where nobody is verified and nothing is signed says so', async () => {
  const said = words((await pageOf()).body)
  assert.match(said, /No verified writers yet\./)
  assert.match(said, /No receipts have been signed yet\./)
})

test('it shows the proof that was kept: when, of which source, and what was found', async () => {
  const said = words((await pageOf()).body)
  assert.match(said, /Passed on 14 November 2026, at commit 0123456789ab\./)
  assert.match(
    said,
    /10,150 generated requests to 321 endpoints.*None of them published anything or revealed private content\./,
  )
  assert.match(said, /9 of 9 deliberately added bugs were found\./)
})

test('a proof that failed is shown as one that failed', async () => {
  const failed = { ...record, proved: false, changed: true, breaches: 2, planted: { found: 8, of: 9 } }
  const said = words((await pageOf('/trust', await testApp(url, { PROOF_FILE: saved('failed.json', failed) }))).body)
  assert.match(said, /Failed on 14 November 2026.*with uncommitted changes\./)
  assert.match(said, /2 of them published something or revealed private content\./)
  assert.doesNotMatch(said, /Passed on/)
})

test('the proof that comes with this version can be read, and proved it', () => {
  assert.equal(readProofRecord({ PROOF_FILE: '' })?.proved, true)
})

test('a site without a proof to show says so', async () => {
  const config = readConfig({ DATABASE_URL: url })
  const pools = publicPools(config, () => {})
  const bare = fastify()
  const reads = { ...pools, searchBudget: 0, urls: urlsFor(config.BASE_URL) }
  const context = { reads, gate: () => [], siteInfo: readSiteInfo(config), onPartial: () => {}, proof: undefined }
  await bare.register(trustPages, context)
  const { body } = await bare.inject('/trust')
  await Promise.all([bare.close(), pools.db.close(), pools.searchDb.close()])
  assert.match(words(body), /This site has no test results to show/)
  assert.doesNotMatch(words(body), /Passed on/)
})

test('a proof that cannot be read keeps the site from starting, with the name of the setting', async () => {
  for (const file of [join(folder, 'nothing.json'), saved('odd.json', { ...record, proved: 'yes' })])
    await assert.rejects(testApp(url, { PROOF_FILE: file }), (error) => error instanceof ConfigError)
})

test('who is verified stands there with what was checked and when, and is gone with the mark', async () => {
  await makeWriter(admin, { slug: 'ada', name: 'Ada <Okafor>', website: 'https://www.ada.example/me' })
  await makeWriter(admin, { slug: 'nobody', name: 'Not Verified' })
  await makeWriter(admin, { slug: 'hidden', name: 'Not Public', verified: true, shown: false })
  const moderators = deskOf(app, await makeModerator(admin))
  const identity = (body: object) => moderators.ask('PUT', 'review/writers/ada/identity', body)
  assert.equal((await identity({ verified: true, note: 'Met in person.' })).statusCode, 200)
  const today = new Date().toISOString().slice(0, 10)
  const first = (await pageOf()).body
  assert.match(first, /<bdi>Ada &lt;Okafor&gt;<\/bdi>/)
  assert.match(first, new RegExp(`Identity verified by <bdi>The Tea Site</bdi> on <time datetime="${today}`))
  assert.doesNotMatch(first, /Website verified|Not Verified|Not Public|Met in person/)

  await admin.query(
    "insert into app.website_checks (writer_id, website, state) select id, website, 'waiting' from app.writers where slug = 'ada'",
  )
  await admin.query(
    `select app.keep_website_check(id, website, 'proven', 'rel_me', website) from app.writers where slug = 'ada'`,
  )
  assert.match(
    (await pageOf()).body,
    new RegExp(
      `Website verified: <a href="https://www.ada.example/me"[^>]*><bdi>ada.example</bdi></a>, checked on <time datetime="${today}`,
    ),
  )

  assert.equal((await identity({ verified: false, note: 'It was somebody else.' })).statusCode, 200)
  const last = (await pageOf()).body
  assert.doesNotMatch(last, /Identity verified/)
  assert.match(last, /Website verified/)
})

test('there is a page for every fifty, and each writer is on one of them', async () => {
  for (let index = 0; index < 104; index += 1)
    await makeWriter(admin, { slug: `writer-${index}`, name: `Writer ${index}`, verified: true })
  const seen: string[] = []
  let next: string | undefined = '/trust'
  let pages = 0
  while (next) {
    const { body } = await pageOf(next)
    seen.push(...[...body.matchAll(/\/author\/([\w-]+)"><bdi>/g)].map(([, slug]) => slug!))
    next = /<a href="https:\/\/site\.test(\/trust\?cursor=[^"]+)" rel="next"/.exec(body)?.[1]
    pages += 1
  }
  assert.equal(pages, 3)
  assert.equal(new Set(seen).size, seen.length)
  assert.equal(seen.filter((slug) => slug.startsWith('writer-')).length, 104)
  assert.equal((await app.inject('/trust?cursor=nonsense')).statusCode, 400)
})

test('writers are in the order of their names, as people sort them, over pages and in any script', async () => {
  const site = await testDatabase()
  const sorted = await testApp(site.url)
  const names = ['Abel', 'Ångström', 'Azra', 'Éluard', 'Ewa', 'Nunez', 'Núñez', 'Nuno', 'Strasser', 'Straße', 'straub']
  const others = ['Žižek', 'zoe', 'Ωmega', 'Жанна', 'عمر', 'あおい', '林']
  const all = [...names, ...others]
  // The slugs go the other way round, and fillers make several pages.
  for (const [index, name] of all.entries())
    await makeWriter(site.admin, { slug: `w-${100 - index}`, name, verified: true })
  for (let index = 0; index < 60; index += 1)
    await makeWriter(site.admin, { slug: `filler-${index}`, name: 'Marta', verified: true })
  const seen: string[] = []
  for (let next: string | undefined = '/trust'; next; ) {
    const { body } = await pageOf(next, sorted)
    seen.push(...[...body.matchAll(/\/author\/[\w-]+"><bdi>([^<]+)</g)].map(([, name]) => name!))
    next = /<a href="https:\/\/site\.test(\/trust\?cursor=[^"]+)" rel="next"/.exec(body)?.[1]
  }
  assert.equal(seen.length, all.length + 60)
  assert.deepEqual(seen, seen.toSorted(new Intl.Collator('und').compare))
  assert.deepEqual(seen.filter((name) => name !== 'Marta').slice(0, 5), ['Abel', 'Ångström', 'Azra', 'Éluard', 'Ewa'])
})

test('the keys of receipts stand there, with the day they first signed', async () => {
  const writer = await makeWriter(admin, { slug: 'signing' })
  await makePiece(admin, writer)
  const { keys } = (await app.inject('/.well-known/standfirst-receipts.json')).json()
  const { body } = await pageOf()
  assert.equal(keys.length, 1)
  assert.ok(body.includes(keys[0].kid))
})

test('it is a page like the others: no script, cached, on the map and linked from the foot of every page', async () => {
  const answer = await pageOf()
  assert.doesNotMatch(answer.body, /<script/)
  assert.equal(answer.headers['cache-control'], (await pageOf('/about')).headers['cache-control'])
  assert.match(String(answer.headers['surrogate-key']), /\bauthors\b/)
  assert.match((await pageOf('/')).body, /href="https:\/\/site\.test\/trust">Trust</)
  assert.match((await pageOf('/sitemap-pages.xml')).body, /<loc>https:\/\/site\.test\/trust<\/loc>/)
})
