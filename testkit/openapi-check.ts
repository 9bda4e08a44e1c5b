import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { until } from './until.ts'

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
export type Ask = (request: Request | string) => Promise<Answer>

/** `app.inject` that holds every answer of a documented address against the app's own OpenAPI document. */
export function checked(app: { inject: Ask }): Ask {
  let contract: Promise<Contract> | undefined
  return async (request) => {
    contract ??= readContract(app)
    const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
    const answer = await unhurried(app, request)
    ;(await contract).check(method, url, answer)
    return answer
  }
}

/** A machine busy with other tests may make the server refuse for a moment; it says so, and is asked again. */
export function unhurried(app: { inject: Ask }, request: Request | string): Promise<Answer> {
  const { method = 'GET', url } = typeof request === 'string' ? { url: request } : request
  return until(
    async () => {
      const answer = await app.inject(request)
      return answer.statusCode !== 503 && answer
    },
    `${method} ${shortened(url)} is answered by anything but 503`,
  )
}

export async function readContract(app: { inject: Ask }): Promise<Contract> {
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

    const told = `${method} ${shortened(url)} answered ${answer.statusCode}`
    const status = documentedStatus(operation, answer.statusCode)
    assert.ok(status, `${told}, which ${operation.operationId} does not document`)
    const { content = {} } = operation.responses[status]!
    const bodiless = method.toLowerCase() === 'head' || Object.keys(content).length === 0
    if (bodiless) {
      assert.equal(answer.body, '', `${told} with a body`)
      return
    }
    const type = String(answer.headers['content-type']).split(';')[0]!
    assert.ok(content[type], `${told} as ${type}, which ${operation.operationId} does not document`)
    const validate = this.#validator(
      `/paths/${escaped(path)}/${verb}/responses/${status}/content/${escaped(type)}/schema`,
    )
    const sent = type === 'application/json' ? answer.json() : answer.body
    assert.ok(validate(sent), `${told} with a body that is not as documented: ${problems(validate)}`)
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
