import type { TSchema } from 'typebox'
import { ownMarks } from '../http/validation.ts'

/** Schemas of tools, made from those of the REST routes: what a route takes and answers, so does its tool. */

type Node = Readonly<Record<string, unknown>>

export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Node>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
}

export interface InputOptions {
  /** What the tool calls a member of the route: `{ q: 'query' }`. */
  readonly called?: Readonly<Record<string, string>>
  /** What a model is told of an argument; without, the words of the route. */
  readonly words?: Readonly<Record<string, string>>
  /** Bounds that the route leaves to its router, and arguments that only the tool has. */
  readonly more?: Readonly<Record<string, Node>>
  /** What has to be given, and whose absence the route itself speaks of: it has a reason of its own for that. */
  readonly demanded?: readonly string[]
}

export interface Input {
  readonly published: ObjectSchema
  /** With our marks for the validator. What is not named here is refused before it is asked. */
  readonly validated: ObjectSchema
  /** Arguments by the names the route has for them. */
  asRoute(given: Readonly<Record<string, unknown>>): Record<string, unknown>
}

export function inputOf(route: TSchema, options: InputOptions = {}): Input {
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

/** Without examples, which are for people who read the reference. */
const unwanted = new Set([...ownMarks, '$id', 'examples', 'example'])

const cleaned = (schema: Node): Node =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !unwanted.has(keyword)))

/** Null is a choice of its own, as some clients need it. */
function withoutManyTypes(type: unknown, rest: Node): Node {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  return { anyOf: type.map((one) => (one === 'null' ? { type: one } : { type: one, ...rest })) }
}

/** What a model is asked for; formats are checked, and not published, since some clients refuse those they do not know. */
function publishedInput(schema: Node): Node {
  const { format: _, ...rest } = cleaned(schema)
  const whole = rest['items'] ? { ...rest, items: publishedInput(rest['items'] as Node) } : rest
  const { type, description, ...bounds } = whole
  return Array.isArray(type) ? { ...withoutManyTypes(type, bounds), description } : whole
}

/** What a route answers, whole: references are filled in. */
export function outputOf(answer: TSchema, shapes: readonly TSchema[]): ObjectSchema {
  const named = new Map(shapes.map((shape) => [(shape as { $id?: string }).$id, shape as unknown as Node]))
  const walk = (schema: Node): Node => {
    const { $ref, type, properties, items, anyOf, description: _, ...rest } = cleaned(schema)
    if ($ref !== undefined) {
      const shape = named.get(String($ref))
      if (!shape) throw new Error(`no shape is called ${$ref}`)
      return walk(shape)
    }
    const whole: Record<string, unknown> = { ...rest }
    // The names in it are members, not keywords: a product has a description.
    if (properties) whole['properties'] = mapped(properties as Readonly<Record<string, Node>>, walk)
    if (items) whole['items'] = walk(items as Node)
    if (anyOf) whole['anyOf'] = (anyOf as Node[]).map(walk)
    return withoutManyTypes(type, whole)
  }
  return walk(answer as unknown as Node) as unknown as ObjectSchema
}

const mapped = (members: Readonly<Record<string, Node>>, change: (schema: Node) => Node) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, change(schema)]))
