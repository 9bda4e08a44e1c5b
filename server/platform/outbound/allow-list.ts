import { isIP } from 'node:net'

/** `host:port` pairs an operator vouches for. They may be called whatever their scheme, port and address. */
export type AllowList = ReadonlySet<string>

export const nobodyAllowed: AllowList = new Set()

/** `localhost:9000,[::1]:9000`; undefined if anything in it is not a host and a port. */
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

/** An address written as numbers, without the brackets of IPv6. */
export function ipOf(hostname: string): string | undefined {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? undefined : bare
}

/** URLs may hold more (`,`, `*`, `~`); names of machines do not. */
export const isHostName = (hostname: string): boolean =>
  hostname.length <= 253 && hostname.split('.').every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label))
