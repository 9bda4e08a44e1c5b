import { type Catalogue, capabilitiesOf } from './catalogue.ts'
import { type Identity, modernVersion, versions } from './identity.ts'
import { codes, isObject, type Params, RpcError } from './json-rpc.ts'
import { type Methods, sharedMethods } from './methods.ts'
import type { Call } from './tool.ts'

/** The revision 2026-07-28: no handshake, every request says who asks and by which revision, in its headers too. */

const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`
export const subscriptionKey = metaKey('subscriptionId')

/** What can be asked without a handshake. */
const modernVersions: readonly string[] = [modernVersion]

const hour = 3_600_000
/** How long a client may keep what stays the same until the site is upgraded, and what writers change. */
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

export function modernMethods<By extends Call>(identity: Identity, catalogue: Catalogue<By>): Methods<By> {
  const { name, title, version, instructions, cacheScope } = identity
  const discovered = { supportedVersions: modernVersions, capabilities: capabilitiesOf(catalogue), instructions }
  const methods: Methods<By> = {
    ...sharedMethods(catalogue, codes.params),
    'server/discover': () => JSON.stringify(discovered),
  }
  const about = { [metaKey('serverInfo')]: { name, title, version } }
  return Object.fromEntries(
    Object.entries(methods).map(([method, answer]) => {
      const keeping = kept[method] ? { ...kept[method], cacheScope } : {}
      const head = JSON.stringify({ resultType: 'complete', _meta: about, ...keeping }).slice(0, -1)
      // A result is an object with members: its brace gives way to those that every result has here.
      return [method, async (params, by) => `${head},${(await answer(params, by)).slice(1)}`]
    }),
  )
}

export interface RequestHeaders {
  readonly [name: string]: string | string[] | undefined
}

const versionHeader = 'mcp-protocol-version'

export const versionAsked = (headers: RequestHeaders): string | undefined => {
  const asked = headers[versionHeader]
  return asked === undefined ? undefined : String(asked)
}

/** By its header, or by what only this revision says in the body. */
export function isModern(headers: RequestHeaders, method: string, { _meta: meta }: Params): boolean {
  const isMarked = isObject(meta) && Object.hasOwn(meta, metaKey('protocolVersion'))
  return isMarked || (versionAsked(headers) === modernVersion && method !== 'initialize')
}

export const unsupportedVersion = (requested: string, supported: readonly string[] = versions): RpcError =>
  new RpcError(codes.version, 'Unsupported protocol version', {
    supported,
    requested: requested.slice(0, 100).toWellFormed(),
  })

/** Where the name of what is asked stands, for the methods that ask for one thing. */
const namedBy: Readonly<Record<string, 'name' | 'uri'>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** What stands in the headers must stand in the body: whoever routes by one must not be fooled by the other. */
export function unfitness(headers: RequestHeaders, method: string, params: Params): RpcError | undefined {
  const { _meta: meta } = params
  const header = versionAsked(headers)
  const said = isObject(meta) ? meta[metaKey('protocolVersion')] : undefined
  if (typeof said !== 'string' || !isObject(meta))
    return new RpcError(codes.params, `Invalid params: _meta must have ${metaKey('protocolVersion')}`)
  if (header !== said) return mismatch('MCP-Protocol-Version')
  if (said !== modernVersion) return unsupportedVersion(said, modernVersions)
  if (!isObject(meta[metaKey('clientCapabilities')]))
    return new RpcError(codes.params, `Invalid params: _meta must have ${metaKey('clientCapabilities')}`)
  if (headers['mcp-method'] !== method) return mismatch('Mcp-Method')
  const key = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  return key && decoded(headers['mcp-name']) !== params[key] ? mismatch('Mcp-Name') : undefined
}

const mismatch = (header: string): RpcError =>
  new RpcError(codes.headers, `Header mismatch: ${header} must be there and say what the body says`)

/** `=?base64?…?=` where a name is more than a header can hold. */
function decoded(value: string | string[] | undefined): string | undefined {
  if (typeof value !== 'string') return undefined
  const encoded = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value)?.[1]
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8')
}
