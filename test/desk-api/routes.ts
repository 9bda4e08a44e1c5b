import type { FastifyInstance, HTTPMethods } from 'fastify'

/** The routes under /desk, read from the router, so that new routes are included automatically. */
export interface DeskRoute {
  readonly path: string
  readonly method: HTTPMethods
}

export const someId = '00000000-0000-4000-8000-000000000000'
const unsafe = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

function deskPaths(app: FastifyInstance): string[] {
  const trail: string[] = []
  const paths: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = ''] = /^([│├└─\s]*)(\S+) \(/u.exec(line) ?? []
    if (!part) continue
    const depth = indent.length / 4
    trail.splice(depth - 1, Number.POSITIVE_INFINITY, part)
    paths.push(trail.join(''))
  }
  return paths
    .filter((path) => path.startsWith('/desk'))
    .map((path) => path.replace(/:revision\b/, '1').replace(/:\w+/g, someId))
}

/** Every route that may change something: all that do not answer 405 to our own pages. */
export async function unsafeRoutes(app: FastifyInstance): Promise<DeskRoute[]> {
  const found: DeskRoute[] = []
  for (const path of deskPaths(app)) {
    for (const method of unsafe) {
      const { statusCode } = await app.inject({ method, url: path, headers: { 'sec-fetch-site': 'same-origin' } })
      if (statusCode !== 405) found.push({ path, method })
    }
  }
  return found
}

/** Every route that reads. */
export async function readingRoutes(app: FastifyInstance): Promise<DeskRoute[]> {
  const found: DeskRoute[] = []
  for (const path of deskPaths(app)) {
    const { statusCode } = await app.inject({ method: 'GET', url: path })
    if (statusCode !== 405) found.push({ path, method: 'GET' })
  }
  return found
}
