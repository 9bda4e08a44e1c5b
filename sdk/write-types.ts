import { readFileSync, writeFileSync } from 'node:fs'

/** `npm run sdk:types` writes the package's types from the released OpenAPI document. */

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
}
interface Content {
  readonly content?: { readonly 'application/json'?: { readonly schema: Schema } }
}
interface Operation {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}
type Shapes = Readonly<Record<string, Schema>>
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Shapes }
}

export const openapiFile = new URL('../docs/openapi.json', import.meta.url)
export const typesFile = new URL('source/types.generated.ts', import.meta.url)

/** The document's name for the error body is the name of a JavaScript class. */
const names: Readonly<Record<string, string>> = { Error: 'Failure' }

export function typesOf({ paths, components }: Description): string {
  const operations = Object.entries(paths)
    // MCP servers speak JSON-RPC and have their own clients.
    .filter(([path]) => /^\/api\/(public|v1)\/(?!mcp$)/.test(path))
    .flatMap(([path, byMethod]) => Object.entries(byMethod).map(([method, operation]) => ({ path, method, operation })))
  const shapes = reachable([operations, { $ref: '#/components/schemas/Error' }], components.schemas)
  const calls = operations.map(callOf)
  return [
    '// Written by `npm run sdk:types` from docs/openapi.json. Change the schemas of the server instead.\n',
    ...Object.entries(shapes).map(([name, schema]) => declared(names[name] ?? name, schema)),
    ...calls.flatMap(({ parts }) => parts),
    '/** Every call there is: what it takes, and what it answers. */',
    `export interface Calls {\n${calls.map(({ line }) => line).join('')}}\n`,
    '/** The parameters that each call takes, by name: types are not there to ask at run time. */',
    `export const parameters: Readonly<Record<keyof Calls, readonly string[]>> = {\n${calls.map(({ names }) => names).join('')}}\n`,
  ].join('\n')
}

interface Call {
  /** Types that are named after the call. */
  readonly parts: readonly string[]
  /** Its line in the table of calls. */
  readonly line: string
  /** Its line in the table of parameters. */
  readonly names: string
}

function callOf({ path, method, operation }: { path: string; method: string; operation: Operation }): Call {
  const { operationId, parameters = [], requestBody, responses } = operation
  const own = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const parts: string[] = []
  const named = (suffix: string, schema: Schema | undefined): string => {
    if (schema === undefined) return 'undefined'
    if (schema.$ref !== undefined) return nameOf(schema.$ref)
    parts.push(declared(own + suffix, schema))
    return own + suffix
  }
  const success = Object.entries(responses).find(([status]) => /^2\d\d$/.test(status))?.[1]
  const fields = [
    `query: ${named('Query', queryOf(parameters))}`,
    `body: ${named('Body', requestBody?.content?.['application/json']?.schema)}`,
    `answer: ${named('Answer', success?.content?.['application/json']?.schema)}`,
  ]
  const call = `  '${method.toUpperCase()} ${path}'`
  const asked = Object.keys(queryOf(parameters)?.properties ?? {}).map(literal)
  return { parts, line: `${call}: { ${fields.join('; ')} }\n`, names: `${call}: [${asked.join(', ')}],\n` }
}

function queryOf(parameters: NonNullable<Operation['parameters']>): Schema | undefined {
  const asked = parameters.filter((parameter) => parameter.in === 'query')
  if (asked.length === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(asked.map(({ name, schema, description }) => [name, { ...schema, description }])),
    required: asked.filter(({ required }) => required).map(({ name }) => name),
  }
}

/** The named schemas reachable from `from`, in the order of the document. */
function reachable(from: unknown, all: Shapes): Shapes {
  const seen = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const inner of Object.values(value)) visit(inner)
    const name = '$ref' in value ? String(value.$ref).split('/').at(-1)! : undefined
    if (name === undefined || seen.has(name)) return
    seen.add(name)
    visit(all[name])
  }
  visit(from)
  return Object.fromEntries(Object.entries(all).filter(([name]) => seen.has(name)))
}

function nameOf(ref: string): string {
  const name = ref.split('/').at(-1)!
  return names[name] ?? name
}

const declared = (name: string, schema: Schema): string =>
  `${comment(schema.description, '')}export interface ${name} ${membersOf(schema, '')}\n`

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.enum) return schema.enum.map(literal).join(' | ')
  if (schema.type === undefined) throw new Error(`a schema says nothing that becomes a type: ${JSON.stringify(schema)}`)
  return [schema.type]
    .flat()
    .map((type) => (type === 'object' ? membersOf(schema, indent) : simple(type, schema, indent)))
    .join(' | ')
}

function simple(type: string, { items }: Schema, indent: string): string {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'string' || type === 'boolean' || type === 'null') return type
  if (type === 'array' && items) {
    const one = typeOf(items, indent)
    return one.includes(' | ') && !one.startsWith('{') ? `readonly (${one})[]` : `readonly ${one}[]`
  }
  throw new Error(`a schema has the type ${type}, which nobody has met here`)
}

function membersOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?'
    return `${comment(schema.description, inner)}${inner}readonly ${name}${mark}: ${typeOf(schema, inner)}\n`
  })
  return `{\n${lines.join('')}${indent}}`
}

const literal = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : String(value))

const comment = (text: string | undefined, indent: string): string =>
  text === undefined ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`

if (import.meta.main) {
  writeFileSync(typesFile, typesOf(JSON.parse(readFileSync(openapiFile, 'utf8'))))
}
