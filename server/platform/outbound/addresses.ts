import { BlockList, isIP } from 'node:net'

/** Which addresses are never called: whatever is not plainly a machine on the public internet. */

/** IANA's special-purpose registry, multicast, and one that a cloud put into public space. */
const forbiddenV4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // Azure's wire server: credentials for whoever asks from inside
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

/** All that IANA gives out. Outside it lie the ways to write an IPv4 address (mapped, NAT64, …), local and multicast. */
const globalV6: readonly [string, number][] = [['2000::', 3]]

/** Inside it: protocol assignments with Teredo, documentation, 6to4 (an IPv4 address in disguise). */
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

/** What is not an address in its usual spelling is forbidden, too. */
export function isForbiddenAddress(ip: string, own?: BlockList): boolean {
  const family = isIP(ip)
  if (family === 0 || ip.includes('%')) return true
  if (family === 4) return v4.forbidden.check(ip, 'ipv4') || own?.check(ip, 'ipv4') === true
  return !v6.global.check(ip, 'ipv6') || v6.forbidden.check(ip, 'ipv6') || own?.check(ip, 'ipv6') === true
}

/** Public addresses that are ours, in any spelling. */
export function addressList(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const address of addresses) list.addAddress(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return list
}
