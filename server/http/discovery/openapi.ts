import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { TSchema } from 'typebox'
import type { Urls } from '#features/urls.ts'
import { cached } from '#platform/http/caching.ts'
import { ownMarks } from '#platform/http/validation.ts'

export interface Description {
  readonly siteName: string
  readonly contact: string | undefined
  readonly urls: Urls
  /** The named schemas that routes refer to. */
  readonly shapes: readonly TSchema[]
}

/** Collects every route registered after it into the OpenAPI document, from the schemas that validate requests. */
export async function describeRoutes(
  app: FastifyInstance,
  { siteName, contact, urls, shapes }: Description,
): Promise<void> {
  const names = new Set(shapes.map((shape) => (shape as { $id?: string }).$id))
  for (const shape of shapes) app.addSchema(publicSchema(shape, new Set()))
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${siteName} API`,
        version: '1.0.0',
        summary: 'Read everything that is public, without a key; draft with one.',
        description:
          'Every answer is JSON with `ok`. Public reads need no key, are open to other origins, carry a strong `ETag` and may be cached. ' +
          'Lists are paged by `cursor`. Fields are only ever added; ignore those you do not know.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: contact ? { email: contact } : { url: urls.base },
      },
      servers: [{ url: urls.base }],
      tags: [
        { name: 'Authors', description: 'Who writes here.' },
        { name: 'Pieces', description: 'What they published.' },
        { name: 'Products', description: 'What they sell in the shop.' },
        { name: 'Tools', description: 'The same for AI clients, by the Model Context Protocol.' },
        {
          name: 'Drafts',
          description:
            "A writer's own drafts, with a key. No call makes anything public: the writer does, at the desk.",
        },
      ],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'pk_live_ and 64 hexadecimal digits',
            description: 'Minted at /desk/edit/online-presence, shown once. Secret: for servers, never for a web page.',
          },
        },
      },
      security: [],
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `shape-${index}`) },
    transform: ({ schema, url }) => ({ schema: publicSchema(schema, names), url }),
  })
}

/** Returns the schema for the document: without our validator keywords, and named schemas as references. */
function publicSchema<Value>(value: Value, names: ReadonlySet<string | undefined>): Value {
  if (Array.isArray(value)) return value.map((one) => publicSchema(one, names)) as Value
  if (typeof value !== 'object' || value === null) return value
  const { $id, description } = value as { $id?: string; description?: string }
  if ($id !== undefined && names.has($id)) return { $ref: $id, ...(description ? { description } : {}) } as Value
  const entries = Object.entries(value).filter(([key]) => !ownMarks.includes(key))
  return Object.fromEntries(entries.map(([key, inner]) => [key, publicSchema(inner, names)])) as Value
}

/** Buffers, since the document is large and the same for everyone: encoded once instead of per response. */
export interface ApiDescription {
  readonly json: Buffer
  readonly yaml: Buffer
}

export const openapiRoutes: FastifyPluginAsync<{ description: () => Promise<ApiDescription> }> = async (
  app,
  { description },
) => {
  const schema = { hide: true } as object
  app.addHook('onSend', cached('description'))

  app.get('/api/openapi.json', { schema }, async (_request, reply) => {
    reply.type('application/json; charset=utf-8')
    return (await description()).json
  })

  app.get('/api/openapi.yaml', { schema }, async (_request, reply) => {
    reply.type('application/yaml; charset=utf-8')
    return (await description()).yaml
  })
}
