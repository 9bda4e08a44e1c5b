import { slugsBeginning } from '#features/authors/completing.ts'
import { categories } from '#features/pieces/schema.ts'
import { codes, isObject, type Params, RpcError } from './envelope.ts'
import type { Call } from './tool.ts'

interface Completion {
  readonly values: readonly string[]
  readonly total?: number
  readonly hasMore: boolean
}

/** What an argument that begins like this could become. */
export type Completer = (begun: string, by: Call) => Promise<Completion>
export type Completers = Readonly<Record<string, Completer>>

/** The protocol lets no more through. */
const most = 100

export const authorSlugs: Completer = async (begun, { reads }) => {
  const found = await slugsBeginning(reads, begun.toLowerCase(), most + 1)
  const hasMore = found.length > most
  return { values: found.slice(0, most), ...(hasMore ? {} : { total: found.length }), hasMore }
}

export const categoryNames: Completer = async (begun) => {
  const values = categories.filter((category) => category.startsWith(begun.toLowerCase()))
  return { values, total: values.length, hasMore: false }
}

const nothing: Completion = { values: [], total: 0, hasMore: false }

interface Completed {
  readonly prompts: readonly { readonly definition: { readonly name: string }; readonly completes: Completers }[]
  readonly templates: readonly {
    readonly definition: { readonly uriTemplate: string }
    readonly completes: Completers
  }[]
}

export async function complete({ ref, argument }: Params, { prompts, templates }: Completed, by: Call) {
  const completers = isObject(ref) ? completersOf(ref, prompts, templates) : undefined
  if (!completers) throw new RpcError(codes.params, 'Invalid params: ref must name a prompt or a resource template')
  if (!isObject(argument) || typeof argument['name'] !== 'string' || typeof argument['value'] !== 'string')
    throw new RpcError(codes.params, 'Invalid params: argument must have a name and a value')
  const { name, value } = argument as { name: string; value: string }
  const completer = Object.hasOwn(completers, name) ? completers[name] : undefined
  return { completion: completer ? await completer(value, by) : nothing }
}

function completersOf(
  { type, name, uri }: Params,
  prompts: Completed['prompts'],
  templates: Completed['templates'],
): Completers | undefined {
  if (type === 'ref/prompt') return prompts.find(({ definition }) => definition.name === name)?.completes
  if (type === 'ref/resource') return templates.find(({ definition }) => definition.uriTemplate === uri)?.completes
  return undefined
}
