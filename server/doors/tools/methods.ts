import type { Catalogue } from './catalogue.ts'
import { complete } from './completion.ts'
import { handshake } from './discovery.ts'
import { codes, isObject, type Params, RpcError } from './envelope.ts'
import type { Identity } from './identity.ts'
import { getPrompt } from './prompts.ts'
import { readResource } from './resources.ts'
import type { Call } from './tool.ts'

/** Answers with its result, as JSON. */
export type Method = (params: Params, by: Call) => string | Promise<string>
export type Methods = Readonly<Record<string, Method>>

/** What every revision has. Lists are written once: half the cost of a list was to write it. */
export function sharedMethods(catalogue: Catalogue, resourceNotFound: number): Methods {
  const { tools, prompts, resources, templates } = catalogue
  const definitions = (all: readonly { readonly definition: object }[]) => all.map(({ definition }) => definition)
  const toolCalled = new Map(tools.map((tool) => [tool.definition.name, tool]))
  const available = [...toolCalled.keys()]
  return {
    'tools/list': listed({ tools: definitions(tools) }),
    'prompts/list': listed({ prompts: definitions(prompts) }),
    'resources/list': listed({ resources: definitions(resources) }),
    'resources/templates/list': listed({ resourceTemplates: definitions(templates) }),

    'tools/call': ({ name, arguments: given = {} }, by) => {
      const tool = typeof name === 'string' ? toolCalled.get(name) : undefined
      if (!tool) throw new RpcError(codes.params, 'Unknown tool', { available })
      if (!isObject(given)) throw new RpcError(codes.params, 'Invalid params: arguments must be an object')
      return tool.call(given, by)
    },

    'prompts/get': (params) => JSON.stringify(getPrompt(params, prompts)),
    'resources/read': async (params, by) => JSON.stringify(await readResource(params, catalogue, by, resourceNotFound)),
    'completion/complete': async (params, by) => JSON.stringify(await complete(params, catalogue, by)),
  }
}

/** The revisions that begin with `initialize`. Nothing is remembered of it: every message is answered as it comes. */
export const handshakeMethods = (identity: Identity, catalogue: Catalogue): Methods => ({
  ...sharedMethods(catalogue, codes.resource),
  initialize: ({ protocolVersion }) => {
    if (protocolVersion !== undefined && typeof protocolVersion !== 'string')
      throw new RpcError(codes.params, 'Invalid params: protocolVersion must be a string')
    return JSON.stringify(handshake(identity, protocolVersion))
  },
  ping: () => '{}',
})

/** One page holds all of it; a cursor can only be of another list. */
function listed(list: object): Method {
  const whole = JSON.stringify(list)
  return ({ cursor }) => {
    if (cursor !== undefined && cursor !== null && cursor !== '')
      throw new RpcError(codes.params, 'Invalid params: there is no such cursor, the list has one page')
    return whole
  }
}

/** Never `table[method]`: a method may be called "constructor". */
export function methodCalled(table: Methods, method: string): Method {
  const known = Object.hasOwn(table, method) ? table[method] : undefined
  if (!known) throw new RpcError(codes.method, `Method not found: ${method.slice(0, 80).toWellFormed()}`)
  return known
}
