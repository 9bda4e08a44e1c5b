import { type Config, ConfigError } from '../config.ts'
import { doorAddressNeeded } from '../purpose.ts'
import { Database } from './database.ts'

/** Behind the rights of svc_public: nothing a public read runs may write, not even a large object. */
const readOnly = { default_transaction_read_only: 'on' }

/** One pool for each kind of work: a slow kind can use up its own connections and nobody else's. */
export function publicPools(config: Config, onError?: (error: Error) => void): { db: Database; searchDb: Database } {
  const own = config.REPLICA_DATABASE_URL ?? config.PUBLIC_DATABASE_URL
  const access = { ...signIn('public', own, config), ...(onError ? { onError } : {}) }
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

/**
 * Adds reads to their counts, as the public role, which can do that and nothing else that writes. Only ever the primary;
 * undefined where a process knows a replica alone.
 */
export function countingPool(config: Config, onError?: (error: Error) => void): Database | undefined {
  if (!config.PUBLIC_DATABASE_URL && !config.DATABASE_URL) return undefined
  return new Database({
    ...signIn('public', config.PUBLIC_DATABASE_URL, config),
    ...(onError ? { onError } : {}),
    name: 'counting',
    connections: 1,
    statementTimeout: 5000,
  })
}

/** What a writer's key may do. Only ever the primary: a revoked key stops on its next request. */
export const apiPool = (config: Config, onError?: (error: Error) => void): Database =>
  rolePool('api', config.API_DATABASE_URL, config, config.API_CONNECTIONS, onError)

/** What a person at the desk may do. */
export const deskPool = (config: Config, onError?: (error: Error) => void): Database =>
  rolePool('desk', config.DESK_DATABASE_URL, config, config.DESK_CONNECTIONS, onError)

/** What a person takes along: few at once, each held for as long as a download lasts. */
export const exportPool = (config: Config, onError?: (error: Error) => void): Database =>
  new Database({
    ...signIn('desk', config.DESK_DATABASE_URL, config),
    ...(onError ? { onError } : {}),
    name: 'export',
    connections: 2,
    statementTimeout: 20_000,
    // A reader that takes longer than this to make room is gone.
    settings: { idle_in_transaction_session_timeout: '30000' },
  })

function rolePool(
  name: 'api' | 'desk',
  own: string | undefined,
  config: Config,
  connections: number,
  onError?: (error: Error) => void,
): Database {
  return new Database({
    ...signIn(name, own, config),
    ...(onError ? { onError } : {}),
    name,
    connections,
    statementTimeout: 2500,
  })
}

/** As the role itself where it has an address of its own, else as the owner who takes the role on. */
function signIn(name: 'public' | 'api' | 'desk', own: string | undefined, { DATABASE_URL }: Config) {
  if (own) return { url: own }
  if (DATABASE_URL) return { url: DATABASE_URL, role: `svc_${name}` }
  throw new ConfigError([doorAddressNeeded(name === 'api' ? 'write' : name)])
}
