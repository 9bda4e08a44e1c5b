import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import { type FieldProblem, invalid, pointerTo, type ServiceError } from '../errors.ts'
import { isLanguageTag } from '../text/language.ts'
import { firstControl, hasVisible, lengthOf, normaliseLine, webAddress } from '../text/normalise.ts'

interface Property {
  readonly type?: string | readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly enum?: readonly (string | null)[]
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
/** Longer than any URL we accept; the pattern takes 100 ms for 1.3 MB. */
const longestUri = 8192
ajv.addFormat('uri', (text: string) => text.length <= longestUri && isUri(text))
ajv.addVocabulary(['x-line', 'example'])
/** Our own keywords for text, checked with the rest so that all problems are reported together. */
ajv.addKeyword({
  keyword: 'x-visible',
  type: 'string',
  // Text that is much too long is rejected for that alone: searching 1.3 MB for a visible character takes 30 ms.
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
ajv.addKeyword({
  keyword: 'x-language-tag',
  type: 'string',
  validate: (_: true, text: string) => isLanguageTag(text),
})

/** Keywords of this validator, removed from the OpenAPI document. */
export const ownMarks: readonly string[] = [
  'x-line',
  'x-visible',
  'x-printable',
  'x-web-address',
  'x-currency',
  'x-language-tag',
]

/** The validator of all surfaces: no type coercion, all problems together, with instructions. */
export const validatorCompiler: FastifySchemaCompiler<ObjectSchema> = ({ schema, httpPart }) => {
  const isQuery = httpPart === 'querystring'
  const read = isQuery ? (data: unknown) => readQuery(schema, data) : (data: unknown) => data
  // Missing headers are left to the route, which has its own status for them.
  const described = httpPart === 'headers' ? { ...schema, required: [] } : schema
  return validating(described, read, isQuery, httpPart === 'body' ? (data) => unknownFields(schema, data) : undefined)
}

/** The same for arguments that are already JSON: lines are normalised, and no number is parsed from text. */
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
    // Compiled with the first request: a process has three hundred, and needs none at its start.
    validate ??= ajv.compile(schema)
    if (validate(value)) return { value }
    const problems = (validate.errors ?? []).filter(isFirstWord).slice(0, mostExplained)
    const explained = problems.map((error) => problem(error, isQuery)).filter(isNews)
    return { error: invalid([...explained, ...alsoWrong(data)]) }
  }
}

/** Enough to describe: far fewer are reported, and a body may have thousands of problems. */
const mostExplained = 100

function readLines({ properties = {} }: ObjectSchema, data: unknown): Record<string, unknown> {
  const read: Record<string, unknown> = { ...(data as Record<string, unknown>) }
  for (const [name, property] of Object.entries(properties)) {
    const value = read[name]
    if (property['x-line'] && typeof value === 'string') read[name] = normaliseLine(value)
  }
  return read
}

/** Query values are strings. Integers are parsed from plain digits only (not 1e1, 0x10 or +5), lines are normalised. */
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
      return { pointer, code: 'unknown_value', detail: `must be one of ${property.enum?.map(String).join(', ')}` }
    case 'pattern':
      return { pointer, code: 'malformed', detail: 'has the wrong format' }
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
      return { pointer, code: 'unknown_value', detail: 'must be an ISO 4217 currency code, such as EUR or USD' }
    case 'x-language-tag':
      return { pointer, code: 'malformed', detail: 'must be a language tag (BCP 47), such as en, de or pt-BR' }
    case 'x-visible':
      return { pointer, code: 'empty', detail: 'must have at least one visible character' }
    case 'minLength':
      return {
        pointer,
        code: 'empty',
        detail: 'must have at least one visible character',
        limit: error.params['limit'],
        actual: lengthOf(error.data as string),
      }
    default:
      return { pointer, code: 'malformed', detail: error.message ?? 'has the wrong format' }
  }
}

function controlDetail(text: string): string {
  const { name, place } = firstControl(text)!
  return `contains ${name} at character ${place}; remove it (tabs and line breaks are allowed)`
}

/** A repeated parameter also fails `enum`; one problem is enough. */
const isFirstWord = ({ keyword, data }: ErrorObject): boolean => !(keyword === 'enum' && typeof data !== 'string')

/** What is not a URI is not a web address either. */
const isNews = ({ pointer, code }: FieldProblem, at: number, all: readonly FieldProblem[]): boolean =>
  pointer !== all[at - 1]?.pointer || code !== all[at - 1]?.code

const addressKind = (property: Property): string =>
  property['x-web-address'] === 'https' ? 'a URL that starts with https://,' : 'an http or https URL'

const once = (property: Property): string =>
  property.type === 'integer' ? `, a whole number from ${range(property)}` : ''

const range = ({ minimum, maximum }: Property): string => `${minimum} to ${maximum}`

/** How many are named, so that the response stays short. */
const mostNamed = 5

/** Only what looks like a name: a key or text in the wrong place is not repeated. */
const nameShape = /^[a-z_][a-z0-9_-]{0,39}$/i

interface Members {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly additionalProperties?: unknown
}

/**
 * Body members that are not in the schema. They are ignored, but named when the body is rejected, since a missing
 * member may be there under another name.
 */
function unknownFields({ properties, additionalProperties }: Members, body: unknown): FieldProblem[] {
  if (!properties || additionalProperties !== undefined) return []
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const unknown = Object.keys(body).filter((name) => nameShape.test(name) && !Object.hasOwn(properties, name))
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(body, name))
  return unknown.slice(0, mostNamed).map((name) => {
    const meant = closestTo(name, missing)
    const question = meant ? `; did you mean ${meant}?` : ''
    return { pointer: pointerTo(name), code: 'unknown_member', detail: `is not a member and was ignored${question}` }
  })
}

type Build = ReturnType<SerializerFactory>
type Serialise = ReturnType<Build>

/**
 * Builds each serializer with its first response: a process has hundreds and needs few at first, and building all took
 * two thirds of its start.
 */
export const buildSerializer: SerializerFactory = (shapes, options) => {
  const build = SerializerSelector()(shapes, options)
  return (route) => {
    let serialise: Serialise | undefined
    return (answer: unknown) => {
      serialise ??= build(route)
      return serialise(answer)
    }
  }
}

/** The name that was probably meant; undefined if it would be a guess. */
export function closestTo(name: string, names: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const given = bare(name)
  const [nearest] = names
    .map((one) => ({ one, slips: slipsBetween(given, bare(one)) }))
    .filter(({ slips }) => slips <= given.length / 3)
    .sort((a, b) => a.slips - b.slips)
  return nearest?.one
}

const longest = 40

/** `bodyMd`, `body-md` and `body_md` are equal. */
const bare = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Levenshtein distance; a prefix has distance 1. */
function slipsBetween(a: string, b: string): number {
  if (a !== b && (a.startsWith(b) || b.startsWith(a))) return 1
  let above = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row++) {
    const line = [row]
    for (let at = 1; at <= b.length; at++) {
      const swapped = above[at - 1]! + (a[row - 1] === b[at - 1] ? 0 : 1)
      line.push(Math.min(swapped, above[at]! + 1, line[at - 1]! + 1))
    }
    above = line
  }
  return above[b.length]!
}
