import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { TSchema } from 'typebox'
import { cached } from '#platform/http/caching.ts'
import type { Urls } from '#platform/urls.ts'

export interface Description {
  readonly houseName: string
  readonly contact: string | undefined
  readonly urls: Urls
  /** The named shapes, which routes refer to. */
  readonly shapes: readonly TSchema[]
}

/** Collects every route registered after it into the OpenAPI document, from the very schemas that validate. */
export async function describeRoutes(
  app: FastifyInstance,
  { houseName, contact, urls, shapes }: Description,
): Promise<void> {
  for (const shape of shapes) app.addSchema(shape)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `${houseName} API`,
        version: '1.0.0',
        summary: 'Read everything that is public, without a key.',
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
      ],
      security: [],
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, index) => String(json['$id'] ?? `shape-${index}`) },
    transform: ({ schema, url }) => ({ schema: withoutMarks(schema), url }),
  })
}

/** Our own marks for the validator are nobody else's business. */
function withoutMarks<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(withoutMarks) as Value
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => key !== 'x-line')
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutMarks(inner)])) as Value
}

export const openapiRoutes: FastifyPluginAsync = async (app) => {
  const schema = { hide: true } as object
  app.addHook('onSend', cached('description'))

  let json: string | undefined
  app.get('/api/openapi.json', { schema }, async (_request, reply) => {
    json ??= JSON.stringify(app.swagger(), null, 2)
    reply.type('application/json; charset=utf-8')
    return json
  })

  let yaml: string | undefined
  app.get('/api/openapi.yaml', { schema }, async (_request, reply) => {
    yaml ??= app.swagger({ yaml: true })
    reply.type('application/yaml; charset=utf-8')
    return yaml
  })
}
