import fastify from 'fastify'
import { identityOf } from '../../server/http/mcp/identity.ts'
import { toolRoutes } from '../../server/http/mcp/routes.ts'
import type { Catalogue } from '../../server/platform/mcp/catalogue.ts'
import { RpcFailure } from '../../server/platform/mcp/openapi.ts'
import type { Tool } from '../../server/platform/mcp/tool.ts'
import { urlsFor } from '../../server/platform/urls.ts'

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

/** Its address; closed by the caller. */
export async function serveFixture(): Promise<{ endpoint: string; close(): Promise<void> }> {
  const app = fastify({ bodyLimit: 65_536 })
  app.addSchema(RpcFailure)
  await app.register(toolRoutes, {
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
