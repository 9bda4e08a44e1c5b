import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { until } from './waiting.ts'

/** The part of an OpenAPI document that says what may be answered. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: Readonly<Record<string, unknown>> & { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}
export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly unknown[]
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, object>> }>>
}

export interface Request {
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload?: string | Buffer
  readonly remoteAddress?: string
}
export interface Answer {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: as Fastify has it, so that a test need not name what it only looks into
  json<Body = any>(): Body
}
export type Inject = (request: Request | string) => Promise<Answer>

/** `app.inject` that validates every answer of a documented address against the app's OpenAPI document. */
export function checkedInject(app: { inject: Inject }): Inject {
  let contract: Promise<Contract> | undefined
  return async (request) => {
    contract ??= readContract(app)
    const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
    const answer = await injectRetrying503(app, request)
    ;(await contract).check(method, url, answer)
    return answer
  }
}

/** Retries 503: on a machine busy with other tests the server may refuse for a moment. */
export function injectRetrying503(app: { inject: Inject }, request: Request | string): Promise<Answer> {
  const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
  return until(
    async () => {
      const answer = await app.inject(request)
      return answer.statusCode !== 503 && answer
    },
    `${method} ${shortened(url)} is answered by anything but 503`,
  )
}

export async function readContract(app: { inject: Inject }): Promise<Contract> {
  return new Contract((await app.inject('/api/openapi.json')).json<OpenApiDocument>())
}

const documentKey = 'openapi'

