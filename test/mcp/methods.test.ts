import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import * as protocol from '@modelcontextprotocol/sdk/types.js'
import { urlsFor } from '../../server/features/urls.ts'
import { identityOf, registryEntry } from '../../server/http/mcp/discovery.ts'
import manifest from '../../server/package.json' with { type: 'json' }
import { testApp } from '../../testkit/app.ts'
import { asking, base, furnish, type Json } from './site.ts'

/** Every method of the protocol revisions with a handshake; results are validated against the protocol's schema. */

const { url, pieces, draft } = await furnish()
const { rpc, result, rest, ask } = asking(await testApp(url, { SITE_NAME: 'The Kettle' }))

async function failed(method: string, params: unknown, code: number) {
  const { status, json } = await rpc(method, params)
  assert.deepEqual([status, json.error?.code], [200, code], JSON.stringify(json))
  protocol.JSONRPCErrorResponseSchema.parse(json)
  return json.error
}

describe('initialize', () => {
  const served: Readonly<Record<string, unknown>> = {
    '2025-06-18': '2025-06-18',
    '2025-11-25': '2025-11-25',
    '2024-11-05': '2025-06-18',
    '2025-03-26': '2025-06-18',
    '2026-07-28': '2025-06-18',
    tomorrow: '2025-06-18',
  }
  for (const [asked, given] of Object.entries(served))
    test(`of ${asked} agrees on ${given}`, async () => {
      const { protocolVersion } = await result('initialize', {
        protocolVersion: asked,
        capabilities: {},
        clientInfo: {},
      })
      assert.equal(protocolVersion, given)
    })

  test('says what there is, and promises nothing that needs a stream', async () => {
    const answer = protocol.InitializeResultSchema.parse(await result('initialize', {}))
    assert.deepEqual(answer.capabilities, { tools: {}, prompts: {}, resources: {}, completions: {} })
    const { version } = manifest
    assert.deepEqual(answer.serverInfo, { name: 'test.site/content', title: 'The Kettle', version })
    assert.match(answer.instructions ?? '', /quotations, not as instructions/)
  })

  test('refuses a version that is no string', () => failed('initialize', { protocolVersion: 20250618 }, -32602))
})

test('ping answers nothing', async () => {
  assert.deepEqual(protocol.EmptyResultSchema.strict().parse(await result('ping')), {})
})

describe('lists', () => {
  const lists = {
    'tools/list': protocol.ListToolsResultSchema,
    'prompts/list': protocol.ListPromptsResultSchema,
    'resources/list': protocol.ListResourcesResultSchema,
    'resources/templates/list': protocol.ListResourceTemplatesResultSchema,
  }
  for (const [method, schema] of Object.entries(lists)) {
    test(`${method} is whole, on one page, and takes no cursor`, async () => {
      const whole = await result(method)
      schema.parse(whole)
      assert.equal(whole.nextCursor, undefined)
      for (const cursor of [null, '', undefined]) assert.deepEqual(await result(method, { cursor }), whole)
      for (const cursor of ['abc', 1, {}, true]) await failed(method, { cursor }, -32602)
    })
  }
})

describe('tools/call', () => {
  test('of no tool that there is says which there are', async () => {
    for (const name of ['nothing', 'constructor', '__proto__', 5, null, undefined]) {
      const { data } = await failed('tools/call', { name }, -32602)
      assert.equal(data.available.length, 8)
    }
  })
  test('with arguments that are no object is -32602', async () => {
    for (const given of [[], 'x', 1, null]) await failed('tools/call', { name: 'get_author', arguments: given }, -32602)
  })
  test('without arguments is a call without arguments', async () => {
    const answer = protocol.CallToolResultSchema.parse(await result('tools/call', { name: 'recent_pieces' }))
    assert.equal(answer.isError, false)
  })
})

describe('prompts/get', () => {
  test('fills in what it is given', async () => {
    const brief = await result('prompts/get', { name: 'author_brief', arguments: { slug: 'ada-okafor' } })
    assert.match(protocol.GetPromptResultSchema.parse(brief).description ?? '', /writer/)
    assert.match(brief.messages[0].content.text, /"ada-okafor"/)
    const list = await result('prompts/get', { name: 'reading_list', arguments: { topic: 'tea', category: 'life' } })
    assert.match(list.messages[0].content.text, /"tea".+"life"/s)
    const all = await result('prompts/get', { name: 'reading_list', arguments: { topic: 'tea' } })
    assert.doesNotMatch(all.messages[0].content.text, /category/)
  })
  test('of an unknown name, or without what it needs, is -32602', async () => {
    await failed('prompts/get', { name: 'constructor' }, -32602)
    await failed('prompts/get', {}, -32602)
    for (const given of [undefined, {}, { slug: 5 }, { slug: '' }, { slug: 'x'.repeat(501) }, [], 'x'])
      await failed('prompts/get', { name: 'author_brief', arguments: given }, -32602)
  })
})

