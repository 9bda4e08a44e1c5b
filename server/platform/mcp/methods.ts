import { type Catalogue, capabilitiesOf, hasPrompts, hasResources } from './catalogue.ts'
import { complete } from './completion.ts'
import { handshakeVersions, type Identity, usualVersion } from './identity.ts'
import { codes, isObject, type Params, RpcError } from './json-rpc.ts'
import { getPrompt } from './prompts.ts'
import { readResource } from './resources.ts'
import type { Call } from './tool.ts'

/** Answers with its result, as JSON. */
export type Method<By extends Call> = (params: Params, by: By) => string | Promise<string>
export type Methods<By extends Call> = Readonly<Record<string, Method<By>>>

/** What every revision has. Lists are written once: half the cost of a list was to write it. */
export function sharedMethods<By extends Call>(catalogue: Catalogue<By>, resourceNotFound: number): Methods<By> {
  const { tools } = catalogue
  const toolCalled = new Map(tools.map((tool) => [tool.definition.name, tool]))
  const available = [...toolCalled.keys()]
  return {
    'tools/list': listed({ tools: definitions(tools) }),
    'tools/call': ({ name, arguments: given = {} }, by) => {
      const tool = typeof name === 'string' ? toolCalled.get(name) : undefined
      if (!tool) throw new RpcError(codes.params, 'Unknown tool', { available })
      if (!isObject(given)) throw new RpcError(codes.params, 'Invalid params: arguments must be an object')
      return tool.call(given, by)
    },
    ...furtherMethods(catalogue, resourceNotFound),
  }
}

/** Of what a catalogue has beside tools; where it has none, there is no such method. */
function furtherMethods<By extends Call>(catalogue: Catalogue<By>, resourceNotFound: number): Methods<By> {
  const { prompts, resources, templates } = catalogue
  const ofPrompts: Methods<By> = {
    'prompts/list': listed({ prompts: definitions(prompts) }),
    'prompts/get': (params) => JSON.stringify(getPrompt(params, prompts)),
  }
  const ofResources: Methods<By> = {
    'resources/list': listed({ resources: definitions(resources) }),
    'resources/templates/list': listed({ resourceTemplates: definitions(templates) }),
    'resources/read': async (params, by) => JSON.stringify(await readResource(params, catalogue, by, resourceNotFound)),
  }
  const ofBoth: Methods<By> = {
    'completion/complete': async (params, by) => JSON.stringify(await complete(params, catalogue, by)),
  }
  const [prompted, readable] = [hasPrompts(catalogue), hasResources(catalogue)]
  return {
    ...(prompted ? ofPrompts : {}),
    ...(readable ? ofResources : {}),
    ...(prompted || readable ? ofBoth : {}),
  }
}

const definitions = (all: readonly { readonly definition: object }[]) => all.map(({ definition }) => definition)

/** The revisions that begin with `initialize`. Nothing is remembered of it: every message is answered as it comes. */
export const handshakeMethods = <By extends Call>(identity: Identity, catalogue: Catalogue<By>): Methods<By> => ({
  ...sharedMethods(catalogue, codes.resource),
  initialize: ({ protocolVersion: asked }) => {
    if (asked !== undefined && typeof asked !== 'string')
      throw new RpcError(codes.params, 'Invalid params: protocolVersion must be a string')
    const { name, title, version, instructions } = identity
    return JSON.stringify({
      protocolVersion: handshakeVersions.find((known) => known === asked) ?? usualVersion,
      capabilities: capabilitiesOf(catalogue),
      serverInfo: { name, title, version },
      instructions,
    })
  },
  ping: () => '{}',
})

/** One page holds all of it; a cursor can only be of another list. */
function listed(list: object): Method<Call> {
  const whole = JSON.stringify(list)
  return ({ cursor }) => {
    if (cursor !== undefined && cursor !== null && cursor !== '')
      throw new RpcError(codes.params, 'Invalid params: there is no such cursor, the list has one page')
    return whole
  }
}

/** Never `table[method]`: a method may be called "constructor". */
export function methodCalled<By extends Call>(table: Methods<By>, method: string): Method<By> {
  const known = Object.hasOwn(table, method) ? table[method] : undefined
  if (!known) throw new RpcError(codes.method, `Method not found: ${method.slice(0, 80).toWellFormed()}`)
  return known
}
