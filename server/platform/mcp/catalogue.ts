import { ServiceError } from '../errors.ts'
import { codes, isObject, type Params, RpcError } from './json-rpc.ts'
import type { Call, Tool } from './tool.ts'

/** Everything a server offers. */
export interface Catalogue<By extends Call = Call> {
  readonly tools: readonly Tool<By>[]
  readonly prompts: readonly Prompt<By>[]
  readonly resources: readonly Resource<By>[]
  readonly templates: readonly ResourceTemplate<By>[]
}

export const hasPrompts = <By extends Call>({ prompts }: Catalogue<By>): boolean => prompts.length > 0
export const hasResources = <By extends Call>({ resources, templates }: Catalogue<By>): boolean =>
  resources.length + templates.length > 0

/** Capabilities without list changes or logging: there is no stream to send them on. */
export const capabilitiesOf = <By extends Call>(catalogue: Catalogue<By>) => ({
  tools: {},
  ...(hasPrompts(catalogue) ? { prompts: {} } : {}),
  ...(hasResources(catalogue) ? { resources: {} } : {}),
  ...(hasPrompts(catalogue) || hasResources(catalogue) ? { completions: {} } : {}),
})

interface Completion {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore: boolean
}

/** Suggests completions for a partial argument. */
export type Completer<By extends Call = Call> = (begun: string, by: By) => Promise<Completion>
export type Completers<By extends Call = Call> = Readonly<Record<string, Completer<By>>>

const nothing: Completion = { values: [], total: 0, hasMore: false }

interface Completed<By extends Call> {
  readonly prompts: readonly { readonly definition: { readonly name: string }; readonly completes: Completers<By> }[]
  readonly templates: readonly {
    readonly definition: { readonly uriTemplate: string }
    readonly completes: Completers<By>
  }[]
}

export async function complete<By extends Call>(
  { ref, argument }: Params,
  { prompts, templates }: Completed<By>,
  by: By,
) {
  const completers = isObject(ref) ? completersOf(ref, prompts, templates) : undefined
  if (!completers) throw new RpcError(codes.params, 'Invalid params: ref must name a prompt or a resource template')
  if (!isObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string')
    throw new RpcError(codes.params, 'Invalid params: argument must have a name and a value')
  const { name, value } = argument as { name: string; value: string }
  const completer = Object.hasOwn(completers, name) ? completers[name] : undefined
  return { completion: completer ? await completer(value, by) : nothing }
}

function completersOf<By extends Call>(
  { type, name, uri }: Params,
  prompts: Completed<By>['prompts'],
  templates: Completed<By>['templates'],
): Completers<By> | undefined {
  if (type === 'ref/prompt') return prompts.find(({ definition }) => definition.name === name)?.completes
  if (type === 'ref/resource') return templates.find(({ definition }) => definition.uriTemplate === uri)?.completes
  return undefined
}

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
  /** The messages, with the arguments filled in; each is a string. */
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
    // An empty form field sends "".
    if (!required && (value === undefined || value === '')) continue
    const isValid = typeof value === 'string' && value.trim() !== '' && value.length <= longestArgument
    if (!isValid) {
      const words = `Invalid params: ${argument} must be a string of 1 to ${longestArgument} characters`
      throw new RpcError(codes.params, words, { argument })
    }
  }
  const { description } = prompt.definition
  return { ...(description ? { description } : {}), messages: prompt.messages(given as Record<string, string>) }
}

export interface Named {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
}

type Contents = { readonly uri: string; readonly mimeType?: string } & (
  | { readonly text: string }
  | { readonly blob: string }
)

export interface Resource<By extends Call = Call> {
  readonly definition: Named & { readonly uri: string }
  read(by: By): Promise<Contents>
}

export interface ResourceTemplate<By extends Call = Call> {
  readonly definition: Named & { readonly uriTemplate: string }
  readonly completes: Completers<By>
  /** Undefined if the URI does not match this template. */
  read(uri: string, by: By): Promise<Contents> | undefined
}

interface Readable<By extends Call> {
  readonly resources: readonly Resource<By>[]
  readonly templates: readonly ResourceTemplate<By>[]
}

/** Only listed resources and those of templates: nothing is fetched. */
export async function readResource<By extends Call>(
  { uri }: Params,
  { resources, templates }: Readable<By>,
  by: By,
  notFoundCode: number = codes.resource,
) {
  if (typeof uri !== 'string') throw new RpcError(codes.params, 'Invalid params: uri must be a string')
  const missing = () => new RpcError(notFoundCode, 'Resource not found', { uri: uri.slice(0, 2000).toWellFormed() })
  try {
    for (const resource of resources)
      if (resource.definition.uri === uri) return { contents: [await resource.read(by)] }
    for (const template of templates) {
      const contents = await template.read(uri, by)
      if (contents) return { contents: [contents] }
    }
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) throw missing()
    throw error
  }
  throw missing()
}
