import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { furnish, listening } from './site.ts'

/** The official MCP clients, versions 1 and 2, against the server as shipped. They validate every answer. */

const { url, admin, pieces, products } = await furnish()
const { base, endpoint } = await listening(url)

interface Seen {
  readonly method: string
  readonly status: number
}

/** A `fetch` that records requests. */
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

/** The same clients write drafts with a key. */

const draftEndpoint = new URL(`${base}/api/v1/mcp`)
const { key } = await makeKey(admin, await makeWriter(admin, { slug: 'ada', name: 'Ada' }))
const withKey = (theirs: string) => ({ requestInit: { headers: { Authorization: `Bearer ${theirs}` } } })

interface DraftClient {
  listTools(): Promise<{ tools: readonly { name: string; annotations?: { readOnlyHint?: boolean } }[] }>
  callTool(asked: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
}

async function draftAndRevise(client: DraftClient): Promise<void> {
  const call = async (name: string, given: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: given })) as {
      isError?: boolean
      content: { text: string }[]
      // biome-ignore lint/suspicious/noExplicitAny: what a test only looks into need not be named
      structuredContent: any
    }
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['create_draft', 'update_draft', 'get_draft', 'list_my_pieces'],
  )
  const text = { headline: 'On tea', sub: null, body_md: '# Tea\n\nFour minutes.', tags: ['tea'] }
  const { id, status } = (await call('create_draft', { ...text, idempotency_key: crypto.randomUUID() }))
    .structuredContent
  assert.equal(status, 'draft')
  const { piece, revision } = (await call('get_draft', { id })).structuredContent
  assert.deepEqual([piece.body_md, revision], [text.body_md, 1])
  const changed = (await call('update_draft', { id, revision, sub: 'Slowly.' })).structuredContent
  assert.deepEqual([changed.piece.sub, changed.revision], ['Slowly.', 2])
  const { pieces } = (await call('list_my_pieces', { status: 'draft', limit: 1 })).structuredContent
  assert.equal(pieces[0].id, id)
  const stale = await call('update_draft', { id, revision: 1, sub: 'Other' })
  assert.equal(stale.isError, true)
  assert.equal(JSON.parse(stale.content[0]!.text).reason, 'precondition_failed')
  await assert.rejects(client.callTool({ name: 'publish', arguments: { id } }))
}

describe('a client with a key connects, lists and calls all four', () => {
  test('of the SDK, version 1', async () => {
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(draftEndpoint, withKey(key)) as never)
    await draftAndRevise(client as unknown as DraftClient)
    assert.equal(client.getServerVersion()?.name, 'test.site/drafts')
    assert.match(client.getInstructions() ?? '', /a person reads the draft and publishes it at the desk/)
    await client.close()
  })

  const modes = { legacy: 'legacy', auto: 'auto', 'the latest revision alone': { pin: '2026-07-28' } } as const
  for (const [name, mode] of Object.entries(modes)) {
    test(`of the SDK, version 2, in the mode ${name}`, async () => {
      const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(new NewTransport(draftEndpoint, withKey(key)))
      assert.equal(client.getNegotiatedProtocolVersion(), mode === 'legacy' ? '2025-11-25' : '2026-07-28')
      await draftAndRevise(client as unknown as DraftClient)
      await client.close()
    })
  }
})

describe('a client without a live key', () => {
  for (const [what, options] of [
    ['that sends none', {}],
    ['that sends another', withKey('pk_live_')],
  ] as const) {
    test(`${what} does not connect, in either version`, async () => {
      const old = new Client({ name: 'test', version: '1' })
      await assert.rejects(old.connect(new StreamableHTTPClientTransport(draftEndpoint, options) as never))
      const latest = new NewClient({ name: 'test', version: '1' })
      await assert.rejects(latest.connect(new NewTransport(draftEndpoint, options)))
    })
  }
})
