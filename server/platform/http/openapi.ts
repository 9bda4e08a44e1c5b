import Type, { type TSchema } from 'typebox'

/** Words of the OpenAPI document that every door shares. */

export const described = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
})

/** Refusals by status: each the one error body, with its own description. */
export const refusals = <Status extends number | '4xx'>(words: Readonly<Record<Status, string>>) =>
  Object.fromEntries(
    Object.entries<string>(words).map(([status, description]) => [status, Type.Ref('Error', { description })]),
  )
