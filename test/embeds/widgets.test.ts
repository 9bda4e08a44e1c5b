import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { buildEmbed } from '../../embed/build.ts'
import { readRelease } from '../../embed/release.ts'
import { palettes } from '../../server/http/embeds/badge.ts'
import { languages } from '../../server/messages/translator.ts'
import { testSite } from '../../testkit/app.ts'
import { makePiece, makeWriter } from '../../testkit/factories.ts'
import { injectRetrying503 } from '../../testkit/openapi.ts'
import { anyText, mutate, sendable } from '../security/fuzz-requests.ts'

/** embed.js, the same widgets in frames, and the playground. */

const { admin, ask, app } = await testSite()

const ada = await makeWriter(admin, {
  slug: 'ada',
  name: 'Ada Okafor',
  role: 'Essayist',
  location: 'Lagos',
  bio: 'Writes about kitchens & patience.',
  website: 'https://ada.example/about',
  socials: { x: 'https://x.example/ada' },
  verified: true,
})
await makeWriter(admin, { slug: 'bo', name: 'Bo Barely' })
for (let month = 0; month < 7; month += 1) {
  await makePiece(admin, ada, { headline: `Piece ${month + 1}`, publishedAt: new Date(Date.UTC(2026, month, 2)) })
}

const file = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Malformed embed and oEmbed requests. `FUZZ` is their number, `FUZZ_SEED` repeats a run. */

const total = Math.ceil(Number(process.env['FUZZ'] ?? 4_000) / 2)
const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))

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

