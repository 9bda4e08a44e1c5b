import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addresses } from '../../server/http/discovery/endpoints.ts'
import { docsPages, docsPath } from '../../server/http/docs-toc.ts'
import { fetchRetrying503 } from '../../testkit/http.ts'
import { openDocsSite } from '../project/snippets.ts'

/** /developers: the index and the guides. snippets.test.ts runs their samples, test/project/docs.test.ts checks their links. */

const { base, key } = await openDocsSite()

const get = (path: string): Promise<Response> => fetchRetrying503(path.startsWith('/') ? base + path : path)

const guides = ['quickstart', 'reading', 'tools', 'drafting', 'importing', 'webhooks', 'embedding', 'security']
const markdownOf = async (guide: string) => (await get(`/developers/${guide}.md`)).text()

test('every setting for a client of the tools is whole, and names the site', async () => {
  const markdown = await markdownOf('tools')
  const settings = [...markdown.matchAll(/^```(sh|json|text)\n([\s\S]*?)^```$/gm)]
  assert.equal(settings.length, 9)
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
    tools: { name: string; description: string; inputSchema: { properties: object; required?: string[] } }[]
  }
  assert.equal(tools.length, 8)
  const asked = await fetchRetrying503(`${base}/api/v1/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
  })
  const { result } = (await asked.json()) as { result: { tools: typeof tools } }
  assert.equal(result.tools.length, 4)
  for (const { name, description, inputSchema } of [...tools, ...result.tools]) {
    const { properties, required = [] } = inputSchema
    const given = Object.keys(properties).map((one) => (required.includes(one) ? one : `[${one}]`))
    const line = `- \`${name}(${given.join(', ')})\` ${description}\n`
    assert.ok(markdown.includes(line), `docs/tools.md lacks this line:\n${line}`)
  }
})

describe('the guides', () => {
  for (const guide of guides) {
    test(`${guide} is a page and Markdown, in the site's name and with its addresses`, async () => {
      const page = await get(`/developers/${guide}`)
      const html = await page.text()
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
      const policy = page.headers.get('content-security-policy')
      assert.match(policy!, /script-src 'self'; connect-src 'self'; style-src 'self' 'unsafe-inline'/)
      assert.doesNotMatch(
        html,
        /\{\{|rel="ugc|<script(?! type="application\/ld\+json"| src="\/developers\/tools\.js"><\/script>| defer src="\/developers\/copy\.js" data-words="[^"]+"><\/script>)/,
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
    // Skips desk pages, which need a session; addresses that continue in code; a made-up hash; and port 9000, the
    // reader's own receiver.
    const asked = [...seen].filter(
      (address) => !/\/desk\/|\/api\/v1|\$|\/oembed$|\/search$|limit=500|0123456789abcdef|:9000\//.test(address),
    )
    assert.ok(asked.length > 20)
    for (const address of asked) assert.equal((await get(address)).status, 200, address)
  })
})

describe('/developers', () => {
  test('leads to every page of the contents', async () => {
    const html = await (await get(`/developers`)).text()
    for (const page of docsPages) assert.ok(html.includes(`<a href="${docsPath(page)}">${page.title}</a>`), page.name)
  })

  test('has a list that names every public address there is', async () => {
    const html = await (await get(`/developers/addresses`)).text()
    const words = html.replace(/<[^>]+>/g, '')
    for (const { path, section, method } of addresses) {
      // This site has no legal notice.
      if (section === 'guides' || section === 'background' || path === '/imprint') continue
      assert.ok(words.includes(method ? `${method} ${path}` : path), path)
    }
  })

  test('every link of both is answered', async () => {
    for (const place of ['/developers', '/developers/addresses']) {
      const html = await (await get(place)).text()
      for (const [, path = ''] of html.matchAll(/href="(\/[^"]*)"/g))
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
