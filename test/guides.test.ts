import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildSdk } from '../sdk/build.ts'
import { addresses } from '../server/doors/discovery/manifest.ts'
import { seedHouse } from '../server/seed/seed.ts'
import { testApp } from '../server/testing/app.ts'
import { testDatabase } from '../server/testing/database.ts'
import { makeKey, makePiece, makeWriter } from '../server/testing/make.ts'
import { freePort } from './free-port.ts'
import { patientFetch } from './patient-fetch.ts'

/** /developers: the index, and guides whose every sample is run against a real house. */

const { url, admin } = await testDatabase()
await seedHouse(url, { authors: 8, pieces: 240, rng: 2, until: new Date('2026-06-01T12:00:00Z') })
const ada = await makeWriter(admin, { slug: 'ada-okafor', name: 'Ada Okafor', verified: true })
await makePiece(admin, ada, { headline: 'The case for slow tea', body_md: 'Four minutes.', category: 'life' })
const { key } = await makeKey(admin, ada)

const port = await freePort()
const base = `http://127.0.0.1:${port}`
const app = await testApp(url, { BASE_URL: base })
await app.listen({ host: '127.0.0.1', port })

const get = (path: string): Promise<Response> => patientFetch(path.startsWith('/') ? base + path : path)

async function runPatiently(sample: Sample): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run(sample)
    } catch (error) {
      if (tries === 5) throw error
      await pause(500)
    }
  }
}

const guides = ['quickstart', 'reading', 'tools', 'drafting', 'importing', 'webhooks', 'embedding', 'security']
const markdownOf = async (guide: string) => (await get(`/developers/${guide}.md`)).text()

const folder = await mkdtemp(join(tmpdir(), 'standfirst-guides-'))
after(() => rm(folder, { recursive: true }))
await buildSdk(join(folder, 'node_modules/@standfirst/sdk'))

const program = fileURLToPath(new URL('../server/cli.ts', import.meta.url))
await copyFile(new URL('imports/devto/articles.json', import.meta.url), join(folder, 'articles.json'))

/** As a reader would run it, but for curl, which is told to fail where it would only print a refusal. */
async function run({ language, code }: Sample): Promise<string> {
  const file = join(folder, language === 'sh' ? 'sample.sh' : 'sample.mjs')
  const strict = `set -eu
curl() { command curl --silent --show-error --fail-with-body "$@"; }
npx() { shift; '${process.execPath}' '${program}' "$@"; }
`
  await writeFile(file, language === 'sh' ? strict + code : code)
  const shell = language === 'sh' ? 'bash' : process.execPath
  const settings = { cwd: folder, env: { ...process.env, KEY: key }, timeout: 30_000 }
  const { stdout } = await promisify(execFile)(shell, [file], settings)
  return stdout
}

interface Sample {
  readonly language: string
  readonly code: string
}

const samplesIn = (markdown: string): Sample[] =>
  [...markdown.matchAll(/^```(\w+) run\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }))

/** What a sample prints at least; the others must print something, and JSON must say that it is well. */
const expected: Readonly<Record<string, readonly RegExp[]>> = {
  quickstart: [/"items"/, /, by .+: http/, /"match_site"/, /"status":"draft"/],
  reading: [
    ...[/^The case for slow tea http/m, /"slug":"ada-okafor"/, /Ada Okafor verified 1/],
    ...[/\d{4}-\d\d-\d\dT.+ \d+\n/, /^200 pieces seen\n$/, /^200 pieces seen, the newest of life is .+\n$/],
    ...[/\.00 (EUR|USD|GBP)\n/, /"results"/],
    ...[/^304\n$/, /jsonfeed\.org[\s\S]+<rss/, /^# Ada Okafor\n/, /^400 validation_failed limit /],
    /^400 validation_failed \/limit\n$/,
  ],
  tools: [
    ...[/"match_site"/, /^200 pieces seen\n$/, /"isError":true/, /"transport":"streamable-http"/],
    ...[/"status":"draft"/, /^draft 2 It is long enough\.\n$/],
  ],
  drafting: [
    ...[/"edit_url"/, /\/desk\/edit\/pieces\/.+\n$/, /^draft one draft\n$/, /^200 Four minutes is long enough\.\n$/],
    ...[/^The case for slower tea\n$/, /"pieces":\[/],
  ],
  importing: [
    ...[
      /made {2}slow-tea\.md\n|1 unchanged/,
      /1 changed, 0 unchanged, 0 could not/,
      /^0 made, 0 changed, \d+ unchanged, 0 could not/m,
    ],
    /^What did not come along from devto\./m,
  ],
  webhooks: [/e1f33d24476d320a9c7b6b81a50fe079e3b8ea14d4ac33d9682f22e33486ec31/],
  embedding: [/^<svg/, /"type":"rich"/, /The case for slow tea/],
  security: [/^true \d{4}-\d\d-\d\dT.+Z person\n$/, /^Contact: /],
}

describe('every sample of the guides runs', () => {
  for (const guide of guides) {
    test(`and those of ${guide} print what they promise`, async () => {
      const samples = samplesIn(await markdownOf(guide))
      assert.equal(samples.length, expected[guide]!.length)
      for (const [at, sample] of samples.entries()) {
        assert.match(await runPatiently(sample), expected[guide]![at]!, sample.code)
      }
    })
  }

  test('and a sample that is refused would be noticed', async () => {
    await assert.rejects(run({ language: 'sh', code: `curl '${base}/api/public/pieces/recent?limit=500'` }))
    await assert.rejects(run({ language: 'js', code: 'throw new Error("no")' }))
  })

  test('and nothing that asks the house is left out but what needs a person or a page', async () => {
    for (const guide of guides) {
      const unmarked = [...(await markdownOf(guide)).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
      for (const [, language, code] of unmarked) {
        const isSetting = guide === 'tools' && (language !== 'sh' || /^(claude mcp add|code --add-mcp) /.test(code!))
        // What is sent and received; test/webhooks-guide.test.ts holds it against a real delivery.
        const isShown = guide === 'webhooks' && (language !== 'sh' || code!.startsWith('npx standfirst webhook listen'))
        const isNoSample = language === 'html' || isSetting || isShown || /^(export KEY=|npm install )/.test(code!)
        assert.ok(isNoSample, `a sample of ${guide} is not run:\n${code}`)
      }
    }
  })
})

test('every setting for a client of the tools is whole, and names the house', async () => {
  const markdown = await markdownOf('tools')
  const settings = [...markdown.matchAll(/^```(sh|json|text)\n([\s\S]*?)^```$/gm)]
  assert.equal(settings.length, 8)
  for (const [, language, code = ''] of settings) {
    const drafts = code.includes('-drafts')
    assert.ok(code.includes(`${base}${drafts ? '/api/v1/mcp' : '/api/mcp'}`), code)
    assert.equal(/Authorization: Bearer \$KEY|"Authorization": "Bearer pk_live_…"/.test(code), drafts)
    const name = drafts ? 'standfirst-drafts' : 'standfirst'
    if (language === 'json') assert.deepEqual(Object.keys(JSON.parse(code).mcpServers), [name])
  }
  assert.equal(JSON.parse(/code --add-mcp '(.+)'/.exec(markdown)![1]!).url, `${base}/api/mcp`)
})

test('the guide to tools lists all eight and the four that draft, in the words they have', async () => {
  const markdown = await markdownOf('tools')
  const { tools } = (await (await get('/.well-known/mcp.json')).json()) as {
    tools: { name: string; description: string }[]
  }
  assert.equal(tools.length, 8)
  const asked = await patientFetch(`${base}/api/v1/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  const { result } = (await asked.json()) as { result: { tools: typeof tools } }
  assert.equal(result.tools.length, 4)
  for (const { name, description } of [...tools, ...result.tools]) {
    assert.ok(markdown.includes(`- \`${name}(`), name)
    assert.ok(markdown.includes(description), name)
  }
})