class Contract {
  readonly #document: OpenApiDocument
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true })
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #paths: readonly { readonly path: string; readonly shape: RegExp }[]

  constructor(document: OpenApiDocument) {
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(closed(document), documentKey)
    this.#document = document
    // Addresses without a parameter first: /authors/search is not the author "search".
    this.#paths = Object.keys(document.paths)
      .sort((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((path) => ({ path, shape: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`) }))
  }

  check(method: string, url: string, answer: Answer): void {
    const address = url.replace(/^https?:\/\/[^/]+/, '').split('?')[0]!
    const path = this.#paths.find(({ shape }) => shape.test(address))?.path
    const verb = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
    const operation = path === undefined ? undefined : this.#document.paths[path]![verb]
    if (path === undefined || !operation) return

    const what = `${method} ${shortened(url)} answered ${answer.statusCode}`
    const status = documentedStatus(operation, answer.statusCode)
    assert.ok(status, `${what}, which ${operation.operationId} does not document`)
    const { content = {} } = operation.responses[status]!
    const bodiless = method.toLowerCase() === 'head' || Object.keys(content).length === 0
    if (bodiless) {
      assert.equal(answer.body, '', `${what} with a body`)
      return
    }
    const type = String(answer.headers['content-type']).split(';')[0]!
    assert.ok(content[type], `${what} as ${type}, which ${operation.operationId} does not document`)
    const validate = this.#validator(
      `/paths/${escaped(path)}/${verb}/responses/${status}/content/${escaped(type)}/schema`,
    )
    const sent = type === 'application/json' ? answer.json() : answer.body
    assert.ok(validate(sent), `${what} with a body that is not as documented: ${problems(validate)}`)
  }

  #validator(pointer: string): ValidateFunction {
    const known = this.#validators.get(pointer) ?? this.#ajv.compile({ $ref: `${documentKey}#${pointer}` })
    this.#validators.set(pointer, known)
    return known
  }
}

/** By its number, by its class (`4XX`), or by `default`, as OpenAPI ranks them. */
function documentedStatus({ responses }: Operation, status: number): string | undefined {
  return [String(status), `${String(status)[0]}XX`, 'default'].find((key) => responses[key])
}

/** Every object takes only the members it names: the document may promise no less than what is sent. */
function closed<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(closed) as Value
  if (typeof value !== 'object' || value === null) return value
  const copy: Record<string, unknown> = {}
  for (const [key, inner] of Object.entries(value)) copy[key] = closed(inner)
  const isShape = copy['type'] === 'object' && typeof copy['properties'] === 'object'
  return (isShape ? { additionalProperties: false, ...copy } : copy) as Value
}

const escaped = (part: string): string => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

const shortened = (url: string): string => (url.length > 120 ? `${url.slice(0, 120)}…` : url)

const problems = ({ errors }: ValidateFunction): string =>
  (errors ?? [])
    .map((error) => `${error.instancePath || '/'} ${error.message} ${JSON.stringify(error.params)}`)
    .join('; ')

/** The differences between two OpenAPI documents that could break a client of the first. */

type Schema = Readonly<Record<string, unknown>>
interface ComparedOperation {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required?: boolean
    readonly schema?: Schema
  }[]
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >
}
interface ComparedDocument {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, ComparedOperation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> }
}

export function breakingDifferences(before: ComparedDocument, after: ComparedDocument): string[] {
  const problems: string[] = []
  for (const [path, operations] of Object.entries(before.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      const where = `${method.toUpperCase()} ${path}`
      const now = after.paths?.[path]?.[method]
      if (now) problems.push(...parameters(where, operation, now), ...answers(where, operation, now, before, after))
      else problems.push(`${where} is gone`)
    }
  }
  return problems
}

function parameters(where: string, before: ComparedOperation, after: ComparedOperation): string[] {
  const problems: string[] = []
  for (const one of after.parameters ?? []) {
    const known = before.parameters?.find(({ name, in: place }) => name === one.name && place === one.in)
    if (one.required && !known?.required) problems.push(`${where}: ${one.name} has become required`)
    if (known) problems.push(...narrowed(`${where}: ${one.name}`, known.schema ?? {}, one.schema ?? {}))
  }
  for (const { name, in: place } of before.parameters ?? []) {
    const kept = after.parameters?.some((one) => one.name === name && one.in === place)
    if (!kept) problems.push(`${where}: ${name} is no longer taken`)
  }
  return problems
}

/** What a caller may send must not shrink. */
function narrowed(where: string, before: Schema, after: Schema): string[] {
  const problems: string[] = []
  const tighter = (key: string, isTighter: (was: number, is: number) => boolean) => {
    const [was, is] = [before[key] as number | undefined, after[key] as number | undefined]
    if (is !== undefined && (was === undefined || isTighter(was, is))) problems.push(`${where}: ${key} is now ${is}`)
  }
  tighter('minimum', (was, is) => is > was)
  tighter('maximum', (was, is) => is < was)
  tighter('minLength', (was, is) => is > was)
  tighter('maxLength', (was, is) => is < was)
  if (before['type'] !== after['type']) problems.push(`${where}: its type has changed`)
  if (before['default'] !== after['default']) problems.push(`${where}: its default has changed`)
  if ('pattern' in after && before['pattern'] !== after['pattern']) problems.push(`${where}: its pattern has changed`)
  if (Array.isArray(after['enum'])) {
    const values = after['enum'] as unknown[]
    const lost = ((before['enum'] as unknown[] | undefined) ?? ['any value']).filter((value) => !values.includes(value))
    if (lost.length > 0) problems.push(`${where}: ${lost.join(', ')} is no longer taken`)
  }
  return problems
}

function answers(
  where: string,
  before: ComparedOperation,
  after: ComparedOperation,
  old: ComparedDocument,
  now: ComparedDocument,
): string[] {
  const [was, is] = [before.responses?.['200'], after.responses?.['200']]
  if (was && !is) return [`${where}: 200 is gone`]
  return Object.entries(was?.content ?? {}).flatMap(([type, { schema }]) => {
    const current = is?.content?.[type]?.schema
    return current ? lost(`${where} answers`, schema ?? {}, current, old, now) : [`${where}: ${type} is gone`]
  })
}

/** What a caller may rely on in an answer must not go, nor change its type. */
function lost(where: string, before: Schema, after: Schema, old: ComparedDocument, now: ComparedDocument): string[] {
  const [was, is] = [resolved(before, old), resolved(after, now)]
  const problems: string[] = []
  if (JSON.stringify(was['type']) !== JSON.stringify(is['type'])) problems.push(`${where}: its type has changed`)
  const required = (is['required'] as string[] | undefined) ?? []
  for (const name of (was['required'] as string[] | undefined) ?? []) {
    if (!required.includes(name)) problems.push(`${where}.${name}: is no longer always there`)
  }
  const properties = (is['properties'] as Record<string, Schema> | undefined) ?? {}
  for (const [name, schema] of Object.entries((was['properties'] as Record<string, Schema> | undefined) ?? {})) {
    const current = properties[name]
    problems.push(...(current ? lost(`${where}.${name}`, schema, current, old, now) : [`${where}.${name}: is gone`]))
  }
  if (was['items'] && is['items'])
    problems.push(...lost(`${where}[]`, was['items'] as Schema, is['items'] as Schema, old, now))
  return problems
}

function resolved(schema: Schema, { components }: ComparedDocument): Schema {
  const reference = schema['$ref']
  if (typeof reference !== 'string') return schema
  return components?.schemas?.[reference.split('/').at(-1)!] ?? {}
}
