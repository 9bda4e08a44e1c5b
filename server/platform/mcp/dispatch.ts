import { ServiceError } from '../errors.ts'
import {
  type Catalogue,
  capabilitiesOf,
  complete,
  getPrompt,
  hasPrompts,
  hasResources,
  readResource,
} from './catalogue.ts'
import { handshakeVersions, type Identity, latestVersion, usualVersion, versions } from './identity.ts'
import { codes, errorResponse, type Id, isObject, type Params, RpcError, readMessage, written } from './json-rpc.ts'
import type { Call } from './tool.ts'

/** The HTTP response: a JSON body, none, or a stream to open for this request. */
interface Answer {
  readonly status: number
  readonly body?: string
  readonly listen?: Id
}

export type Dispatch<By extends Call> = (body: unknown, headers: RequestHeaders, by: By) => Promise<Answer>

const listening = 'subscriptions/listen'

/**
 * Maps a message to its response. Errors have status 200, except for those of the transport and of the latest revision;
 * authorization is handled by the caller.
 */
export function dispatcher<By extends Call>(identity: Identity, catalogue: Catalogue<By>): Dispatch<By> {
  const handshake = handshakeMethods(identity, catalogue)
  const latest = latestMethods(identity, catalogue)

  return async (body, headers, by) => {
    const message = readMessage(body)
    if (message.kind === 'broken') return { status: 200, body: errorResponse(message.id, message.error) }
    const asked = versionAsked(headers)
    if (message.kind === 'notice') {
      if (asked !== undefined && !versions.includes(asked)) return refused(null, unsupportedVersion(asked))
      return message.isValid ? { status: 202 } : refused(null, noObject)
    }
    const { id, method, params } = message
    const isLatest = isLatestRevision(headers, method, params)
    try {
      if (!isLatest && asked !== undefined && method !== 'initialize' && !isHandshake(asked))
        return refused(id, unsupportedVersion(asked))
      const mismatched = isLatest ? headerMismatch(headers, method, params) : undefined
      if (mismatched) return refused(id, mismatched)
      if (isLatest && method === listening) return { status: 200, listen: id }
      const answer = methodCalled(isLatest ? latest : handshake, method)
      return { status: 200, body: written(id, await answer(params, by)) }
    } catch (error) {
      if (error instanceof ServiceError && error.status === 403) throw error
      const failure = error instanceof RpcError ? error : (busy(error, by) ?? internal(by.noteFailure(error)))
      // The latest revision answers 404 for an unknown method; other errors are for the client.
      return { status: isLatest && failure.code === codes.method ? 404 : 200, body: errorResponse(id, failure) }
    }
  }
}

const isHandshake = (version: string): boolean => handshakeVersions.some((known) => known === version)

/** Transport errors have an HTTP status too. */
const refused = (id: Id, error: RpcError): Answer => ({ status: 400, body: errorResponse(id, error) })

const noObject = new RpcError(codes.params, 'Invalid params: params must be an object')

const internal = (request: string): RpcError => new RpcError(codes.internal, 'Internal error', { request_id: request })

/** Overload is reported but not logged as a failure. An unavailable database is logged too. */
function busy(error: unknown, { requestId, noteFailure }: Call): RpcError | undefined {
  if (!(error instanceof ServiceError)) return undefined
  const isAway = error.reason === 'database_away'
  if (isAway) noteFailure(error)
  else if (error.reason !== 'overloaded' || error.cause !== undefined) return undefined
  const { message, reason, headers } = error
  return new RpcError(codes.internal, message, {
    reason,
    request_id: requestId,
    retry_after: Number(headers['retry-after']),
  })
}

/** Returns its result as JSON. */
type Method<By extends Call> = (params: Params, by: By) => string | Promise<string>
type Methods<By extends Call> = Readonly<Record<string, Method<By>>>

