import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { urlsFor } from '../../server/features/urls.ts'
import { identityOf, registryEntry } from '../../server/http/mcp/discovery.ts'
import { testApp } from '../../testkit/app.ts'
import { testDatabase } from '../../testkit/database.ts'
import { asking, base, type Json } from './site.ts'

/** The tool catalogue as clients read it: reviewed, small, and the same in every place. */

const { url } = await testDatabase()
const { rest, result, ask } = asking(await testApp(url, { SITE_NAME: 'The Kettle' }))
const { tools } = await result('tools/list')
const handshake = await result('initialize', {})

const file = (name: string): URL => new URL(name, import.meta.url)

describe('tools/list', () => {
  test('is as it was when somebody last read it (SNAPSHOT=write keeps a change)', () => {
    const text = `${JSON.stringify(tools, null, 2)}\n`
    if (process.env['SNAPSHOT'] === 'write') writeFileSync(file('tools.json'), text)
    const known = JSON.parse(readFileSync(file('tools.json'), 'utf8'))
    assert.equal(text, `${JSON.stringify(known, null, 2)}\n`)
  })

  test('is at most 20 kB, and 8 kB without what the tools answer', () => {
    const short = tools.map(({ outputSchema: _, ...rest }: Json) => rest)
    assert.ok(JSON.stringify(tools).length <= 20_000)
    assert.ok(JSON.stringify(short).length <= 8_000)
  })

  test('has the eight, each read-only and saying so, closed to unknown arguments', () => {
    assert.deepEqual(
      tools.map(({ name }: Json) => name),
      [
        ...['search_authors', 'get_author', 'recent_pieces', 'get_piece', 'search_pieces', 'trending_pieces'],
        ...['search_products', 'get_product'],
      ],
    )
    for (const { title, annotations, inputSchema, outputSchema } of tools) {
      assert.deepEqual(annotations, {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      })
      assert.equal(inputSchema.additionalProperties, false)
      assert.equal(outputSchema.type, 'object')
    }
  })

  test('has no reference, no type of many, no mark of ours, and no format on what is asked', () => {
    const text = JSON.stringify(tools)
    assert.doesNotMatch(text, /\$ref|\$id|x-line|"type":\[|"examples?"/)
    for (const { inputSchema } of tools) assert.doesNotMatch(JSON.stringify(inputSchema), /"format":"/)
  })

  test('takes and gives cursors wherever there are pages', () => {
    for (const { name, inputSchema, outputSchema } of tools) {
      const isList = !name.startsWith('get_')
      assert.equal('cursor' in inputSchema.properties, isList, name)
      assert.equal('next_cursor' in outputSchema.properties, isList, name)
    }
  })
})

describe('discovery', async () => {
  const discovery = await rest('/api/mcp')
  const manifest = await rest('/.well-known/mcp.json')
  const card = await rest('/api/mcp/server-card')

  test('says everywhere what the handshake says', () => {
    for (const one of [discovery, manifest, card]) {
      const { name, title, version } = one
      assert.deepEqual({ name, title, version }, handshake.serverInfo)
    }
    assert.equal(discovery.protocolVersion, handshake.protocolVersion)
    assert.deepEqual(manifest.capabilities, handshake.capabilities)
    assert.equal(manifest.instructions, handshake.instructions)
    assert.equal(manifest.endpoint, `${base}/api/mcp`)
    assert.deepEqual(
      manifest.tools,
      tools.map(({ name, title, description, inputSchema }: Json) => ({ name, title, description, inputSchema })),
    )
    assert.deepEqual(
      discovery.tools,
      tools.map(({ name }: Json) => name),
    )
  })

  test('GET /api/mcp is small, and leads on to what is there', async () => {
    assert.deepEqual(Object.keys(discovery), [
      ...['ok', 'name', 'title', 'version', 'description', 'protocolVersion', 'supportedProtocolVersions'],
      ...['transport', 'endpoint', 'authentication', 'tools', 'manifest', 'serverCard', 'documentation'],
    ])
    for (const address of [discovery.manifest, discovery.serverCard, discovery.documentation])
      assert.equal((await ask(String(address).slice(base.length))).statusCode, 200)
  })

  test('the card keeps to SEP-2127, and the manifest is a card too', () => {
    for (const one of [card, manifest]) {
      assert.equal(one.$schema, 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')
      assert.match(one.name, /^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)
      assert.ok(one.description.length <= 100)
      assert.deepEqual(one.remotes, [
        {
          type: 'streamable-http',
          url: `${base}/api/mcp`,
          supportedProtocolVersions: ['2025-06-18', '2025-11-25', '2026-07-28'],
        },
      ])
    }
    assert.equal(card.tools, undefined)
  })

  test('each file has its type, is open to every origin, kept for an hour, and 304 to whoever has it', async () => {
    const types = {
      '/api/mcp/server-card': 'application/mcp-server-card+json',
      '/.well-known/mcp.json': 'application/json',
      '/.well-known/ai-catalog.json': 'application/ai-catalog+json',
    }
    for (const [path, type] of Object.entries(types)) {
      const answer = await ask(path)
      assert.equal(String(answer.headers['content-type']).split(';')[0], type)
      assert.equal(answer.headers['cache-control'], 'public, max-age=3600')
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      const etag = String(answer.headers['etag'])
      assert.equal((await ask({ url: path, headers: { 'if-none-match': etag } })).statusCode, 304)
    }
  })

  test('the catalogue leads to the card', async () => {
    const { entries } = await rest('/.well-known/ai-catalog.json')
    assert.deepEqual(entries, [
      {
        identifier: 'urn:air:site.test:mcp:content',
        type: 'application/mcp-server-card+json',
        url: `${base}/api/mcp/server-card`,
      },
    ])
  })

  test('server.json of the repository is the entry of a site at example.org', () => {
    const entry = registryEntry(identityOf('Standfirst', urlsFor('https://example.org')))
    const text = `${JSON.stringify(entry, null, 2)}\n`
    if (process.env['SNAPSHOT'] === 'write') writeFileSync(file('../../server.json'), text)
    assert.deepEqual(entry, JSON.parse(readFileSync(file('../../server.json'), 'utf8')))
  })

  for (const [host, name] of [
    ['https://news.example.org', 'org.example.news/content'],
    ['http://localhost:8080', 'localhost/content'],
    ['http://127.0.0.1:8080', '127.0.0.1/content'],
    ['http://[::1]:8080', 'localhost/content'],
  ] as const)
    test(`a site at ${host} is called ${name}`, () => {
      assert.equal(identityOf('x', urlsFor(host)).name, name)
    })
})
