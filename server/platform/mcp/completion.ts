import { codes, isObject, type Params, RpcError } from './json-rpc.ts'
import type { Call } from './tool.ts'

interface Completion {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore: boolean
}

/** What an argument that begins like this could become. */
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