/** Methods of every revision. Lists are serialized once: that was half the cost of a list. */
function sharedMethods<By extends Call>(catalogue: Catalogue<By>, resourceNotFound: number): Methods<By> {
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

/** Methods for prompts and resources, if the catalogue has any. */
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

/** Revisions that begin with `initialize`. Stateless: every message is answered independently. */
const handshakeMethods = <By extends Call>(identity: Identity, catalogue: Catalogue<By>): Methods<By> => ({
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

/** One page contains everything; any cursor is invalid. */
function listed(list: object): Method<Call> {
  const whole = JSON.stringify(list)
  return ({ cursor }) => {
    if (cursor !== undefined && cursor !== null && cursor !== '')
      throw new RpcError(codes.params, 'Invalid params: there is no such cursor, the list has one page')
    return whole
  }
}

/** Never `table[method]`: a method may be named "constructor". */
function methodCalled<By extends Call>(table: Methods<By>, method: string): Method<By> {
  const known = Object.hasOwn(table, method) ? table[method] : undefined
  if (!known) throw new RpcError(codes.method, `Method not found: ${method.slice(0, 80).toWellFormed()}`)
  return known
}

/** Revision 2026-07-28: no handshake; every request states its client and revision, in its headers too. */

const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`
export const subscriptionKey = metaKey('subscriptionId')

/** Versions that need no handshake. */
const latestVersions: readonly string[] = [latestVersion]

const hour = 3_600_000
/** How long clients may cache what changes only with a release, and what people change. */
const lasting = { ttlMs: hour } as const
const changing = { ttlMs: 30_000 } as const

const kept: Readonly<Record<string, typeof lasting | typeof changing>> = {
  'server/discover': lasting,
  'tools/list': lasting,
  'prompts/list': lasting,
  'resources/list': lasting,
  'resources/templates/list': lasting,
  'resources/read': changing,
}

function latestMethods<By extends Call>(identity: Identity, catalogue: Catalogue<By>): Methods<By> {
  const { name, title, version, instructions, cacheScope } = identity
  const discovered = { supportedVersions: latestVersions, capabilities: capabilitiesOf(catalogue), instructions }
  const methods: Methods<By> = {
    ...sharedMethods(catalogue, codes.params),
    'server/discover': () => JSON.stringify(discovered),
  }
  const about = { [metaKey('serverInfo')]: { name, title, version } }
  return Object.fromEntries(
    Object.entries(methods).map(([method, answer]) => {
      const keeping = kept[method] ? { ...kept[method], cacheScope } : {}
      const head = JSON.stringify({ resultType: 'complete', _meta: about, ...keeping }).slice(0, -1)
      // A result is an object with members: its brace is replaced by the members that every result has here.
      return [method, async (params, by) => `${head},${(await answer(params, by)).slice(1)}`]
    }),
  )
}

interface RequestHeaders {
  readonly [name: string]: string | string[] | undefined
}

const versionHeader = 'mcp-protocol-version'

const versionAsked = (headers: RequestHeaders): string | undefined => {
  const asked = headers[versionHeader]
  return asked === undefined ? undefined : String(asked)
}

/** By its header, or by a member that only this revision has. */
function isLatestRevision(headers: RequestHeaders, method: string, { _meta: meta }: Params): boolean {
  const isMarked = isObject(meta) && Object.hasOwn(meta, metaKey('protocolVersion'))
  return isMarked || (versionAsked(headers) === latestVersion && method !== 'initialize')
}

const unsupportedVersion = (requested: string, supported: readonly string[] = versions): RpcError =>
  new RpcError(codes.version, 'Unsupported protocol version', {
    supported,
    requested: requested.slice(0, 100).toWellFormed(),
  })

/** The parameter that names the target of a method. */
const namedBy: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** Headers must match the body: a proxy that routes by one must not be misled by the other. */
function headerMismatch(headers: RequestHeaders, method: string, params: Params): RpcError | undefined {
  const { _meta: meta } = params
  const header = versionAsked(headers)
  const said = isObject(meta) ? meta[metaKey('protocolVersion')] : undefined
  if (typeof said !== 'string' || !isObject(meta))
    return new RpcError(codes.params, `Invalid params: _meta must have ${metaKey('protocolVersion')}`)
  if (header !== said) return mismatch('MCP-Protocol-Version')
  if (said !== latestVersion) return unsupportedVersion(said, latestVersions)
  if (!isObject(meta[metaKey('clientCapabilities')]))
    return new RpcError(codes.params, `Invalid params: _meta must have ${metaKey('clientCapabilities')}`)
  if (headers['mcp-method'] !== method) return mismatch('Mcp-Method')
  const key = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  return key && decoded(headers['mcp-name']) !== params[key] ? mismatch('Mcp-Name') : undefined
}

const mismatch = (header: string): RpcError =>
  new RpcError(codes.headers, `Header mismatch: ${header} must be there and say what the body says`)

/** `=?base64?…?=` for names that a header cannot contain. */
function decoded(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}