describe('embed/dist', () => {
  test('is what a fresh build makes of the sources and the tokens of the pages', async () => {
    const { script, style } = await buildEmbed()
    const advice = 'npm run embed makes it anew'
    assert.equal(file('embed/dist/embed.js'), script, advice)
    assert.equal(file('embed/dist/widget.css'), style, advice)
  })

  test('has a script of at most 12 kB, and 5 kB gzipped, in every language', () => {
    for (const language of languages) {
      const { live, script: pinned } = readRelease(language, 'Standfirst')
      for (const script of [Buffer.from(live), Buffer.from(pinned.text)]) {
        const packed = gzipSync(script, { level: 9 }).length
        console.log(`embed.js in ${language}: ${script.length} bytes, ${packed} gzipped`)
        assert.ok(script.length <= 12_000)
        assert.ok(packed <= 5_000)
      }
    }
  })

  test('has a script that neither makes markup of text nor runs any', () => {
    assert.doesNotMatch(
      file('embed/dist/embed.js'),
      /innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|postMessage|\bimport\b|setAttribute\(\w+,`style`/,
    )
  })
})

test('the badge has the colours of the pages', () => {
  const tokens = file('server/platform/page/style/tokens.css')
  const [light = '', dark = ''] = tokens.split('prefers-color-scheme: dark')
  const names = { paper: 'paper', line: 'rule', ink: 'ink', quiet: 'soft', rule: 'accent' } as const
  for (const [theme, text] of Object.entries({ light, dark })) {
    for (const [own, token] of Object.entries(names)) {
      const [, l = '', c = '', h = ''] =
        new RegExp(`--${token}: oklch\\(([\\d.]+) ([\\d.]+) ([\\d.]+)\\)`).exec(text) ?? []
      const expected = hexOf(Number(l), Number(c), Number(h))
      assert.equal(palettes[theme as 'light' | 'dark'][own as keyof typeof names], expected, `${own} in ${theme}`)
    }
  }
})

/** OKLCH to sRGB, by CSS Color 4. */
function hexOf(lightness: number, chroma: number, hue: number): string {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ]
  const bytes = linear.map((value) => {
    const shown = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055
    return Math.round(Math.min(Math.max(shown, 0), 1) * 255)
  })
  return `#${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** The served script is the built one, with the name of the site. */
const withoutName = (script: string): string => script.replace('"site":"Standfirst",', '')

describe('GET /embed.js', () => {
  test('4.5 is a script that every origin may use', async () => {
    const { statusCode, headers, body } = await ask('/embed.js')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'application/javascript; charset=utf-8')
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(withoutName(body), file('embed/dist/embed.js'))
  })

  test('is kept for minutes only, and asked for again by ETag', async () => {
    const { headers } = await ask('/embed.js')
    assert.equal(headers['cache-control'], 'public, max-age=300')
    const again = await ask({ url: '/embed.js', headers: { 'if-none-match': String(headers['etag']) } })
    assert.equal(again.statusCode, 304)
  })
})

describe('the pinned script', () => {
  const page = () => ask('/developers/embeds').then(({ body }) => body)
  const published = async () => {
    const [, address = ''] = /data-pinned="https:\/\/site\.test([^"]+)"/.exec(await page()) ?? []
    const [, integrity = ''] = /data-integrity="([^"]+)"/.exec(await page()) ?? []
    return { address, integrity }
  }

  test('has the bytes that its published hash promises, for ever', async () => {
    const { address, integrity } = await published()
    assert.match(address, /^\/embed\/[0-9a-f]{16}\.js$/)
    const { statusCode, headers, body } = await ask(address)
    assert.equal(statusCode, 200)
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['access-control-allow-origin'], '*', 'integrity needs a request with CORS')
    assert.equal(`sha384-${createHash('sha384').update(body).digest('base64')}`, integrity)
    assert.equal(body, withoutName((await ask('/embed.js')).body), 'it stays when the name of the site changes')
  })

  test('has no other version under a name that was never given out', async () => {
    assert.equal((await ask('/embed/0000000000000000.js')).statusCode, 404)
    assert.equal((await ask('/embed/embed.js')).statusCode, 404)
  })

  test('docs/embedding.md says where to find both', () => {
    assert.match(file('docs/embedding.md'), /\/developers\/embeds/)
    assert.match(file('docs/embedding.md'), /integrity/)
  })
})

describe('GET /embed/{slug}/{kind}', () => {
  const frame = (path: string) => ask(`/embed/${path}`)

  for (const [kind, words] of [
    ['badge', [/Ada Okafor/]],
    ['card', [/Ada Okafor/, /Essayist · Lagos/, /kitchens &amp; patience/, /7 pieces, latest 2 Jul 2026/]],
    ['list', [/Ada Okafor/, />Piece 7</, />Piece 3</]],
    ['bio', [/Ada Okafor/, /kitchens &amp; patience/, />ada\.example</, />X</]],
  ] as const) {
    test(`${kind} is a page for frames of any site, with no script`, async () => {
      const { statusCode, headers, body } = await frame(`ada/${kind}`)
      assert.equal(statusCode, 200)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      const policy = String(headers['content-security-policy'])
      assert.match(policy, /^default-src 'none'; style-src 'self'; .*frame-ancestors \*$/)
      assert.doesNotMatch(policy, /script|unsafe/)
      assert.equal(headers['x-frame-options'], undefined)
      assert.doesNotMatch(body, /<script|\son\w+=|style=/)
      for (const word of words) assert.match(body, word)
      assert.match(body, /Identity verified/)
      assert.equal(headers['surrogate-key'], 'author-ada byline-ada')
    })
  }

  test('list shows five, or as many as are asked for, from 1 to 20', async () => {
    const count = async (query: string) => (await frame(`ada/list${query}`)).body.match(/<li>/g)?.length
    assert.equal(await count(''), 5)
    assert.equal(await count('?limit=2'), 2)
    assert.equal(await count('?limit=20'), 7)
    for (const odd of ['0', '21', '-1', '1e1', 'x', '2&limit=3', '']) assert.equal(await count(`?limit=${odd}`), 5, odd)
  })

  test('theme, tone and accent are those of the script; what is unknown is the default', async () => {
    const { body: usual } = await frame('ada/card')
    assert.match(usual, /data-theme="light"/)
    assert.match((await frame('ada/card?theme=auto')).body, /data-theme="auto"/)
    assert.match((await frame('ada/card?tone=verified')).body, /class="w card lit"/)
    assert.doesNotMatch((await frame('bo/card?tone=verified')).body, /lit/)
    for (const query of [
      '?theme=x',
      '?accent=red',
      '?accent=%23fff',
      '?accent=%23ffffff}a{',
      '?theme=dark&theme=dark',
      '?__proto__=1',
    ]) {
      assert.equal((await frame(`ada/card${query}`)).body, usual, query)
    }
  })

  test('stands on ground of its own theme, whatever the reader prefers', async () => {
    const ground = async (query: string) =>
      /<meta name="color-scheme" content="([^"]+)">/.exec((await frame(`ada/card${query}`)).body)?.[1]
    assert.deepEqual(
      [await ground(''), await ground('?theme=dark'), await ground('?theme=auto')],
      ['light', 'dark', 'light dark'],
    )
  })

  test('an accent is a style that the policy knows by its hash, and no other passes', async () => {
    const { headers, body } = await frame('ada/card?accent=%230a7d5a')
    const [, style = ''] = /<style>([^<]+)<\/style>/.exec(body) ?? []
    assert.equal(style, '.w{--accent:#0a7d5a}')
    const hash = createHash('sha256').update(style).digest('base64')
    assert.ok(String(headers['content-security-policy']).includes(`style-src 'self' 'sha256-${hash}';`))
  })

  test('its stylesheet is there, and never changes', async () => {
    const [, address = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec((await frame('ada/card')).body) ?? []
    const { statusCode, headers } = await ask(address)
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'text/css; charset=utf-8')
    assert.match(String(headers['cache-control']), /immutable/)
  })

  for (const path of ['nobody/card', 'ada/constructor', 'ada/badges', '%3Cscript%3E/card', 'ada/__proto__']) {
    test(`what is not there is a small page that says so: ${path}`, async () => {
      const { statusCode, headers, body } = await frame(path)
      assert.equal(statusCode, 404)
      assert.equal(headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(headers['cache-control'], 'no-store')
      assert.match(String(headers['content-security-policy']), /frame-ancestors \*/)
      assert.match(body, /Writer not found/)
      assert.doesNotMatch(body, /<script/)
    })
  }
})

describe('GET /developers/embeds', () => {
  test('runs our own script and no other', async () => {
    const { statusCode, headers, body } = await ask('/developers/embeds')
    assert.equal(statusCode, 200)
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /script-src 'self'; connect-src 'self';/)
    assert.deepEqual(
      [...body.matchAll(/<script[^>]*src="([^"]+)"/g)].map(([, src]) => src),
      ['/embed.js', '/developers/embeds.js'],
    )
    assert.doesNotMatch(body, /<script>|<script(?![^>]*src=)/)
  })

  test('shows no text of a writer by itself', async () => {
    const { body } = await ask('/developers/embeds')
    assert.match(body, /value="ada"/)
    assert.doesNotMatch(body, /Okafor|Piece 7|kitchens/)
  })
})

test(`${total} generated requests are all answered, and none with a failure of ours`, async () => {
  await makePiece(admin, ada, { headline: 'On tea' })
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
