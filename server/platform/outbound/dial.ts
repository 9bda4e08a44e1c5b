import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { codeOf, OutboundError } from './outbound-error.ts'

/** How many of a name's addresses are tried: enough for a dead machine or two, too few to scan with. */
const mostTries = 4

/**
 * A connection to the first of these addresses that accepts one. Each has a fair share of the time left. No name is
 * looked up: these are addresses. Who is at the other end is looked at again before the first byte leaves.
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
  throw last ?? new OutboundError('dns', 'The name has no address.')
}

export const forbiddenAddress = () =>
  new OutboundError('forbidden_address', 'The name leads to an address that is not public. Point it to one that is.')

function reach(address: string, port: number, ms: number): Promise<Socket> {
  const socket = connect({ host: address, port, noDelay: true })
  return settled(socket, 'connect', ms, {
    late: () => new OutboundError('timeout', 'The server did not accept the connection in time. Check that it is up.'),
    failed: refused,
  })
}

const refused = (error?: Error) =>
  new OutboundError('connect', `The server did not accept the connection${codeOf(error)}. Check that it is up.`, error)

/** TLS over a connection whose other end is vetted; `name` is what the certificate must say. */
export function secure(socket: Socket, name: string, ms: number, ca?: string): Promise<Socket> {
  const advice = 'Check its certificate, and that it speaks TLS.'
  const secured = connectTls({
    socket,
    host: name,
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said aloud, since NODE_TLS_REJECT_UNAUTHORIZED would otherwise decide.
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
  })
  return settled(secured, 'secureConnect', ms, {
    late: () => new OutboundError('timeout', 'The server did not agree on an encrypted connection in time.'),
    failed: (error) =>
      new OutboundError('tls', `The server offered no encrypted connection to trust${codeOf(error)}. ${advice}`, error),
  })
}

interface Outcomes {
  late(): OutboundError
  failed(error: Error | undefined): OutboundError
}

/** A socket that is ready, or destroyed. Later errors of it are heard, so that none ends the process. */
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
