import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { type FieldProblem, invalid, type ServiceError } from '../errors.ts'
import { lengthOf } from '../text/length.ts'
import { firstControl, hasVisible, normaliseLine } from '../text/normalise.ts'
import { webAddress } from '../text/web-address.ts'
import { unknownFields } from './unknown-fields.ts'

interface Property {
  readonly type?: string | readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly enum?: readonly string[]
  readonly 'x-line'?: boolean
  readonly 'x-web-address'?: true | 'https'
}
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

const ajv = new Ajv({ allErrors: true, coerceTypes: false, removeAdditional: false, useDefaults: false, verbose: true })
addFormats.default(ajv)
const isUri = ajv.formats['uri'] as (text: string) => boolean
/** No address is longer than our addresses are; the pattern takes 100 ms for 1.3 MB. */
const longestUri = 8192
ajv.addFormat('uri', (text: string) => text.length <= longestUri && isUri(text))
ajv.addVocabulary(['x-line', 'example'])
/** Our own words about text, checked with the rest so that every problem is reported at once. */
ajv.addKeyword({
  keyword: 'x-visible',
  type: 'string',
  // What is much too long is refused for that alone: to look through 1.3 MB for a letter takes 30 ms.
  compile: (_: true, schema) => {
    const { maxLength = Number.POSITIVE_INFINITY } = schema as Property
    return (text: string) => text.length > 2 * maxLength || hasVisible(text)
  },
})
ajv.addKeyword({
  keyword: 'x-printable',
  type: 'string',
  validate: (_: true, text: string) => firstControl(text) === undefined,
})
ajv.addKeyword({
  keyword: 'x-web-address',
  type: 'string',
  validate: (kind: true | 'https', text: string) =>
    kind === 'https' ? (webAddress(text)?.startsWith('https://') ?? false) : webAddress(text) !== undefined,
})
const currencies = new Set(Intl.supportedValuesOf('currency'))
ajv.addKeyword({
  keyword: 'x-currency',
  type: 'string',
  validate: (_: true, text: string) => currencies.has(text),
})

/** Marks for this validator alone; the OpenAPI document does without them. */
export const ownMarks: readonly string[] = ['x-line', 'x-visible', 'x-printable', 'x-web-address', 'x-currency']

/** The one validator of every door: no silent coercion, every problem at once, in words that say what to do. */
export const validatorCompiler: FastifySchemaCompiler<ObjectSchema> = ({ schema, httpPart }) => {
  const isQuery = httpPart === 'querystring'
  const read = isQuery ? (data: unknown) => readQuery(schema, data) : (data: unknown) => data
  // A header that is missing is for the route to speak of: it has a status of its own for that.
  const described = httpPart === 'headers' ? { ...schema, required: [] } : schema
  return validating(described, read, isQuery, httpPart === 'body' ? (data) => unknownFields(schema, data) : undefined)
}

/** The same for arguments that are JSON already: lines are normalised, and no number is read from text. */
export const argumentValidator = (schema: ObjectSchema) => validating(schema, (data) => readLines(schema, data), false)

type Verdict<Value> = { readonly value: Value; readonly error?: never } | { readonly error: ServiceError }

function validating<Value>(
  schema: ObjectSchema,
  read: (data: unknown) => Value,
  isQuery: boolean,
  alsoWrong: (data: unknown) => readonly FieldProblem[] = () => [],
) {
  let validate: ReturnType<typeof ajv.compile> | undefined
  return (data: unknown): Verdict<Value> => {
    const value = read(data)
    // With the first request: a process that starts has three hundred of these, and needs none yet.
    validate ??= ajv.compile(schema)
    if (validate(value)) return { value }
    const problems = (validate.errors ?? []).filter(isFirstWord).slice(0, mostExplained)
    const explained = problems.map((error) => problem(error, isQuery)).filter(isNews)
    return { error: invalid([...explained, ...alsoWrong(data)]) }
  }
}

/** Words are made for no more than these: far fewer are reported, and a body may have thousands of problems. */
const mostExplained = 100

function readLines({ properties = {} }: ObjectSchema, data: unknown): Record<string, unknown> {
  const read: Record<string, unknown> = { ...(data as Record<string, unknown>) }
  for (const [name, property] of Object.entries(properties)) {
    const value = read[name]
    if (property['x-line'] && typeof value === 'string') read[name] = normaliseLine(value)
  }
  return read
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

function problem(error: ErrorObject, isQuery: boolean): FieldProblem {
  const property = (error.parentSchema ?? {}) as Property
  const pointer =
    error.keyword === 'required'
      ? `${error.instancePath}/${error.params['missingProperty']}`
      : error.instancePath || '/'
  const isAddress = error.keyword === 'format' && property['x-web-address']
  switch (isAddress ? 'x-web-address' : error.keyword) {
    case 'required':
      return { pointer, code: 'missing', detail: 'is required' }
    case 'type':
      if (isQuery && Array.isArray(error.data))
        return { pointer, code: 'repeated', detail: `must be given once${once(property)}` }
      return property.type === 'integer'
        ? { pointer, code: 'not_integer', detail: `must be a whole number from ${range(property)}` }
        : { pointer, code: 'wrong_type', detail: `must be of type ${[error.params['type']].flat().join(' or ')}` }
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
        actual: lengthOf(error.data as string),
      }
    case 'maxItems':
      return {
        pointer,
        code: 'too_many',
        detail: `must have at most ${error.params['limit']} entries`,
        limit: error.params['limit'],
        actual: (error.data as unknown[]).length,
      }
    case 'x-printable':
      return { pointer, code: 'control_character', detail: controlDetail(error.data as string) }
    case 'x-web-address':
      return {
        pointer,
        code: 'not_an_address',
        detail: `must be ${addressKind(property)} of at most 2048 characters, without a user name`,
      }
    case 'x-currency':
      return { pointer, code: 'unknown_value', detail: 'must be a code of ISO 4217, such as EUR or USD' }
    case 'x-visible':
      return { pointer, code: 'empty', detail: 'needs at least one visible character' }
    case 'minLength':
      return {
        pointer,
        code: 'empty',
        detail: 'needs at least one visible character',
        limit: error.params['limit'],
        actual: lengthOf(error.data as string),
      }
    default:
      return { pointer, code: 'malformed', detail: error.message ?? 'is not of the expected form' }
  }
}

function controlDetail(text: string): string {
  const { name, place } = firstControl(text)!
  return `holds ${name} as its character ${place}; take it out (tabs and line breaks may stay)`
}

/** A repeated parameter is not one of the values either; saying it once is enough. */
const isFirstWord = ({ keyword, data }: ErrorObject): boolean => !(keyword === 'enum' && typeof data !== 'string')

/** What is no URI is no web address either. */
const isNews = ({ pointer, code }: FieldProblem, at: number, all: readonly FieldProblem[]): boolean =>
  pointer !== all[at - 1]?.pointer || code !== all[at - 1]?.code

const addressKind = (property: Property): string =>
  property['x-web-address'] === 'https' ? 'an address that begins with https://,' : 'an http or https address'

const once = (property: Property): string =>
  property.type === 'integer' ? `, a whole number from ${range(property)}` : ''

const range = ({ minimum, maximum }: Property): string => `${minimum} to ${maximum}`
