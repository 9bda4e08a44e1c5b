import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../db/database.ts'

export interface Metrics {
  readonly registry: Registry
  readonly partialSearches: Counter
}

export function createMetrics(databases: readonly Database[]): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'standfirst_database_connections',
    help: 'Connections by pool and state',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const { name, pool } of databases) {
        this.set({ pool: name, state: 'idle' }, pool.idleCount)
        this.set({ pool: name, state: 'busy' }, pool.totalCount - pool.idleCount)
        this.set({ pool: name, state: 'awaited' }, pool.waitingCount)
      }
    },
  })
  const partialSearches = new Counter({
    name: 'standfirst_partial_searches_total',
    help: 'Searches that ran out of their time',
    registers: [registry],
  })
  return { registry, partialSearches }
}

/** Every answer, by the route it matched and never by the address asked, which anyone can make up. */
export function measureRequests(app: FastifyInstance, { registry }: Metrics): void {
  const duration = new Histogram({
    name: 'standfirst_request_seconds',
    help: 'Time to answer, by route',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  })
  const known = new Map<string, ReturnType<typeof duration.labels>>()
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    const key = `${request.method} ${route} ${reply.statusCode}`
    let labelled = known.get(key)
    if (!labelled) {
      labelled = duration.labels(request.method, route, String(reply.statusCode))
      known.set(key, labelled)
    }
    labelled.observe(reply.elapsedTime / 1000)
    done()
  })
}
