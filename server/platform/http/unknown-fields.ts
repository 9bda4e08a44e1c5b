import { type FieldProblem, pointerTo } from '../errors.ts'
import { closestTo } from '../text/closest.ts'

/** So many are named: the answer stays short whatever was sent. */
const mostNamed = 5

/** Only what is like a name: a key or a text that got into the wrong place is not repeated. */
const nameShape = /^[a-z_][a-z0-9_-]{0,39}$/i

interface Members {
  readonly properties?: Readonly<Record<string, unknown>>
  readonly additionalProperties?: unknown
}

/**
 * Members of a body that its schema does not know. They are ignored; but where the body is refused they are named, since
 * what is missing may be there under another name.
 */
export function unknownFields({ properties, additionalProperties }: Members, body: unknown): FieldProblem[] {
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
