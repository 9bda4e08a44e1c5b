import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Build = ReturnType<SerializerFactory>
type Serialise = ReturnType<Build>

/**
 * What writes an answer is made with the first answer: of hundreds a process could need, it needs few at once, and all of
 * them took two thirds of its start.
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
