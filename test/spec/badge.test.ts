import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { publishProfile, renameWriter, setVerified } from '../../server/features/authors/writers.ts'
import { testSite } from '../../testkit/app.ts'
import { inTransaction, makeWriter } from '../../testkit/factories.ts'
import type { OpenApiDocument } from '../../testkit/openapi.ts'

/** Section 4.5 of the specification: GET /embed/{slug}/badge.svg. */

const { admin, ask } = await testSite()
const badge = (slug: string, query = '') => ask(`/embed/${slug}/badge.svg${query}`)

await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', verified: true })
const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo Barely' })

const textOf = (tag: string, svg: string): string | undefined =>
  new RegExp(`<${tag}[^>]*>([^<]*)</${tag}>`).exec(svg)?.[1]
/** The verification tick is the only circle in a badge. */
const hasTick = (svg: string): boolean => svg.includes('<circle')

describe('the badge of a writer', () => {
  test('is an SVG picture that names the writer', async () => {
    const { statusCode, headers, body } = await badge('bo')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'image/svg+xml')
    assert.match(body, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>$/s)
    assert.match(textOf('title', body) ?? '', /Bo Barely/)
    assert.match(body, /role="img" aria-label="Bo Barely · Standfirst"/)
  })

  test('is whole in itself: it asks for no style, font, picture or script', async () => {
    const { body } = await badge('ada', '?theme=dark&tone=verified')
    assert.doesNotMatch(
      body.replace('xmlns="http://www.w3.org/2000/svg"', ''),
      /https?:|url\(|href|<style|<script|<image|foreignObject|@import|data:/,
    )
  })

  test('is open to every origin, as a picture and as data', async () => {
    const { headers } = await badge('bo')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.match(String(headers['content-security-policy']), /^default-src 'none'.*sandbox/)
  })

  test('is kept by caches under the name of its author, and asked for again by ETag', async () => {
    const { headers } = await badge('bo')
    assert.equal(headers['surrogate-key'], 'byline-bo')
    assert.match(String(headers['cache-control']), /s-maxage=30/)
    const again = await ask({ url: '/embed/bo/badge.svg', headers: { 'if-none-match': String(headers['etag']) } })
    assert.deepEqual([again.statusCode, again.body], [304, ''])
  })

  test('answers HEAD like GET, without a body', async () => {
    const head = await ask({ method: 'HEAD', url: '/embed/bo/badge.svg' })
    assert.deepEqual([head.statusCode, head.headers['content-type'], head.body], [200, 'image/svg+xml', ''])
  })
})

describe('theme', () => {
  test('is light where nothing is said', async () => {
    assert.equal((await badge('ada')).body, (await badge('ada', '?theme=light')).body)
  })

  test('dark is another picture', async () => {
    assert.notEqual((await badge('ada', '?theme=dark')).body, (await badge('ada')).body)
  })

  for (const query of [
    '?theme=',
    '?theme=sepia',
    '?theme=DARK',
    '?theme=dark&theme=light',
    '?theme[]=dark',
    '?theme=light;url()',
    '?tone=',
    '?tone=x',
    '?tone=verified&tone=verified',
    '?tone=%00',
    '?constructor=1',
  ]) {
    test(`what is unknown falls back to the default: ${query}`, async () => {
      const { statusCode, body } = await badge('ada', query)
      assert.equal(statusCode, 200)
      assert.equal(body, (await badge('ada')).body)
    })
  }
})

describe('the tick', () => {
  test('is drawn for a verified identity, and said in words', async () => {
    const { body } = await badge('ada')
    assert.ok(hasTick(body))
    assert.equal(textOf('title', body), 'Ada Okafor, verified · Standfirst')
  })

  test('is not drawn for anybody else', async () => {
    const { body } = await badge('bo')
    assert.ok(!hasTick(body))
    assert.doesNotMatch(body, /verified/)
  })

  test('cannot be had by asking: tone=verified gives the unverified their usual badge', async () => {
    for (const theme of ['light', 'dark']) {
      const [asked, usual] = [await badge('bo', `?theme=${theme}&tone=verified`), await badge('bo', `?theme=${theme}`)]
      assert.equal(asked.body, usual.body)
    }
  })

  test('tone=verified gives the verified the tone of the verified', async () => {
    const { body } = await badge('ada', '?tone=verified')
    assert.ok(hasTick(body))
    assert.notEqual(body, (await badge('ada')).body)
  })
})

describe('changes on the service', () => {
  const change = (work: Parameters<typeof inTransaction<void>>[1], id: string) =>
    inTransaction(admin, async (client) => {
      await client.query('set local role svc_owner')
      await work(client)
      await client.query('reset role')
      await publishProfile(client, id)
    })

  test('a writer who is verified gets the tick at once, and loses it at once', async () => {
    await change((client) => setVerified(client, 'bo', 'identity', true).then(() => {}), bo.id)
    assert.ok(hasTick((await badge('bo')).body))
    await change((client) => setVerified(client, 'bo', 'identity', false).then(() => {}), bo.id)
    assert.ok(!hasTick((await badge('bo')).body))
  })

  test('a writer who takes another name shows it, at the new address and at the former one', async () => {
    const cleo = await makeWriter(admin, { slug: 'cleo-before', name: 'Cleo Before' })
    await change(async (client) => {
      await renameWriter(client, 'cleo-before', 'cleo')
      await client.query("update app.writers set name = 'Cleo After' where slug = 'cleo'")
    }, cleo.id)
    for (const slug of ['cleo', 'cleo-before']) {
      const { statusCode, body, headers } = await badge(slug)
      assert.equal(statusCode, 200)
      assert.match(textOf('title', body) ?? '', /^Cleo After ·/)
      assert.equal(headers['surrogate-key'], 'byline-cleo')
    }
  })
})

describe('a slug that nobody has', () => {
  for (const slug of [
    'nobody',
    'Ada',
    '-',
    'a'.repeat(5000),
    '%D0%B0dmin',
    '..%2f..%2fada',
    '%3Cscript%3E',
    'ada%00',
    'search',
  ]) {
    test(`is 404 with a picture that says so: ${slug.slice(0, 30)}`, async () => {
      const { statusCode, headers, body } = await badge(slug)
      assert.equal(statusCode, 404)
      assert.equal(headers['content-type'], 'image/svg+xml')
      assert.equal(headers['cache-control'], 'no-store')
      assert.equal(textOf('title', body), 'Writer not found')
      assert.ok(!hasTick(body))
    })
  }
})

test('the OpenAPI document describes the badge, without a key', async () => {
  const { paths } = (await ask('/api/openapi.json')).json<OpenApiDocument>()
  const { responses, security, operationId } = paths['/embed/{slug}/badge.svg']!['get']!
  assert.equal(operationId, 'getBadge')
  assert.equal(security, undefined)
  for (const status of ['200', '404']) assert.deepEqual(Object.keys(responses[status]!.content!), ['image/svg+xml'])
})
