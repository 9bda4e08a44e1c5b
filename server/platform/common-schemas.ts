import Type, { type Static, type TSchema } from 'typebox'

/** Small schemas shared by all request and response schemas. */

export const uri = Type.String({ format: 'uri' })
export const dateTime = Type.String({ format: 'date-time' })
export const ok = Type.Literal(true)

/** `type: ["string", "null"]`: easier to read in the reference than a union, and faster to validate. */
export function nullable<Schema extends TSchema>(schema: Schema) {
  const { type } = schema as unknown as { type: string }
  return Type.Unsafe<Static<Schema> | null>({ ...schema, type: [type, 'null'] })
}

export interface Limits {
  readonly minimum: number
  readonly maximum: number
  readonly default: number
}

/** Explicitly optional: with a `default` alone the OpenAPI document would list it as required. */
export const limited = (limits: Limits) =>
  Type.Optional(
    Type.Integer({
      ...limits,
      description: `How many at most: ${limits.minimum} to ${limits.maximum}, ${limits.default} if left out.`,
    }),
  )

const longestTerm = 200

/** Normalised and trimmed before its length is checked (`x-line`, platform/http/validation.ts). */
export const searchTerm = (description: string, example: string) =>
  Type.String({
    minLength: 1,
    maxLength: longestTerm,
    'x-line': true,
    description: `${description} Found as it stands, in any letter case; %, _ and \\ are themselves.`,
    examples: [example],
  })

export const cursor = Type.Optional(
  Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9_-]+$', description: 'The next_cursor of the page before.' }),
)

export const nextCursor = nullable(
  Type.String({ description: 'Give it as cursor for the next page; null on the last one.' }),
)

export const ErrorBody = Type.Object(
  {
    ok: Type.Literal(false),
    reason: Type.String({ description: 'A stable code for programs.', examples: ['not_found'] }),
    detail: Type.String({ description: 'One sentence for people.' }),
    request_id: Type.String({
      description: 'Names this request in our log, as `X-Request-Id` does. Tell it when you ask us about it.',
    }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'Which field, as an RFC 6901 pointer.', examples: ['/limit'] }),
          code: Type.String({ examples: ['out_of_range'] }),
          detail: Type.String(),
          limit: Type.Optional(Type.Number()),
          actual: Type.Optional(Type.Number()),
        }),
      ),
    ),
  },
  { $id: 'Error', description: 'What every failed request answers.' },
)

export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
})

/** Error responses by status, all with the same body schema. */
export const refusals = <Status extends number | '4xx'>(words: Readonly<Record<Status, string>>) =>
  Object.fromEntries(
    Object.entries<string>(words).map(([status, description]) => [status, Type.Ref('Error', { description })]),
  )
