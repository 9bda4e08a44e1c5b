import type { FastifyInstance } from 'fastify'

export interface Route {
  readonly method: string
  readonly url: string
}

/** Every registered route, read from the router itself, so that none is forgotten: a new door is proved as it comes. */
export function routesOf(app: FastifyInstance): Route[] {
  const routes: Route[] = []
  const trail: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', path = '', methods] = /^([│├└─\s]*)(\S*)(?: \(([A-Z, ]+)\))?/.exec(line) ?? []
    const depth = Math.round(indent.length / 4)
    trail.splice(Math.max(depth - 1, 0), trail.length, path)
    for (const method of methods?.split(', ') ?? []) routes.push({ method, url: trail.join('') })
  }
  return routes
}
