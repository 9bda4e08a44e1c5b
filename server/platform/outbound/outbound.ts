import { addressList, isForbiddenAddress } from './addresses.ts'
import { type AllowList, nobodyAllowed } from './allow-list.ts'
import { callOutside, type OutboundAnswer, type OutboundLimits, usualLimits } from './call.ts'
import type { OutboundRequest } from './exchange.ts'
import { type CheckedUrl, checkOutboundUrl } from './url-rules.ts'

/** The only way in which the service calls an address that a writer gave. */
export interface Outbound {
  /** When a writer saves it. */
  check(url: string): CheckedUrl
  /** Checks again, resolves, vets every address, connects, asks once. Throws an OutboundError without an answer. */
  call(url: string, request?: OutboundRequest): Promise<OutboundAnswer>
}

export interface OutboundOptions {
  /** Host names of this service, which it never calls. */
  readonly ownHosts: readonly string[]
  /** Public addresses of this service, likewise. */
  readonly ownAddresses?: readonly string[]
  readonly allow?: AllowList
  /** Instead of the system's: `127.0.0.1:5353`. */
  readonly nameServers?: readonly string[]
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string
  readonly limits?: Partial<OutboundLimits>
}

export function createOutbound(options: OutboundOptions): Outbound {
  const { ownHosts, ownAddresses = [], allow = nobodyAllowed, nameServers, ca, limits } = options
  const own = addressList(ownAddresses)
  const guard = {
    ownHosts: new Set(ownHosts.map((host) => new URL(`https://${host}`).hostname)),
    allow,
    isForbidden: (address: string) => isForbiddenAddress(address, own),
    limits: { ...usualLimits, ...limits },
    nameServers,
    ca,
  }
  return {
    check: (url) => checkOutboundUrl(url, guard),
    call: (url, request = {}) => callOutside(url, request, guard),
  }
}
