import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Description, openapiFile, typesFile, typesOf } from './write-types.ts'

const document: Description = JSON.parse(readFileSync(openapiFile, 'utf8'))

test('the types of the package are those of the released description', () => {
  assert.equal(readFileSync(typesFile, 'utf8'), typesOf(document), 'run npm run sdk:types')
})

const described200 = (schema: object) => ({ content: { 'application/json': { schema } } })
const small = (schema: object, shapes = {}) =>
  ({
    paths: {
      '/api/public/teas': {
        get: {
          operationId: 'listTeas',
          parameters: [
            { name: 'limit', in: 'query', required: false, description: 'How many.', schema: { type: 'integer' } },
            { name: 'q', in: 'query', required: true, schema: { type: 'string' } },
            { name: 'if-match', in: 'header', required: true, schema: { type: 'string' } },
          ],
          responses: { 200: described200(schema), 404: described200({ $ref: '#/components/schemas/Error' }) },
        },
      },
      '/api/mcp': { get: { operationId: 'tools', responses: { 200: described200({ anyOf: [] }) } } },
    },
    components: { schemas: { Error: { type: 'object' }, ...shapes } },
  }) as Description

test('a call takes its query and answers with what the description says, required or not, null or not', () => {
  const teas = { $ref: '#/components/schemas/Tea' }
  const properties = {
    teas: { type: 'array', items: teas, description: 'All of them.' },
    kind: { type: 'string', enum: ['green', 'black'] },
    price: { type: ['object', 'null'], required: ['amount'], properties: { amount: { type: 'number' } } },
  }
  const Tea = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean', enum: [true] } } }
  const Unasked = { type: 'object', properties: { nothing: {} } }
  const written = typesOf(small({ type: 'object', required: ['teas'], properties }, { Tea, Unasked }))
  assert.equal(
    written.slice(written.indexOf('export interface Failure')),
    `export interface Failure {
}

export interface Tea {
  readonly ok: true
}

export interface ListTeasQuery {
  /** How many. */
  readonly limit?: number
  readonly q: string
}

export interface ListTeasAnswer {
  /** All of them. */
  readonly teas: readonly Tea[]
  readonly kind?: 'green' | 'black'
  readonly price?: {
    readonly amount: number
  } | null
}

/** Every call there is: what it takes, and what it answers. */
export interface Calls {
  'GET /api/public/teas': { query: ListTeasQuery; body: undefined; answer: ListTeasAnswer }
}

/** The parameters that each call takes, by name: types are not there to ask at run time. */
export const parameters: Readonly<Record<keyof Calls, readonly string[]>> = {
  'GET /api/public/teas': ['limit', 'q'],
}
`,
  )
})

test('what has no type is rejected, not guessed', () => {
  const having = (schema: object) => () => typesOf(small({ type: 'object', properties: { tea: schema } }))
  assert.throws(having({ anyOf: [{ type: 'string' }] }), /says nothing that becomes a type/)
  assert.throws(having({ type: 'tuple' }), /the type tuple/)
})
