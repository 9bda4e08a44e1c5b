import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { type FieldProblem, invalid } from '../errors.ts'
import { normaliseLine } from '../text/normalise.ts'

interface Property {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
  readonly 'x-line'?: boolean
}
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Property>>
}

const ajv = new Ajv({ allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true })
addFormats.default(ajv)
ajv.addVocabulary(['x-line', 'example'])

/** The one validator of every door: no silent coercion, every problem at once, in words that say what to do. */
export const validatorCompiler: FastifySchemaCompiler<ObjectSchema> = ({ schema, httpPart }) => {
  const validate = ajv.compile(schema)
  const read = httpPart === 'querystring' ? (data: unknown) => readQuery(schema, data) : (data: unknown) => data
  return (data: unknown) => {
    const value = read(data)
    if (validate(value)) return { value }
    return { error: invalid((validate.errors ?? []).filter(isFirstWord).map(problem)) }
  }
}

/** A query is text. Whole numbers are read from plain digits only (not 1e1, 0x10 or +5), lines are normalised. */
function readQuery({ properties = {} }: ObjectSchema, data: unknown): Record<string, unknown> {
  const query: Record<string, unknown> = { ...(data as Record<string, unknown>) }
  for (const [name, property] of Object.entries(properties)) {
    const value = query[name]
    if (typeof value !== 'string') continue
    if (property.type === 'integer' && /^-?[0-9]{1,20}$/.test(value)) query[name] = Number(value)
    else if (property['x-line']) query[name] = normaliseLine(value)
  }
  return query
}

function problem(error: ErrorObject): FieldProblem {
  const property = (error.parentSchema ?? {}) as Property
  const pointer = error.keyword === 'required' ? `/${error.params['missingProperty']}` : error.instancePath || '/'
  const length = typeof error.data === 'string' ? [...error.data].length : undefined
  switch (error.keyword) {
    case 'required':
      return { pointer, code: 'missing', detail: 'is required' }
    case 'type':
      if (Array.isArray(error.data)) return { pointer, code: 'repeated', detail: `must be given once${once(property)}` }
      return property.type === 'integer'
        ? { pointer, code: 'not_integer', detail: `must be a whole number from ${range(property)}` }
        : { pointer, code: 'wrong_type', detail: `must be of type ${error.params['type']}` }
    case 'minimum':
    case 'maximum':
      return {
        pointer,
        code: 'out_of_range',
        detail: `must be a whole number from ${range(property)}`,
        limit: error.params['limit'],
        actual: error.data as number,
      }
    case 'enum':
      return { pointer, code: 'unknown_value', detail: `must be one of ${property.enum?.join(', ')}` }
    case 'pattern':
      return { pointer, code: 'malformed', detail: 'is not of the expected form' }
    case 'maxLength':
      return {
        pointer,
        code: 'too_long',
        detail: `must have at most ${error.params['limit']} characters`,
        limit: error.params['limit'],
        ...(length === undefined ? {} : { actual: length }),
      }
    case 'minLength':
      return {
        pointer,
        code: 'empty',
        detail: 'needs at least one visible character',
        limit: error.params['limit'],
        actual: length ?? 0,
      }
    default:
      return { pointer, code: 'malformed', detail: error.message ?? 'is not of the expected form' }
  }
}

/** A repeated parameter is not one of the values either; saying it once is enough. */
const isFirstWord = ({ keyword, data }: ErrorObject): boolean => !(keyword === 'enum' && Array.isArray(data))

const once = (property: Property): string =>
  property.type === 'integer' ? `, a whole number from ${range(property)}` : ''

const range = ({ minimum, maximum }: Property): string => `${minimum} to ${maximum}`
