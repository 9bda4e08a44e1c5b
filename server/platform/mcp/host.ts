import type { onRequestHookHandler } from 'fastify'
import { ServiceError } from '../errors.ts'

/**
 * Against pages that rebind their own name to this machine: on a loopback socket the Host must be ours. Such a page
 * always sends its own. Every origin may ask: what is not for everybody asks for a key, which no page has by itself.
 */
export function checkHost(baseUrl: string, allowed: readonly string[]): onRequestHookHandler {
  const known = new Set(['localhost', '127.0.0.1', '[::1]', new URL(baseUrl).hostname, ...allowed])
  return (request, _reply, done) => {
    const { origin, host = '' } = request.headers
    if (origin !== undefined && !isOrigin(origin)) return done(refusal('The Origin of this request is no origin.'))
    const isLocal = isLoopback(request.raw.socket.localAddress)
    if (isLocal && !known.has(nameOf(host)))
      return done(refusal('This Host is not one of ours. MCP_ALLOWED_HOSTS names those that are.'))
    done()
  }
}

const isOrigin = (origin: string): boolean =>
  origin === 'null' || (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@\\]*$/i.test(origin) && URL.canParse(origin))

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(?:::ffff:)?127\.|^::1$/i.test(address)

const nameOf = (host: string): string => host.toLowerCase().replace(/:\d*$/, '')

const refusal = (words: string) => new ServiceError(403, 'forbidden', words)
