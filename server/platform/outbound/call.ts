import type { Socket } from 'node:net'
import { ipOf, isAllowed, portOf } from './allow-list.ts'
import { dial, forbiddenAddress, secure } from './dial.ts'
import { type Answer, exchange, type OutboundRequest } from './exchange.ts'
import { OutboundError } from './outbound-error.ts'
import { resolveName, resolveVouched } from './resolve.ts'
import { checkOutboundUrl, type UrlRules } from './url-rules.ts'

export interface OutboundLimits {
  /** Milliseconds for the name servers. */
  readonly dns: number
  /** Milliseconds until there is a connection, encrypted. */
  readonly connect: number
  /** Milliseconds from first to last. */
  readonly whole: number
  /** Bytes read of an answer. */
  readonly answer: number
  /** Bytes kept of its body. */
  readonly keep: number
}

export const usualLimits: OutboundLimits = { dns: 2_000, connect: 5_000, whole: 15_000, answer: 65_536, keep: 1_024 }

export interface Guard extends UrlRules {
  readonly isForbidden: (address: string) => boolean
  readonly limits: OutboundLimits
  readonly nameServers?: readonly string[] | undefined
  readonly ca?: string | undefined
}

export interface OutboundAnswer extends Answer {
  /** Where it came from. */
  readonly address: string
  readonly ms: number
}

/** Name, address, connection, answer: each step with what the one before vetted. */
export async function callOutside(text: string, request: OutboundRequest, guard: Guard): Promise<OutboundAnswer> {
  const start = performance.now()
  const spent = () => performance.now() - start
  const atMost = (ms: number) => Math.min(ms, guard.limits.whole - spent())
  let address: string | undefined
  let socket: Socket | undefined
  try {
    const url = permitted(text, guard)
    const name = ipOf(url.hostname) ?? url.hostname
    const isVouched = isAllowed(url, guard.allow)
    const isForbidden = isVouched ? () => false : guard.isForbidden

    const addresses = isVouched
      ? await resolveVouched(name, atMost(guard.limits.dns))
      : await resolveName(name, atMost(guard.limits.dns), guard.nameServers)
    if (addresses.some(isForbidden)) throw forbiddenAddress()

    const connected = spent() + guard.limits.connect
    ;({ address, socket } = await dial(addresses, portOf(url), atMost(guard.limits.connect), isForbidden))
    if (url.protocol === 'https:') socket = await secure(socket, name, atMost(connected - spent()), guard.ca)

    const answer = await exchange(socket, url, request, { ...guard.limits, ms: atMost(guard.limits.whole) })
    return { ...answer, address, ms: Math.round(spent()) }
  } catch (error) {
    if (error instanceof OutboundError) {
      error.address ??= address
      error.ms = Math.round(spent())
    }
    throw error
  } finally {
    socket?.destroy()
  }
}

function permitted(text: string, rules: UrlRules): URL {
  const checked = checkOutboundUrl(text, rules)
  if ('problem' in checked) throw new OutboundError('forbidden_url', checked.problem)
  return checked.url
}
