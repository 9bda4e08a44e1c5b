import { lookup, Resolver } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Message, message } from '#messages/message.ts'
import { sourceLanguage, translatorOf } from '#messages/translator.ts'

export type OutboundFailure =
  /** The URL violates a rule. */
  | 'forbidden_url'
  /** Its name resolves to an address that is not public. */
  | 'forbidden_address'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** The connection ended before the response did. */
  | 'reset'
  | 'too_many_headers'
  /** The response is not HTTP. */
  | 'protocol'

/** A call without a response. Its words may be shown to the person who entered the URL, in their language. */
export class OutboundError extends Error {
  readonly kind: OutboundFailure
  readonly words: Message
  /** Set by the call. Never a forbidden address: it would reveal what our name servers know. */
  address: string | undefined
  ms = 0

  constructor(kind: OutboundFailure, words: Message, cause?: unknown) {
    super(translatorOf(sourceLanguage).say(words), { cause })
    this.name = 'OutboundError'
    this.kind = kind
    this.words = words
  }
}

/** ` (ECONNREFUSED)`: something to search for, after the sentence. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? ` (${code})` : ''
}

/**
 * Resolves a name once, IPv4 first. Directly from the name servers: the system's `getaddrinfo` would add local names
 * and search domains, cannot be cancelled, and a few slow names would block its four threads.
 */
export async function resolveName(name: string, ms: number, nameServers?: readonly string[]): Promise<string[]> {
  // One per call (20 µs): cancelling ends only this one, and nothing is cached. A lost packet is sent again after a
  // second.
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  if (nameServers) resolver.setServers(nameServers)
  const timer = setTimeout(() => resolver.cancel(), ms)
  // Name servers that fail for one address family are common; the other is enough.
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  clearTimeout(timer)

  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length > 0) return addresses
  const failures = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as unknown] : []))
  throw (
    failures.map((failure) => nameServerProblem(name, failure)).find((problem) => problem !== undefined) ??
    new OutboundError('dns', message('error.outbound.no_address', { name }), failures[0])
  )
}

function nameServerProblem(name: string, failure: unknown): OutboundError | undefined {
  const code = codeOf(failure)
  if (/ENOTFOUND|ENODATA/.test(code)) return undefined
  return /ETIMEOUT|ECANCELLED/.test(code)
    ? new OutboundError('timeout', message('error.outbound.name_servers_late', { name }), failure)
    : new OutboundError('dns', message('error.outbound.name_servers_failed', { name, code }), failure)
}

/** For allowed hosts: IP addresses, or names that only the system knows, such as `localhost` and containers. */
export async function resolveAllowed(name: string, ms: number): Promise<string[]> {
  const outOfTime = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    outOfTime.reject(new OutboundError('timeout', message('error.outbound.name_late', { name })))
  }, ms)
  try {
    const found = await Promise.race([lookup(name, { all: true, order: 'ipv4first' }), outOfTime.promise])
    return found.map(({ address }) => address)
  } catch (error) {
    if (error instanceof OutboundError) throw error
    throw new OutboundError('dns', message('error.outbound.no_address', { name }), error)
  } finally {
    clearTimeout(timer)
  }
}

/** How many of a name's addresses are tried: enough for a dead host or two, too few for a scan. */
const mostTries = 4

/**
 * Connects to the first address that accepts. Each has a fair share of the remaining time. No name is resolved here.
 * The peer's address is checked again before the first byte is sent.
 */
export async function dial(
  addresses: readonly string[],
  port: number,
  ms: number,
  isForbidden: (address: string) => boolean,
): Promise<{ readonly socket: Socket; readonly address: string }> {
  const end = performance.now() + ms
  const tried = addresses.slice(0, mostTries)
  let last: OutboundError | undefined
  for (const [place, address] of tried.entries()) {
    try {
      const socket = await reach(address, port, (end - performance.now()) / (tried.length - place))
      const peer = socket.remoteAddress
      if (peer !== undefined && !isForbidden(peer)) return { socket, address }
      socket.destroy()
      throw peer === undefined ? refused() : forbiddenAddress()
    } catch (error) {
      if (!(error instanceof OutboundError) || error.kind === 'forbidden_address') throw error
      last = error
      last.address = address
    }
  }
  throw last ?? new OutboundError('dns', message('error.outbound.no_addresses'))
}

export const forbiddenAddress = () => new OutboundError('forbidden_address', message('error.outbound.private_address'))

function reach(address: string, port: number, ms: number): Promise<Socket> {
  const socket = connect({ host: address, port, noDelay: true })
  return settled(socket, 'connect', ms, {
    late: () => new OutboundError('timeout', message('error.outbound.connection_late')),
    failed: refused,
  })
}

const refused = (error?: Error) =>
  new OutboundError('connect', message('error.outbound.connection_refused', { code: codeOf(error) }), error)

/** TLS over a checked connection; `name` must match the certificate. */
export function secure(socket: Socket, name: string, ms: number, ca?: string): Promise<Socket> {
  const secured = connectTls({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Explicit, since NODE_TLS_REJECT_UNAUTHORIZED would apply otherwise.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  })
  return settled(secured, 'secureConnect', ms, {
    late: () => new OutboundError('timeout', message('error.outbound.tls_late')),
    failed: (error) => new OutboundError('tls', message('error.outbound.tls_failed', { code: codeOf(error) }), error),
  })
}

interface Outcomes {
  late(): OutboundError
  failed(error: Error | undefined): OutboundError
}

/** Resolves with a ready socket, or destroys it. Later errors are handled, so that none ends the process. */
function settled<S extends Socket>(socket: S, ready: string, ms: number, outcomes: Outcomes): Promise<S> {
  return new Promise((resolve, reject) => {
    const fail = (error: OutboundError) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const timer = setTimeout(() => fail(outcomes.late()), Math.max(0, ms))
    socket.on('error', (error) => fail(outcomes.failed(error)))
    socket.once('close', () => fail(outcomes.failed(undefined)))
    socket.once(ready, () => {
      clearTimeout(timer)
      resolve(socket)
    })
  })
}
