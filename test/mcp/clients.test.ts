import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { furnish, listening } from './site.ts'

/** The clients that people use, of both lines, against the server as shipped: they hold every answer against its schema. */

const { url, pieces, products } = await furnish()
const { endpoint } = await listening(url)

interface Seen {
  readonly method: string
  readonly status: number
}

/** `fetch` that notes what was asked. */
function noting() {
  const seen: Seen[] = []
  const fetching = async (address: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const answer = await fetch(address, init)
    seen.push({ method: init?.method ?? 'GET', status: answer.status })
    return answer
  }
  return { seen, fetching }
}

const calls: readonly (readonly [string, Record<string, unknown>])[] = [
  ['search_authors', { query: 'tea' }],
  ['get_author', { slug: 'ada-okafor' }],
  ['recent_pieces', { limit: 3 }],
  ['get_piece', { id: pieces[0]! }],
  ['search_pieces', { query: 'tea', limit: 100 }],
  ['trending_pieces', { window: '30d' }],
  ['search_products', {}],
  ['get_product', { id: products[1]! }],
]

interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  callTool(asked: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  listPrompts(): Promise<{ prompts: readonly unknown[] }>
  listResources(): Promise<{ resources: readonly { uri: string }[] }>
  readResource(asked: { uri: string }): Promise<{ contents: readonly unknown[] }>
}

async function useAll(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    calls.map(([name]) => name),
  )
  for (const [name, given] of calls) {
    const answer = (await client.callTool({ name, arguments: given })) as {
      isError?: boolean
      structuredContent?: { ok?: boolean }
    }
    assert.ok(!answer.isError, name)
    assert.equal(answer.structuredContent?.ok, true, name)
  }
  const wrong = (await client.callTool({ name: 'get_author', arguments: { slug: 'nope' } })) as { isError?: boolean }
  assert.equal(wrong.isError, true)
  assert.equal((await client.listPrompts()).prompts.length, 2)
  const { resources } = await client.listResources()
  for (const { uri } of resources) assert.equal((await client.readResource({ uri })).contents.length, 1)
}

describe('a client connects, lists and calls all eight', () => {
  test('of the SDK, version 1, which looks for a stream once and gives up', async () => {
    const { seen, fetching } = noting()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint), { fetch: fetching }) as never)
    await useAll(client as unknown as AnyClient)
    assert.equal(client.getServerVersion()?.title, 'Standfirst')
    await client.close()
    assert.deepEqual(
      seen.filter(({ method }) => method === 'GET'),
      [{ method: 'GET', status: 405 }],
    )
    assert.deepEqual(
      seen.filter(({ status }) => status >= 400 && status !== 405),
      [],
    )
  })

  const modes = { legacy: 'legacy', auto: 'auto', 'the latest revision alone': { pin: '2026-07-28' } } as const
  for (const [name, mode] of Object.entries(modes)) {
    test(`of the SDK, version 2, in the mode ${name}`, async () => {
      const { seen, fetching } = noting()
      const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(new NewTransport(new URL(endpoint), { fetch: fetching }))
      assert.equal(client.getNegotiatedProtocolVersion(), mode === 'legacy' ? '2025-11-25' : '2026-07-28')
      await useAll(client as unknown as AnyClient)
      await client.close()
      assert.ok(seen.filter(({ method }) => method === 'GET').length <= 1)
      assert.deepEqual(
        seen.filter(({ status }) => status >= 400 && status !== 405),
        [],
      )
    })
  }
})
