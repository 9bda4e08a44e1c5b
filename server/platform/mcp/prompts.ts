import type { Completers } from './completion.ts'
import { codes, isObject, type Params, RpcError } from './json-rpc.ts'
import type { Call } from './tool.ts'

interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

export interface Prompt<By extends Call = Call> {
  readonly definition: {
    readonly name: string
    readonly title?: string
    readonly description?: string
    readonly arguments?: readonly PromptArgument[]
  }
  readonly completes: Completers<By>
  /** What to say, with the arguments filled in; each is a string. */
  messages(given: Readonly<Record<string, string>>): readonly object[]
}

const longestArgument = 500

export function getPrompt<By extends Call>({ name, arguments: given = {} }: Params, known: readonly Prompt<By>[]) {
  const prompt = known.find(({ definition }) => definition.name === name)
  if (!prompt) {
    const available = known.map(({ definition }) => definition.name)
    throw new RpcError(codes.params, 'Unknown prompt', { available })
  }
  if (!isObject(given)) throw new RpcError(codes.params, 'Invalid params: arguments must be an object')
  for (const { name: argument, required } of prompt.definition.arguments ?? []) {
    const value = Object.hasOwn(given, argument) ? given[argument] : undefined
    // A form that was left empty sends "".
    if (!required && (value === undefined || value === '')) continue
    const isWell = typeof value === 'string' && value.trim() !== '' && value.length <= longestArgument
    if (!isWell) {
      const words = `Invalid params: ${argument} must be a string of 1 to ${longestArgument} characters`
      throw new RpcError(codes.params, words, { argument })
    }
  }
  const { description } = prompt.definition
  return { ...(description ? { description } : {}), messages: prompt.messages(given as Record<string, string>) }
}
