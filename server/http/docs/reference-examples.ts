import type { Calls } from '@standfirst/sdk'
import { type Call, jsonSchemaOf, nameOfRef, type OpenApiDocument, type Schema, typesOf } from './openapi-document.ts'

/** Examples of the API reference: values, requests with curl, and calls of the SDK. */

const byFormat: Readonly<Record<string, string>> = {
  uuid: '5f0c8f6e-3f5b-4b59-9d0a-0b7f3c1e2a44',
  'date-time': '2026-11-02T08:00:00.000Z',
  uri: 'https://standfirst.example',
}

/**
 * A value that is valid by the schema: its own example if it has one, or that of a field with the same name in another
 * object.
 */
export function exampleOf(document: OpenApiDocument, schema: Schema): unknown {
  if (schema.$ref !== undefined) return exampleOf(document, document.components.schemas[nameOfRef(schema.$ref)]!)
  const [given = schema.default ?? schema.enum?.[0]] = schema.examples ?? []
  if (given !== undefined) return given
  if (schema.anyOf) return exampleOf(document, schema.anyOf[0]!)
  const types = typesOf(schema)
  if (types.includes('object')) return exampleObject(document, schema)
  if (types.includes('array')) return schema.items ? [exampleOf(document, schema.items)] : []
  if (types.includes('integer') || types.includes('number')) return 1
  if (types.includes('null')) return null
  return types.includes('boolean') ? false : (byFormat[schema.format ?? ''] ?? '…')
}

/** The fields that are required, or the first two where none is. */
function exampleObject(document: OpenApiDocument, { properties = {}, required = [] }: Schema): object {
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 2)
  return Object.fromEntries(names.map((name) => [name, exampleField(document, name, properties[name]!)]))
}

function exampleField(document: OpenApiDocument, name: string, schema: Schema): unknown {
  const isPlain = typesOf(schema)[0] === 'string' && !schema.enum && !schema.examples
  const known = isPlain ? wordsByField(document).get(name) : undefined
  return known ?? exampleOf(document, schema)
}

const knownWords = new WeakMap<OpenApiDocument, ReadonlyMap<string, string>>()

/** Texts of the objects' examples, by the name of their field. */
function wordsByField(document: OpenApiDocument): ReadonlyMap<string, string> {
  const known = knownWords.get(document)
  if (known) return known
  const examples = Object.values(document.components.schemas).flatMap(({ examples = [] }) => examples.slice(0, 1))
  const words = new Map(
    examples.flatMap((example) => Object.entries(example as object)).filter(([, value]) => typeof value === 'string'),
  )
  knownWords.set(document, words)
  return words
}

export const exampleBody = (document: OpenApiDocument, call: Call): unknown => {
  const schema = jsonSchemaOf(call.requestBody)
  return schema && exampleOf(document, schema)
}

/** The path with example values, and the query parameters that are required. */
export function exampleAddress(document: OpenApiDocument, { path, parameters = [] }: Call): string {
  const exampleFor = (name: string): string => {
    const parameter = parameters.find((one) => one.name === name)
    return String(parameter?.example ?? (parameter ? exampleOf(document, parameter.schema) : name))
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(exampleFor(name)))
  const query = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }): [string, string] => [name, exampleFor(name)])
  return query.length === 0 ? filled : `${filled}?${new URLSearchParams(query)}`
}

export function curlOf(document: OpenApiDocument, call: Call): string {
  const { method, parameters = [], security = [] } = call
  const body = exampleBody(document, call)
  const isRead = method === 'GET'
  const words = [
    `curl ${isRead || body !== undefined ? '' : `-X ${method} `}${quoted(`${document.servers[0]?.url ?? ''}${exampleAddress(document, call)}`)}`,
    ...(body !== undefined && method !== 'POST' ? [`-X ${method}`] : []),
    ...(security.length > 0 ? ['-H "Authorization: Bearer $KEY"'] : []),
    ...parameters
      .filter((one) => one.in === 'header')
      .map(({ name, example, schema }) => `-H ${quoted(`${name}: ${example ?? exampleOf(document, schema)}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body))}`]),
  ]
  return words.join(' \\\n  ')
}

/** For a POSIX shell, where nothing is special between single quotes but themselves. */
const quoted = (text: string): string => (/^[\w:/.=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const id = byFormat['uuid']

/** What each call is in our SDK, for those it has: the type knows no others. */
const sdkCalls: Partial<Record<keyof Calls, string>> = {
  'GET /api/public/authors/search': `await site.authors.search('garden').take(10)`,
  'GET /api/public/authors/{slug}': `await site.authors.get('ada-okafor')`,
  'GET /api/public/pieces/recent': `await site.pieces.recent({ category: 'life' }).take(10)`,
  'GET /api/public/pieces/trending': `await site.pieces.trending({ window: '7d' }).take(10)`,
  'GET /api/public/pieces/search': `await site.pieces.search('slow tea').take(10)`,
  'GET /api/public/pieces/{id}': `await site.pieces.get('${id}')`,
  'GET /api/public/products/search': `await site.products.search('tea').take(10)`,
  'GET /api/public/products/{id}': `await site.products.get('8c1d5a0e-7c0b-4c59-8f35-2f6f6c1f9d10')`,
  'POST /api/v1/pieces': `await site.drafts.create({ headline: 'On tea', body_md: 'Four minutes is not long.' })`,
  'GET /api/v1/pieces/me': `await site.drafts.list({ status: 'draft' }).take(10)`,
  'GET /api/v1/pieces/{id}': `await site.drafts.get('${id}')`,
  'PATCH /api/v1/pieces/{id}': `const draft = await site.drafts.get('${id}')
await site.drafts.update(draft, { sub: 'It is long enough.' })`,
  'DELETE /api/v1/pieces/{id}': `const draft = await site.drafts.get('${id}')
await site.drafts.delete(draft)`,
}

export function sdkCallOf({ servers }: OpenApiDocument, { method, path, security = [] }: Call): string | undefined {
  const call = sdkCalls[`${method} ${path}` as keyof Calls]
  if (call === undefined) return undefined
  const key = security.length > 0 ? ", key: 'pk_live_…'" : ''
  return `import { standfirst } from '@standfirst/sdk'

const site = standfirst({ base: '${servers[0]?.url ?? ''}'${key} })
${call}`
}
