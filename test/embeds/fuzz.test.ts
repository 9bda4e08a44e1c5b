import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { anyText, mutate, sendable } from '../security/fuzz-requests.ts'

/** Malformed embed and oEmbed requests. `FUZZ` is their number, `FUZZ_SEED` repeats a run. */

const total = Math.ceil(Number(process.env['FUZZ'] ?? 4_000) / 2)
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))

const { admin, app } = await testSite()
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor' })
await makePiece(admin, ada, { headline: 'On tea' })

const slug = fc.oneof(fc.constant('ada'), mutate(fc.constant('ada')), anyText)
const kind = fc.oneof(
  fc.constantFrom('badge.svg', 'badge', 'card', 'list', 'bio'),
  mutate(fc.constant('card')),
  anyText,
)
const address = fc.oneof(
  fc.constantFrom('https://site.test/author/ada', 'https://site.test/author/ada/on-tea').map(encodeURIComponent),
  mutate(fc.constant('https%3A%2F%2Fsite.test%2Fauthor%2Fada')),
  anyText,
)
const path = fc.oneof(
  fc.tuple(slug, kind).map(([who, what]) => `/embed/${who}/${what}`),
  anyText.map((file) => `/embed/${file}`),
  address.map((asked) => `/oembed?url=${asked}`),
)
const names = fc.constantFrom(
  'theme',
  'tone',
  'limit',
  'accent',
  'target',
  'piece',
  'url',
  'maxwidth',
  'maxheight',
  'format',
  '__proto__',
  'theme[]',
)
const values = fc.oneof(fc.constantFrom('dark', 'verified', '5', '%23ff0000', '_top', 'on-tea', 'json', 'xml'), anyText)
const query = fc.array(
  fc.tuple(names, values).map((pair) => pair.join('=')),
  { maxLength: 4 },
)

test(`${total} generated requests are all answered, and none with a failure of ours`, async () => {
  const seen = new Map<number, number>()
  const isAnswered = fc.asyncProperty(path, query, async (asked, parameters) => {
    const whole = `${asked}${asked.includes('?') ? '&' : '?'}${parameters.join('&')}`
    const { path: sent } = sendable('GET', whole, {}, undefined)
    const { statusCode, body } = await injectRetrying503(app, `http://site.test${sent}`)
    seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1)
    assert.ok(statusCode < 500 || statusCode === 501, `${statusCode}: ${body.slice(0, 200)}`)
  })
  await fc.assert(isAnswered, { seed, numRuns: total })
  console.log(`embeds: seed ${seed}: ${[...seen].map(([status, times]) => `${status} × ${times}`).join(', ')}`)
  assert.ok(seen.has(200) && seen.has(404))
})
