import type { TSchema } from 'typebox'
import type { ServiceError } from '../errors.ts'
import { argumentValidator, ownMarks } from '../http/validation.ts'
import type { Params } from './json-rpc.ts'

export interface ToolDefinition {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations?: Readonly<Record<string, unknown>>
}

type Outcome = 'answered' | 'refused' | 'failed'

/** What a method can use to answer one message; each server adds its own. */
export interface Call {
  readonly requestId: string
  /** Serializes a body with the schema of the REST route, which excludes everything else. */
  write(shape: TSchema, body: unknown): string
  /** Logs a failure of ours and returns its reference. */
  noteFailure(error: unknown): string
  onOutcome(tool: string, outcome: Outcome): void
}

export interface Tool<By extends Call = Call> {
  readonly definition: ToolDefinition
  /** The whole result as JSON. */
  call(given: Params, by: By): Promise<string>
}

/** Annotations for clients. The protocol's defaults assume the worst, so all are given. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
}

/** A tool that takes and returns what a REST route does. */
export interface Described extends InputOptions {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The input schema of the route. */
  readonly takes: TSchema
  /** The response schema of the route. */
  readonly answers: TSchema
}

export interface WrongArguments {
  readonly error: ServiceError | undefined
  /** Unknown names. */
  readonly unknown: readonly string[]
}

/** Arguments in the form of the route, or everything that is wrong with them. */
type Read<Asked> =
  | { readonly asked: Asked; readonly wrong?: undefined }
  | { readonly asked?: undefined; readonly wrong: WrongArguments }

interface ToolForm<Asked> {
  readonly definition: ToolDefinition
  /** The valid names. */
  readonly names: readonly string[]
  read(given: Params): Read<Asked>
}

export function formOf<Asked>(described: Described, hints: Hints, shapes: readonly TSchema[]): ToolForm<Asked> {
  const { name, title, description, takes, answers } = described
  const { published, validated, asRoute } = inputOf(takes, described)
  const validate = argumentValidator(validated)
  const names = Object.keys(validated.properties)
  return {
    definition: {
      name,
      title,
      description,
      inputSchema: published,
      outputSchema: outputOf(answers, shapes),
      annotations: { title, ...hints, openWorldHint: false },
    },
    names,
    read(given) {
      const unknown = Object.keys(given).filter((argument) => !names.includes(argument))
      const { error, value = {} } = validate(given) as { error?: ServiceError; value?: Record<string, unknown> }
      return error || unknown.length > 0 ? { wrong: { error, unknown } } : { asked: asRoute(value) as Asked }
    },
  }
}

/** The body appears twice in the result and is serialized once: the text is its JSON, quoted. */
export const succeeded = (json: string): string =>
  `{"content":[{"type":"text","text":${JSON.stringify(json)}}],"structuredContent":${json},"isError":false}`

/** Without structuredContent: clients would validate it against the output schema. */
export const failed = (text: string): string => JSON.stringify({ content: [{ type: 'text', text }], isError: true })

/** Logs the failure and reports it without details. */
export const unanswerable = (by: Call, failure: unknown): string =>
  `The service could not answer now (ref ${by.noteFailure(failure)}). Try again once; do not change the arguments.`

const longestQuote = 80

/** The client's text, cut to 80 characters. */
export function quoted(text: string): string {
  const characters = [...text.slice(0, 2 * longestQuote + 2)]
  const cut = characters.length > longestQuote ? `${characters.slice(0, longestQuote - 1).join('')}…` : text
  return `"${cut.toWellFormed()}"`
}

/** The id at the end of `urn:uuid:…` or a URL; anything else is returned unchanged and will not be found. */
export const uuidIn = (given: string): string => /(?:^urn:uuid:|[/:])([^/:]+)\/?$/i.exec(given)?.[1] ?? given

/** Schemas of tools, derived from those of the REST routes: a tool takes and returns what its route does. */

type Node = Readonly<Record<string, unknown>>

interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
}

