import { type Config, ConfigError } from '../config.ts'
import { doorAddressNeeded } from '../purpose.ts'
import { Changes } from './changes.ts'
import { Database, type PoolSettings } from './database.ts'
import { Follower } from './follower.ts'
import { Freshness } from './freshness.ts'
import { ReplicaDatabase } from './replica-database.ts'

/** Behind the rights of svc_public: nothing a public read runs may write, not even a large object. */
const readOnly = { default_transaction_read_only: 'on' }

interface PublicPools {
  readonly db: Database
  readonly searchDb: Database
  /** Where public reads go, where there are two places for them. */
  readonly replica?: { readonly freshness: Freshness; stop(): Promise<void> }
}

/**
 * One pool for each kind of work: a slow kind can use up its own connections and nobody else's. With a replica each has
 * another at the primary, for what the replica cannot answer; where the primary's address is not known, only the replica.
 */
export function publicPools(config: Config, onError: (error: Error) => void = () => {}): PublicPools {
  const [replica] = config.REPLICA_DATABASE_URL
  const knowsPrimary = Boolean(config.PUBLIC_DATABASE_URL ?? config.DATABASE_URL)
  if (replica && knowsPrimary) return replicatedPools(config, replica, onError)
  const access = { ...signIn('public', replica ?? config.PUBLIC_DATABASE_URL, config), onError }
  return {
    db: new Database({ ...access, ...reading(config), name: 'public', connections: config.PUBLIC_CONNECTIONS }),
    searchDb: new Database({ ...access, ...searching(config), name: 'search', connections: config.SEARCH_CONNECTIONS }),
  }
}

function replicatedPools(config: Config, url: string, onError: (error: Error) => void): PublicPools {
  const primary = signIn('public', config.PUBLIC_DATABASE_URL, config)
  const follower: Follower = new Follower(url, {
    onMoved: () => freshness.look(),
    onGone: (error) => {
      onError(error)
      freshness.look()
      for (const database of [db, searchDb]) database.leaveReplica()
    },
  })
  const changes: Changes = new Changes({
    ...primary,
    onMoved: () => freshness.look(),
    onAway: (error) => {
      onError(error)
      for (const database of [db, searchDb]) database.leavePrimary()
    },
  })
  const freshness = new Freshness(changes, follower)
  const open = (name: string, kind: Kind, connections: number, atPrimary: number) => {
    const standIn = new Database({ ...primary, ...kind, onError, name: `${name}_primary`, connections: atPrimary })
    return new ReplicaDatabase({ ...kind, url, onError, name, connections }, standIn, freshness)
  }
  const atPrimary = config.PRIMARY_CONNECTIONS
  const db = open('public', reading(config), config.PUBLIC_CONNECTIONS, atPrimary)
  const searchDb = open('search', searching(config), config.SEARCH_CONNECTIONS, Math.ceil(atPrimary / 2))
  const stop = async () => {
    await Promise.all([follower.stop(), changes.stop()])
  }
  return { db, searchDb, replica: { freshness, stop } }
}

type Kind = Pick<PoolSettings, 'statementTimeout' | 'timeoutFactor' | 'settings' | 'readsOnly'>

const reading = ({ TIMEOUT_FACTOR }: Config): Kind => ({
  statementTimeout: 2000,
  timeoutFactor: TIMEOUT_FACTOR,
  settings: readOnly,
  readsOnly: true,
})

const searching = ({ SEARCH_BUDGET, TIMEOUT_FACTOR }: Config): Kind => ({
  // Behind the budget, for a statement that is slower than it was thought to be.
  statementTimeout: SEARCH_BUDGET + 100,
  timeoutFactor: TIMEOUT_FACTOR,
  // Search writes its own plans (features/pieces/search/sites.ts); these keep the planner to them.
  settings: { ...readOnly, enable_seqscan: 'off', max_parallel_workers_per_gather: '0', work_mem: '16MB' },
  readsOnly: true,
})

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
    timeoutFactor: config.TIMEOUT_FACTOR,
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
    timeoutFactor: config.TIMEOUT_FACTOR,
  })
}

/** As the role itself where it has an address of its own, else as the owner who takes the role on. */
function signIn(name: 'public' | 'api' | 'desk', own: string | undefined, { DATABASE_URL }: Config) {
  if (own) return { url: own }
  if (DATABASE_URL) return { url: DATABASE_URL, role: `svc_${name}` }
  throw new ConfigError([doorAddressNeeded(name === 'api' ? 'write' : name)])
}