describe('the guides', () => {
  for (const guide of guides) {
    test(`${guide} is a page and Markdown, in the house's name and with its addresses`, async () => {
      const page = await get(`/developers/${guide}`)
      const html = await page.text()
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = page.headers.get('content-security-policy')
      assert.match(policy!, /script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'/)
      assert.doesNotMatch(
        html,
        /\{\{|rel="ugc|<script(?! type="application\/ld\+json"| src="\/developers\/tools\.js"><\/script>)/,
      )
      assert.ok(html.includes(`<link rel="alternate" type="text/markdown" href="${base}/developers/${guide}.md">`))

      const markdown = await get(`/developers/${guide}.md`)
      assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8')
      assert.equal(markdown.headers.get('link'), `<${base}/developers/${guide}>; rel="canonical"`)
      assert.doesNotMatch(await markdown.text(), /\{\{/)
    })

    test(`${guide} ends with what to read next`, async () => {
      const last = (await markdownOf(guide)).split('\n## ').at(-1)!
      assert.match(last, /^What next\n\n(- \[.+\]\(http.+\): .+\.\n)+$/)
    })
  }

  test('lead to nothing that is not there', async () => {
    const seen = new Set<string>()
    for (const guide of guides) {
      for (const [address] of (await markdownOf(guide)).matchAll(/http:\/\/127\.0\.0\.1:\d+[^\s'"`)>]*/g))
        seen.add(address)
    }
    // Pages of the desk are for people who are signed in; what ends like this goes on in the code.
    const asked = [...seen].filter((address) => !/\/desk\/|\/api\/v1|\$|\/oembed$|\/search$|limit=500/.test(address))
    assert.ok(asked.length > 20)
    for (const address of asked) assert.equal((await get(address)).status, 200, address)
  })
})

describe('/developers', () => {
  test('leads to every guide, to the reference and to the playground', async () => {
    const html = await (await get(`/developers`)).text()
    for (const path of [
      ...guides.map((guide) => `/developers/${guide}`),
      '/developers/reference/',
      '/developers/embeds',
    ])
      assert.ok(html.includes(`<a href="${path}">`), path)
  })

  test('names every public address there is', async () => {
    const html = await (await get(`/developers`)).text()
    const words = html.replace(/<[^>]+>/g, '')
    for (const { path, section, method } of addresses) {
      if (section === 'guides') continue
      assert.ok(words.includes(method ? `${method} ${path}` : path), path)
    }
  })

  test('every link of it is answered', async () => {
    const html = await (await get(`/developers`)).text()
    for (const [, path = ''] of html.matchAll(/href="(\/[^"]*)"/g)) {
      assert.equal((await get(path.replaceAll('&amp;', '&'))).status, 200, path)
    }
  })

  test('its style is allowed by its own policy and kept for minutes', async () => {
    const { status, headers } = await get(`/developers/guides.css`)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/css; charset=utf-8')
    assert.equal(headers.get('cache-control'), 'public, max-age=300')
  })
})
