import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publishProfile, renameWriter } from '../../server/features/authors/writers.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makeDraft, makePiece, makeWriter } from '../../testkit/factories.ts'
import type { Answer } from '../../testkit/openapi.ts'

/** GET /oembed (https://oembed.com): what a site shows for one of our addresses. */

const { admin, ask } = await testSite()
const oembed = (address: string, more = '') => ask(`/oembed?url=${encodeURIComponent(address)}${more}`)

const site = 'https://site.test'
const ada = await makeWriter(admin, { slug: 'ada-before', name: 'Ada "A." <Okafor>' })
const id = await makePiece(admin, ada, { headline: 'On tea & <time>', sub: 'Four minutes.' })
const draft = await makeDraft(admin, ada, { headline: 'Unfinished' })
await inTransaction(admin, async (client) => {
  await client.query('set local role svc_owner')
  await renameWriter(client, 'ada-before', 'ada')
  await client.query('reset role')
  await publishProfile(client, ada.id)
})
const page = `${site}/author/ada/on-tea-time`

const frameOf = (answer: Answer): string =>
  /^<iframe src="([^"]+)"/.exec(answer.json().html)?.[1]?.replaceAll('&amp;', '&') ?? ''

describe('the address of a writer', () => {
  for (const address of [
    `${site}/author/ada`,
    `${site}/author/ada/`,
    `${site}/author/ada?from=x#top`,
    'http://site.test/author/ada',
    `${site}/author/ada-before`,
  ]) {
    test(`gives their card: ${address}`, async () => {
      const answer = await oembed(address)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      assert.equal(answer.headers['surrogate-key'], 'byline-ada')
      const { html, ...rest } = answer.json()
      assert.deepEqual(rest, {
        version: '1.0',
        type: 'rich',
        provider_name: 'Standfirst',
        provider_url: `${site}/`,
        title: 'Ada "A." <Okafor>',
        author_name: 'Ada "A." <Okafor>',
        author_url: `${site}/author/ada`,
        cache_age: 300,
        width: 480,
        height: rest.height,
      })
      assert.ok(rest.height > 100)
      assert.match(html, /title="Ada &quot;A\.&quot; &lt;Okafor&gt;"/)
      assert.equal(frameOf(answer), `${site}/embed/ada/card`)
    })
  }
})

describe('the address of a piece', () => {
  for (const address of [
    page,
    `${page}/`,
    `${page}?a=b`,
    `${site}/author/ada-before/on-tea-time`,
    `${site}/p/${id}`,
    `${site}/p/${id.toUpperCase()}`,
  ]) {
    test(`gives a card of the piece: ${address.slice(0, 50)}`, async () => {
      const answer = await oembed(address)
      assert.equal(answer.statusCode, 200)
      const { title, author_name, author_url } = answer.json()
      assert.deepEqual([title, author_name, author_url], ['On tea & <time>', 'Ada "A." <Okafor>', `${site}/author/ada`])
      assert.equal(answer.headers['surrogate-key'], `piece-${id} byline-ada`)
      const frame = await ask(frameOf(answer).slice(site.length))
      assert.equal(frame.statusCode, 200)
      assert.match(frame.body, /On tea &amp; &lt;time&gt;/)
      assert.match(frame.body, /Four minutes\./)
      assert.match(String(frame.headers['content-security-policy']), /frame-ancestors \*/)
    })
  }
})

describe('sizes', () => {
  const sizeOf = async (more: string) => {
    const { width, height, html } = (await oembed(`${site}/author/ada`, more)).json()
    assert.ok(html.includes(`width="${width}" height="${height}"`))
    return [width, height]
  }

  test('are no larger than the site takes', async () => {
    assert.equal((await sizeOf('&maxwidth=300'))[0], 300)
    assert.equal((await sizeOf('&maxwidth=9999'))[0], 480)
    const [width, height] = await sizeOf('&maxwidth=200&maxheight=20')
    assert.deepEqual([width, height], [200, 20])
  })

  test('where a card has no room, the frame shows the badge', async () => {
    assert.equal(frameOf(await oembed(`${site}/author/ada`, '&maxheight=60')), `${site}/embed/ada/badge`)
    assert.equal(frameOf(await oembed(page, '&maxheight=60')), `${site}/embed/ada/badge`)
  })

  for (const odd of ['0', '-1', '1e3', 'wide', '300&maxwidth=400']) {
    test(`maxwidth=${odd} is refused with the range`, async () => {
      const answer = await oembed(`${site}/author/ada`, `&maxwidth=${odd}`)
      assert.equal(answer.statusCode, 400)
      assert.match(answer.json().detail, /1 to 10000/)
    })
  }
})

test('format=json is what it is, and any other is 501', async () => {
  assert.equal((await oembed(page, '&format=json')).statusCode, 200)
  const { statusCode, headers, ...answer } = await oembed(page, '&format=xml')
  assert.equal(statusCode, 501)
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(answer.json().detail, /format=json/)
})

test('without an address it is 400', async () => {
  assert.equal((await ask('/oembed')).statusCode, 400)
})

describe('what is not ours, or not public, is 404', () => {
  for (const address of [
    `${site}/author/nobody`,
    `${site}/author/ada/nothing`,
    `${site}/p/${draft}`,
    `${site}/p/00000000-0000-4000-8000-000000000000`,
    `${site}/p/${'-'.repeat(36)}`,
    `${site}/`,
    `${site}/search?q=tea`,
    `${site}/desk/edit/pieces/${id}`,
    'https://elsewhere.test/author/ada',
    'https://site.test.evil.test/author/ada',
    'https://site.test@evil.test/author/ada',
    'javascript:alert(1)',
    'data:text/html,x',
    '//site.test/author/ada',
    'author/ada',
    '\0',
    'https://site.test/author/ada%00',
    'https://site.test/author/%61da/../../desk',
  ]) {
    test(JSON.stringify(address), async () => {
      const answer = await oembed(address)
      assert.equal(answer.statusCode, 404)
      assert.equal(answer.json().reason, 'not_found')
      assert.equal(answer.headers['cache-control'], 'no-store')
    })
  }
})