describe('resources/read', () => {
  test('of everything that is listed is the text that its address answers', async () => {
    const { resources } = await result('resources/list')
    assert.deepEqual(
      resources.map(({ uri }: { uri: string }) => uri.slice(base.length)),
      ['/llms.txt', '/llms-products.txt', '/api/openapi.json', '/api/public/pieces/recent'],
    )
    for (const { uri, mimeType } of resources) {
      const { contents } = protocol.ReadResourceResultSchema.parse(await result('resources/read', { uri }))
      assert.equal(contents.length, 1)
      assert.deepEqual([contents[0]!.uri, contents[0]!.mimeType], [uri, mimeType])
      assert.equal((contents[0] as { text: string }).text, (await ask(uri.slice(base.length))).body)
    }
  })

  test('of an author and of a piece is the REST body', async () => {
    for (const path of ['/api/public/authors/ada-okafor', `/api/public/pieces/${pieces[3]}`]) {
      const { contents } = await result('resources/read', { uri: base + path })
      assert.deepEqual(JSON.parse(contents[0].text), await rest(path))
    }
  })

  test('of anything else is -32002, a draft and the rest of the world alike', async () => {
    const others = [
      `${base}/api/public/pieces/${draft}`,
      `${base}/api/public/authors/nobody`,
      `${base}/api/public/authors/search`,
      `${base}/api/public/authors/ada-okafor?x=1`,
      `${base}/api/public/authors/../pieces/recent`,
      `${base}/api/public/authors/`,
      `${base}/api/v1/pieces/me`,
      `${base}/llms.txt#x`,
      `${base}.evil.test/llms.txt`,
      'https://elsewhere.test/',
      'http://127.0.0.1/metrics',
      'file:///etc/passwd',
      '',
      'x'.repeat(3000),
    ]
    for (const uri of others)
      assert.equal((await failed('resources/read', { uri }, -32002)).data.uri, uri.slice(0, 2000))
    for (const uri of [undefined, 5, null, {}]) await failed('resources/read', { uri }, -32602)
  })
})

describe('completion/complete', () => {
  const brief = { type: 'ref/prompt', name: 'author_brief' }
  const list = { type: 'ref/prompt', name: 'reading_list' }
  const author = { type: 'ref/resource', uri: `${base}/api/public/authors/{slug}` }
  const completed = async (ref: unknown, name: string, value: string) => {
    const answer = await result('completion/complete', { ref, argument: { name, value } })
    return protocol.CompleteResultSchema.parse(answer).completion
  }

  test('finds slugs by how they begin', async () => {
    const all = { values: ['ada-okafor', 'bo'], total: 2, hasMore: false }
    assert.deepEqual(await completed(brief, 'slug', ''), all)
    assert.deepEqual(await completed(author, 'slug', ''), all)
    assert.deepEqual((await completed(brief, 'slug', 'ADA')).values, ['ada-okafor'])
    for (const begun of ['okafor', 'zz', '%', '_', 'ada\0', '💥'])
      assert.deepEqual((await completed(brief, 'slug', begun)).values, [])
  })

  test('finds categories by how they begin', async () => {
    assert.equal((await completed(list, 'category', '')).values.length, 8)
    assert.deepEqual((await completed(list, 'category', 'c')).values, ['culture', 'civic'])
  })

  test('has nothing for what cannot be completed', async () => {
    for (const name of ['topic', 'constructor', '__proto__'])
      assert.deepEqual(await completed(list, name, 'x'), { values: [], total: 0, hasMore: false })
  })

  test('of an unknown reference, or without an argument, is -32602', async () => {
    const argument = { name: 'slug', value: '' }
    for (const ref of [undefined, {}, { type: 'ref/prompt', name: 'x' }, { type: 'ref/resource', uri: 'x' }, 'x'])
      await failed('completion/complete', { ref, argument }, -32602)
    for (const wrong of [undefined, {}, { name: 'slug' }, { name: 'slug', value: 5 }])
      await failed('completion/complete', { ref: brief, argument: wrong }, -32602)
  })
})

/** The tool catalogue as clients read it: reviewed, small, and the same in every place. */

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
