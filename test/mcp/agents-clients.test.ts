import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { testDatabase } from '../../testkit/database.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { listening } from './site.ts'

/** The clients that people use, of both lines, draft with a key: they hold every answer against its schema. */

const { url, admin } = await testDatabase()
const { base } = await listening(url)
const endpoint = new URL(`${base}/api/v1/mcp`)
const { key } = await makeKey(admin, await makeWriter(admin, { slug: 'ada', name: 'Ada' }))
const withKey = (theirs: string) => ({ requestInit: { headers: { Authorization: `Bearer ${theirs}` } } })

interface AnyClient {
  listTools(): Promise<{ tools: readonly { name: string; annotations?: { readOnlyHint?: boolean } }[] }>
  callTool(asked: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
}

async function draftAndRevise(client: AnyClient): Promise<void> {
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
    await client.connect(new StreamableHTTPClientTransport(endpoint, withKey(key)) as never)
    await draftAndRevise(client as unknown as AnyClient)
    assert.equal(client.getServerVersion()?.name, 'test.site/drafts')
    assert.match(client.getInstructions() ?? '', /a person reads the draft and publishes it at the desk/)
    await client.close()
  })

  const modes = { legacy: 'legacy', auto: 'auto', 'the latest revision alone': { pin: '2026-07-28' } } as const
  for (const [name, mode] of Object.entries(modes)) {
    test(`of the SDK, version 2, in the mode ${name}`, async () => {
      const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(new NewTransport(endpoint, withKey(key)))
      assert.equal(client.getNegotiatedProtocolVersion(), mode === 'legacy' ? '2025-11-25' : '2026-07-28')
      await draftAndRevise(client as unknown as AnyClient)
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
      await assert.rejects(old.connect(new StreamableHTTPClientTransport(endpoint, options) as never))
      const latest = new NewClient({ name: 'test', version: '1' })
      await assert.rejects(latest.connect(new NewTransport(endpoint, options)))
    })
  }
})