interface InputOptions {
  /** Names of route members in the tool: `{ q: 'query' }`. */
  readonly called?: Readonly<Record<string, string>>
  /** Descriptions of arguments for models; the default is the route's. */
  readonly words?: Readonly<Record<string, string>>
  /** Bounds that the route leaves to its router, and arguments that only the tool has. */
  readonly more?: Readonly<Record<string, Node>>
  /** Required arguments that the route itself checks, with its own error. */
  readonly demanded?: readonly string[]
}

interface Input {
  readonly published: ObjectSchema
  /** With our keywords for the validator. Unknown arguments are rejected before. */
  readonly validated: ObjectSchema
  /** Renames arguments to the route's names. */
  asRoute(given: Readonly<Record<string, unknown>>): Record<string, unknown>
}

function inputOf(route: TSchema, options: InputOptions = {}): Input {
  const { called = {}, words = {}, more = {}, demanded = [] } = options
  const { properties: members, required: needed = [] } = route as unknown as ObjectSchema
  const nameOf = (member: string): string => called[member] ?? member
  const memberOf = new Map(Object.keys(members).map((member) => [nameOf(member), member]))
  const all: Record<string, Node> = {}
  for (const [member, schema] of Object.entries(members)) {
    const name = nameOf(member)
    const description = words[name] ?? (member === 'limit' ? wordsOfLimit(schema) : schema['description'])
    all[name] = { ...schema, ...more[name], description }
  }
  for (const [name, schema] of Object.entries(more)) all[name] ??= schema
  const required = needed.map(nameOf)
  return {
    published: {
      type: 'object',
      properties: mapped(all, publishedInput),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    validated: { type: 'object', properties: all, required: required.filter((name) => !demanded.includes(name)) },
    asRoute: (given) =>
      Object.fromEntries(Object.entries(given).map(([name, value]) => [memberOf.get(name) ?? name, value])),
  }
}

const wordsOfLimit = ({ minimum, maximum, default: usual }: Node): string =>
  `Number of results, ${minimum}-${maximum}. Default ${usual}; ask for fewer to save tokens.`

/** Without examples, which are for readers of the reference. */
const unwanted = new Set([...ownMarks, '$id', 'examples', 'example'])

const cleaned = (schema: Node): Node =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !unwanted.has(keyword)))

/** Null as a separate alternative, which some clients need. */
function withoutManyTypes(type: unknown, rest: Node): Node {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  return { anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest })) }
}

/** The published schema. Formats are checked but not published, since some clients reject unknown ones. */
function publishedInput(schema: Node): Node {
  const { format: _, ...rest } = cleaned(schema)
  const whole = rest['items'] ? { ...rest, items: publishedInput(rest['items'] as Node) } : rest
  const { type, description, ...bounds } = whole
  return Array.isArray(type) ? { ...withoutManyTypes(type, bounds), description } : whole
}

/** The response schema of a route with references resolved. */
function outputOf(answer: TSchema, shapes: readonly TSchema[]): ObjectSchema {
  const named = new Map(shapes.map((shape) => [(shape as { $id?: string }).$id, shape as unknown as Node]))
  const walk = (schema: Node): Node => {
    const { $ref, type, properties, items, anyOf, description: _, ...rest } = cleaned(schema)
    if ($ref !== undefined) {
      const shape = named.get(String($ref))
      if (!shape) throw new Error(`no shape is called ${$ref}`)
      return walk(shape)
    }
    const whole: Record<string, unknown> = { ...rest }
    // These names are members, not keywords: a thing may have a description.
    if (properties) whole['properties'] = mapped(properties as Readonly<Record<string, Node>>, walk)
    if (items) whole['items'] = walk(items as Node)
    if (anyOf) whole['anyOf'] = (anyOf as Node[]).map(walk)
    return withoutManyTypes(type, whole)
  }
  return walk(answer as unknown as Node) as unknown as ObjectSchema
}

const mapped = (members: Readonly<Record<string, Node>>, change: (schema: Node) => Node) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, change(schema)]))
