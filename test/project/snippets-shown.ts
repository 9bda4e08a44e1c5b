import assert from 'node:assert/strict'
import { patientFetch } from '../../testkit/retry-fetch.ts'
import type { SnippetSite } from './snippets.ts'

/** Blocks that show something: each is held against what the site has at that place. */

/** Every address in it answers, and with what the element takes. */
export async function checkHtml({ base }: SnippetSite, code: string): Promise<void> {
  const whole = await pinned(base, code)
  const asked = [...whole.matchAll(/<(a|img|script|iframe)\b[^>]*?\b(?:href|src)="([^"]+)"/g)]
  assert.ok(asked.length > 0, 'it names no address')
  for (const [, element = '', address = ''] of asked) {
    assert.ok(address.startsWith(base), address)
    const answer = await patientFetch(address)
    assert.equal(answer.status, 200, address)
    assert.match(answer.headers.get('content-type') ?? '', typeFor[element]!, address)
    await answer.body?.cancel()
  }
}

const typeFor: Readonly<Record<string, RegExp>> = {
  a: /^text\/html/,
  img: /^image\/svg\+xml/,
  script: /^application\/javascript/,
  iframe: /^text\/html/,
}

/** The playground says which address is pinned, and its hash: a sample has others in their place. */
async function pinned(base: string, code: string): Promise<string> {
  if (!code.includes('integrity="sha384-…"')) return code
  const page = await (await patientFetch(`${base}/developers/embeds`)).text()
  const file = /\/embed\/([0-9a-f]{16})\.js/.exec(page)?.[1]
  assert.ok(file && /sha384-[\w+/=]{64}/.test(page), 'the playground names no pinned script')
  return code.replace('0123456789abcdef', file)
}

interface ClientSettings {
  readonly url?: string
  readonly args?: readonly string[]
}

/** Settings of clients name the site; an answer is the one the site gives. */
export async function checkJson({ base }: SnippetSite, code: string): Promise<void> {
  const shown = JSON.parse(code)
  if (shown.mcpServers) {
    for (const [name, { url, args }] of Object.entries<ClientSettings>(shown.mcpServers))
      assert.equal(url ?? args?.at(-1), base + (name.endsWith('-drafts') ? '/api/v1/mcp' : '/api/mcp'))
    return
  }
  assert.equal(shown.reason, 'validation_failed', 'nothing says which answer this is')
  const headers = { 'x-request-id': shown.request_id }
  const answer = await patientFetch(`${base}/api/public/pieces/recent?limit=500`, { headers })
  assert.deepEqual(await answer.json(), shown)
}
