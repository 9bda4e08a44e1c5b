import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import fastify from 'fastify'
import { urlsFor } from '../../server/features/urls.ts'
import { identityOf } from '../../server/http/mcp/discovery.ts'
import { mcpRoutes } from '../../server/http/mcp/routes.ts'
import type { Catalogue } from '../../server/platform/mcp/catalogue.ts'
import { RpcFailure } from '../../server/platform/mcp/openapi.ts'
import type { Tool } from '../../server/platform/mcp/tool.ts'
import { furnish, listening } from './site.ts'

/** The shipped dispatcher with the tools, prompts and resources that the conformance suite asks for by name. */

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='
const text = (words: string) => ({ type: 'text', text: words })
const image = { type: 'image', data: pixel, mimeType: 'image/png' }
const embedded = (uri: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType: 'text/plain', text: words },
})

const tool = (name: string, content: readonly object[], isError = false): Tool => ({
  definition: {
    name,
    title: name,
    description: `Answers what the suite expects of ${name}.`,
    inputSchema: { type: 'object', properties: {} },
  },
  call: async () => JSON.stringify({ content, isError }),
})

const said = (content: object) => ({ role: 'user', content })
const needed = (...names: string[]) => names.map((name) => ({ name, description: name, required: true }))

const catalogue: Catalogue = {
  tools: [
    tool('test_simple_text', [text('This is a simple text response for testing.')]),
    tool('test_image_content', [image]),
    tool('test_audio_content', [{ type: 'audio', data: silence, mimeType: 'audio/wav' }]),
    tool('test_embedded_resource', [embedded('test://embedded-resource', 'This is an embedded resource content.')]),
    tool('test_multiple_content_types', [
      text('Multiple content types test:'),
      image,
      embedded('test://mixed-content-resource', '{"test":"data","value":123}'),
    ]),
    tool('test_error_handling', [text('This tool intentionally returns an error for testing')], true),
  ],
  prompts: [
    {
      definition: { name: 'test_simple_prompt', description: 'Simple.' },
      completes: {},
      messages: () => [said(text('This is a simple prompt for testing.'))],
    },
    {
      definition: {
        name: 'test_prompt_with_arguments',
        description: 'With arguments.',
        arguments: needed('arg1', 'arg2'),
      },
      completes: { arg1: async (begun) => ({ values: [`${begun}ris`], total: 1, hasMore: false }) },
      messages: ({ arg1, arg2 }) => [said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
    },
    {
      definition: {
        name: 'test_prompt_with_embedded_resource',
        description: 'With a resource.',
        arguments: needed('resourceUri'),
      },
      completes: {},
      messages: ({ resourceUri = '' }) => [
        said(embedded(resourceUri, 'Embedded resource content for testing.')),
        said(text('Please process the embedded resource above.')),
      ],
    },
    {
      definition: { name: 'test_prompt_with_image', description: 'With an image.' },
      completes: {},
      messages: () => [said(image), said(text('Please analyze the image above.'))],
    },
  ],
  resources: [
    {
      definition: { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
      read: async () => ({
        uri: 'test://static-text',
        mimeType: 'text/plain',
        text: 'This is the content of the static text resource.',
      }),
    },
    {
      definition: { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
      read: async () => ({ uri: 'test://static-binary', mimeType: 'image/png', blob: pixel }),
    },
  ],
  templates: [
    {
      definition: { uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' },
      completes: {},
      read(uri) {
        const id = /^test:\/\/template\/(\w+)\/data$/.exec(uri)?.[1]
        if (!id) return undefined
        const data = { id, templateTest: true, data: `Data for ID: ${id}` }
        return Promise.resolve({ uri, mimeType: 'application/json', text: JSON.stringify(data) })
      },
    },
  ],
}

/** Returns its address; the caller closes it. */
async function serveFixture(): Promise<{ endpoint: string; close(): Promise<void> }> {
  const app = fastify({ bodyLimit: 65_536 })
  app.addSchema(RpcFailure)
  await app.register(mcpRoutes, {
    identity: identityOf('Fixture', urlsFor('http://127.0.0.1')),
    catalogue,
    reads: undefined as never,
    gate: () => [],
    allowedHosts: [],
    spend: async () => 0,
    onPartial: () => {},
    onOutcome: () => {},
  })
  const at = await app.listen({ host: '127.0.0.1', port: 0 })
  return { endpoint: `${at}/api/mcp`, close: () => app.close() }
}

/** MCP's conformance suites, against the server as shipped and against the dispatcher with the suites' catalogue. */

const { url } = await furnish()
const shipped = (await listening(url)).endpoint
const fixture = await serveFixture()
const folder = await mkdtemp(join(tmpdir(), 'standfirst-conformance-'))
after(async () => {
  await fixture.close()
  await rm(folder, { recursive: true })
})

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const suites = { stable: 'mcp-conformance', next: 'mcp-conformance-next' } as const

/** Returns the output. The run exits with 0 only if exactly the baseline's checks failed. */
function conform(suite: keyof typeof suites, address: string, baseline: string, more: readonly string[] = []) {
  const program = here(`../../node_modules/${suites[suite]}/dist/index.js`)
  const given = [program, 'server', '--url', address, '--expected-failures', here(baseline), ...more]
  return new Promise<{ code: number; printed: string }>((resolve) => {
    execFile(process.execPath, given, { cwd: folder, timeout: 240_000 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? 1) : 0, printed: stdout + stderr }),
    )
  })
}

const passed = (printed: string): string[] =>
  [...printed.matchAll(/^✓ ([\w-]+): \d+ passed, 0 failed/gm)].map(([, name = '']) => name)

describe('conformance', { concurrency: 3 }, () => {
  test('0.1.16: the site passes all that needs no fixture', async () => {
    const { code, printed } = await conform('stable', shipped, 'baseline-prod.yml')
    assert.equal(code, 0, printed.slice(-3000))
    assert.equal(passed(printed).length, 7)
  })

  test('0.1.16: the dispatcher with the fixture passes 21 of 30', async () => {
    const { code, printed } = await conform('stable', fixture.endpoint, 'baseline-fixture.yml')
    assert.equal(code, 0, printed.slice(-3000))
    assert.equal(passed(printed).length, 21)
  })

  test('0.2.0: the requirements of 2025-11-25, every message held against its schema', async () => {
    const { code, printed } = await conform('next', shipped, 'baseline-prod.yml', ['--requirements', '2025-11-25'])
    assert.equal(code, 0, printed.slice(-3000))
  })

  test('0.2.0: the requirements of 2026-07-28', async () => {
    const { code, printed } = await conform('next', shipped, 'baseline-2026.yml', ['--requirements', '2026-07-28'])
    assert.equal(code, 0, printed.slice(-3000))
    for (const scenario of ['tools-list', 'caching', 'http-header-validation', 'sep-2164-resource-not-found'])
      assert.ok(passed(printed).includes(scenario), scenario)
    assert.match(printed, /server-stateless: 24 passed, 4 failed/)
  })

  test('a baseline that expects too much to fail is noticed', async () => {
    const { code } = await conform('stable', fixture.endpoint, 'baseline-prod.yml')
    assert.equal(code, 1)
  })
})
