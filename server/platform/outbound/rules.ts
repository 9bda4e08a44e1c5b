import { BlockList, isIP } from 'node:net'
import { type Message, message } from '#messages/message.ts'

/** Addresses that are never called: everything that is not clearly a host on the public internet. */

/** IANA's special-purpose registry, multicast, and one address a cloud provider put into public space. */
const forbiddenV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's wire server: gives credentials to any internal client
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** All global unicast addresses. Outside are embedded IPv4 addresses (mapped, NAT64, …), local and multicast. */
const globalV6: readonly [string, number][] = [['2000::', 3]]

/** Inside it: protocol assignments with Teredo, documentation, 6to4 (an embedded IPv4 address). */
const forbiddenV6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

function networks(ranges: readonly [string, number][], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}

const v4 = { forbidden: networks(forbiddenV4, 'ipv4') }
const v6 = { global: networks(globalV6, 'ipv6'), forbidden: networks(forbiddenV6, 'ipv6') }

/** Anything that is not an address in its usual notation is forbidden too. */
export function isForbiddenAddress(ip: string, own?: BlockList): boolean {
  const family = isIP(ip)
  if (family === 0 || ip.includes('%')) return true
  if (family === 4) return v4.forbidden.check(ip, 'ipv4') || own?.check(ip, 'ipv4') === true
  return !v6.global.check(ip, 'ipv6') || v6.forbidden.check(ip, 'ipv6') || own?.check(ip, 'ipv6') === true
}

/** Our own public addresses, in any notation. */
export function addressList(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const address of addresses) list.addAddress(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}

/** `host:port` pairs that the operator allows, whatever their scheme, port and address. */
export type AllowList = ReadonlySet<string>

export const emptyAllowList: AllowList = new Set()

/** `localhost:9000,[::1]:9000`; undefined if an entry is not a host and a port. */
export function readAllowList(text: string): AllowList | undefined {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
  const pairs = entries.map(pairOf)
  return pairs.includes(undefined) ? undefined : new Set(pairs as string[])
}

function pairOf(entry: string): string | undefined {
  const [, host, digits] = /^([^/?#@\\\s]+):(\d{1,5})$/.exec(entry) ?? []
  const port = Number(digits)
  if (host === undefined || port < 1 || port > 65_535 || !URL.canParse(`https://${host}`)) return undefined
  const { hostname, port: second } = new URL(`https://${host}`)
  return second === '' && (isHostName(hostname) || ipOf(hostname) !== undefined) ? `${hostname}:${port}` : undefined
}

export const isAllowed = (url: URL, allow: AllowList): boolean => allow.has(`${url.hostname}:${portOf(url)}`)

export const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80))

/** An IP address without the brackets of IPv6. */
export function ipOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/** URLs allow more (`,`, `*`, `~`); host names do not. */
const isHostName = (hostname: string): boolean =>
  hostname.length <= 253 && hostname.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))

/** Which URLs may be called, judged by their text. Their addresses are checked when they are called. */

export interface UrlRules {
  /** Host names of this service. */
  readonly ownHosts: ReadonlySet<string>
  readonly allow: AllowList
}

/** `problem` says in one sentence what to do; `code` is the same for programs. */
export type CheckedUrl = { readonly url: URL } | UrlProblem

interface UrlProblem {
  readonly code: string
  readonly problem: Message
}

const longest = 2_048

/** Names in private networks, on this machine, or reserved (RFC 6761, 6762, 7686, 8375, 9476). */
const privateEndings = ['.local', '.internal', '.localhost', '.home.arpa', '.onion', '.test']

export function checkOutboundUrl(text: string, rules: UrlRules): CheckedUrl {
  // The WHATWG parser: it normalises `0x7f.1`, `2130706433` and `①②⑦.0.0.1` to 127.0.0.1.
  if (text.length > longest) return tooLong
  if (!URL.canParse(text))
    return { code: 'url_incomplete', problem: message('error.url.incomplete', { example: 'https://example.org/hook' }) }
  const url = new URL(text)
  if (url.href.length > longest) return tooLong
  if (url.username || url.password) return { code: 'url_user', problem: message('error.url.user') }
  if (/^https?:$/.test(url.protocol) && isAllowed(url, rules.allow)) return { url }
  const problem = publicUrlProblem(url, rules.ownHosts)
  return problem ?? { url }
}

const tooLong: UrlProblem = { code: 'too_long', problem: message('error.url.too_long', { limit: longest }) }

function publicUrlProblem({ protocol, hostname, port }: URL, ownHosts: ReadonlySet<string>): UrlProblem | undefined {
  if (protocol !== 'https:') return { code: 'url_not_https', problem: message('error.url.not_https') }
  if (port !== '') return { code: 'url_port', problem: message('error.url.port') }
  if (ipOf(hostname) !== undefined)
    return { code: 'url_ip', problem: message('error.url.ip', { example: 'example.org' }) }
  if (hostname.endsWith('.')) return { code: 'url_trailing_dot', problem: message('error.url.trailing_dot') }
  if (!hostname.includes('.'))
    return { code: 'url_host', problem: message('error.url.host', { example: 'example.org' }) }
  if (!isHostName(hostname)) return { code: 'url_host', problem: message('error.url.host_characters') }
  const ending = privateEndings.find((one) => hostname.endsWith(one))
  if (ending) return { code: 'url_private', problem: message('error.url.private', { ending }) }
  if (ownHosts.has(hostname)) return { code: 'url_own', problem: message('error.url.own') }
  return undefined
}
