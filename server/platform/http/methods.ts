import type { FastifyInstance, HTTPMethods } from 'fastify'
import { failure } from './errors.ts'
import { isPrivate, privateDoor } from './security.ts'

const all: readonly HTTPMethods[] = ['GET', 'HEAD', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Answers 405 with `Allow` where an address exists and the method does not, and the preflight of browsers
 * where the address is open to other origins. Call it before the routes; it completes them when they are all known.
 */
export function answerOtherMethods(app: FastifyInstance): { complete(): void } {
  const methodsAt = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsAt.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsAt.set(url, methods)
  })

  const complete = () => {
    for (const [url, known] of [...methodsAt]) {
      const allow = [...known, 'OPTIONS'].join(', ')
      // Asked of the router: of an address with a slash at its end the hook hears only HEAD.
      const missing = all.filter((method) => !app.hasRoute({ method, url }))
      if (url.includes('*') || missing.length === 0) continue
      app.route({
        url,
        method: missing,
        schema: { hide: true } as object,
        onRequest: isPrivate(url) ? privateDoor : [],
        // After the body was read: an answer before it would leave the rest of it to the next request of the connection.
        handler: (request, reply) => {
          reply.header('allow', allow)
          if (request.method !== 'OPTIONS') throw failure(405)
          if (!isPrivate(url)) {
            reply.headers({
              'access-control-allow-methods': allow,
              'access-control-allow-headers': '*',
              'access-control-max-age': '86400',
            })
          }
          return reply.code(204).send()
        },
      })
    }
  }
  return { complete }
}
