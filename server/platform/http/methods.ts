import type { FastifyInstance, HTTPMethods } from 'fastify'
import { ServiceError } from '../errors.ts'
import { isPrivate, privateHeaders } from './security.ts'

const all: readonly HTTPMethods[] = ['GET', 'HEAD', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Answers 405 with `Allow` for known addresses, and CORS preflights where other origins are allowed. Call it before
 * adding routes, and `complete` after all are added.
 */
export function answerOtherMethods(app: FastifyInstance): { complete(): void } {
  const methodsAt = new Map<string, Set<string>>()
  const described: Route[] = []
  app.addHook('onRoute', ({ url, method, schema }) => {
    if (schema && !('hide' in schema))
      for (const one of [method].flat()) described.push({ url, method: one, summary: summaryOf(schema) })
    const methods = methodsAt.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsAt.set(url, methods)
  })

  const complete = () => {
    for (const [url, known] of [...methodsAt]) {
      // Asks the router: for an address with a trailing slash the hook only sees HEAD.
      const missing = all.filter((method) => !app.hasRoute({ method, url }))
      const taken = all.filter((method) => !missing.includes(method) && !['HEAD', 'OPTIONS'].includes(method))
      const allow = [...new Set([...known, ...taken, 'OPTIONS'])].join(', ')
      if (url.includes('*') || missing.length === 0) continue
      app.route({
        url,
        method: missing,
        schema: { hide: true } as object,
        onRequest: isPrivate(url) ? privateHeaders : [],
        // After the body was read: an earlier response would leave the rest of it to the next request on the
        // connection.
        handler: (request, reply) => {
          reply.header('allow', allow)
          if (request.method !== 'OPTIONS') throw notTaken({ url, method: request.method }, taken, described)
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

interface Route {
  readonly url: string
  readonly method: string
  readonly summary?: string | undefined
}

const summaryOf = (schema: object): string | undefined => (schema as { summary?: string }).summary

/** Names the methods this address takes, and nearby addresses that take this method. */
function notTaken(asked: Route, taken: readonly string[], described: readonly Route[]): ServiceError {
  const { url, method } = asked
  const near = described.filter(
    (route) => route.method === method && (isUnder(route.url, url) || isUnder(url, route.url)),
  )
  const elsewhere = near.length > 0 ? ` For ${method} there is ${listed(near.map(written))}.` : ''
  const detail = `This address does not accept ${method}; it accepts ${listed(taken)}.${elsewhere}`
  return new ServiceError(405, 'method_not_allowed', detail)
}

/** By one segment. */
const isUnder = (url: string, above: string): boolean =>
  url.startsWith(`${above}/`) && !url.slice(above.length + 1).includes('/')

/** As in the documentation. */
const written = ({ url, summary }: Route): string =>
  `${url.replaceAll(/:(\w+)/g, '{$1}')}${summary ? ` (${summary.charAt(0).toLowerCase()}${summary.slice(1)})` : ''}`

const sentence = new Intl.ListFormat('en-GB')
const listed = (names: readonly string[]): string => sentence.format(names)
