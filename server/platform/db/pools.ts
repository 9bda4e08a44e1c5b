import type { Config } from '../config.ts'
import { Database } from './database.ts'

/** Behind the rights of svc_public: nothing a public read runs may write, not even a large object. */
const readOnly = { default_transaction_read_only: 'on' }

/** One pool for each kind of work: a slow kind can use up its own connections and nobody else's. */
export function publicPools(config: Config, onError?: (error: Error) => void): { db: Database; searchDb: Database } {
  const own = config.REPLICA_DATABASE_URL ?? config.PUBLIC_DATABASE_URL
  const access = {
    ...(own ? { url: own } : { url: config.DATABASE_URL!, role: 'svc_public' }),
    ...(onError ? { onError } : {}),
  }
  return {
    db: new Database({
      ...access,
      name: 'public',
      connections: config.PUBLIC_CONNECTIONS,
      statementTimeout: 2000,
      settings: readOnly,
    }),
    searchDb: new Database({
      ...access,
      name: 'search',
      connections: config.SEARCH_CONNECTIONS,
      // Behind the budget, for a statement that is slower than it was thought to be.
      statementTimeout: config.SEARCH_BUDGET + 100,
      // Search writes its own plans (features/pieces/search/sites.ts); these keep the planner to them.
      settings: { ...readOnly, enable_seqscan: 'off', max_parallel_workers_per_gather: '0', work_mem: '16MB' },
    }),
  }
}
