import pg from 'pg'
import { type Config, ConfigError } from '../config.ts'
import { doorAddressNeeded, listenerNeeded } from '../required-settings.ts'
import {
  type Access,
  accessFor,
  listeningAccess,
  type Role,
  readOnly,
  replicaAccess,
  statementTimeouts,
} from './access.ts'
import { Database, type PoolSettings } from './database.ts'
import { Changes } from './primary-watch.ts'
import { ReadRouting } from './read-routing.ts'
import { ReplicaDatabase } from './replica-database.ts'
import { ReplicaWatch } from './replica-watch.ts'
import { demandDirect, WrongConnection } from './verify.ts'

interface PublicPools {
  readonly db: Database
  readonly searchDb: Database
  /** Where public reads go, where there are two places for them. */
  readonly replica?: { readonly freshness: ReadRouting; stop(): Promise<void> }
}

/**
 * One pool for each kind of work: a slow kind can use up its own connections and nobody else's. With a replica each has
 * another at the primary, for what the replica cannot answer; where the primary's address is not known, only the replica.
 */
export function publicPools(config: Config, onError: (error: Error) => void = () => {}): PublicPools {
  const [url] = config.REPLICA_DATABASE_URL
  const primary = accessFor(config, 'svc_public')
  const replica = url === undefined ? undefined : replicaAccess(config, url)
  if (replica && primary) return replicatedPools(config, replica, primary, onError)
  const access = { ...(replica ?? primary ?? needed('public')), onError }
  return {
    db: new Database({ ...access, ...reading(config), name: 'public', connections: config.PUBLIC_CONNECTIONS }),
    searchDb: new Database({ ...access, ...searching(config), name: 'search', connections: config.SEARCH_CONNECTIONS }),
  }
}

function replicatedPools(
  config: Config,
  replica: Access,
  primary: Access,
  onError: (error: Error) => void,
): PublicPools {
  const listening = listeningAccess(config, 'svc_public')
  if (!listening) throw new ConfigError([listenerNeeded])
  const follower: ReplicaWatch = new ReplicaWatch(replica.url, {
    onMoved: () => freshness.look(),
    onGone: (error) => {
      onError(error)
      freshness.look()
      for (const database of [db, searchDb]) database.leaveReplica()
    },
  })
  const changes: Changes = new Changes({
    ...listening,
    onMoved: () => freshness.look(),
    onAway: (error) => {
      onError(error)
      for (const database of [db, searchDb]) database.leavePrimary()
    },
  })
  const freshness = new ReadRouting(changes, follower)
  const open = (name: string, kind: Kind, connections: number, atPrimary: number) => {
    const standIn = new Database({ ...primary, ...kind, onError, name: `${name}_primary`, connections: atPrimary })
    return new ReplicaDatabase({ ...replica, ...kind, onError, name, connections }, standIn, freshness)
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
  statementTimeout: statementTimeouts.svc_public,
  timeoutFactor: TIMEOUT_FACTOR,
  settings: readOnly,
  readsOnly: true,
})

const searching = ({ SEARCH_BUDGET, TIMEOUT_FACTOR }: Config): Kind => ({
  // Behind the budget, for a statement that is slower than it was thought to be.
  statementTimeout: SEARCH_BUDGET + 100,
  timeoutFactor: TIMEOUT_FACTOR,
  // Search writes its own plans (features/pieces/search/sites.ts); these keep the planner to them.
  settings: { ...readOnly, enable_seqscan: 'off', max_parallel_workers_per_gather: '0', work_mem: '16384' },
  readsOnly: true,
})

/**
 * Adds reads to their counts, as the public role, which can do that and nothing else that writes. Only ever the primary;
 * undefined where a process knows a replica alone.
 */
export function countingPool(config: Config, onError?: (error: Error) => void): Database | undefined {
  const access = accessFor(config, 'svc_public')
  if (!access) return undefined
  return new Database({
    ...access,
    ...(onError ? { onError } : {}),
    name: 'counting',
    connections: 1,
    statementTimeout: 5000,
    timeoutFactor: config.TIMEOUT_FACTOR,
  })
}

/** What a writer's key may do. Only ever the primary: a revoked key stops on its next request. */
export const apiPool = (config: Config, onError?: (error: Error) => void): Database =>
  rolePool('api', config, config.API_CONNECTIONS, onError)

/** What a person at the desk may do. */
export const deskPool = (config: Config, onError?: (error: Error) => void): Database =>
  rolePool('desk', config, config.DESK_CONNECTIONS, onError)

/** What a person takes along: few at once, each held for as long as a download lasts. */
export const exportPool = (config: Config, onError?: (error: Error) => void): Database =>
  new Database({
    ...(accessFor(config, 'svc_desk') ?? needed('desk')),
    ...(onError ? { onError } : {}),
    name: 'export',
    connections: 2,
    statementTimeout: 20_000,
    timeoutFactor: config.TIMEOUT_FACTOR,
    // A reader that takes longer than this to make room is gone.
    settings: { idle_in_transaction_session_timeout: '30000' },
  })

function rolePool(
  name: 'api' | 'desk',
  config: Config,
  connections: number,
  onError?: (error: Error) => void,
): Database {
  const role: Role = `svc_${name}`
  return new Database({
    ...(accessFor(config, role) ?? needed(name === 'api' ? 'write' : name)),
    ...(onError ? { onError } : {}),
    name,
    connections,
    statementTimeout: statementTimeouts[role],
    timeoutFactor: config.TIMEOUT_FACTOR,
  })
}

/** Throws `WrongConnection` where DIRECT_DATABASE_URL leads through a pooler after all. */
export async function verifyDirect(config: Config): Promise<void> {
  const access = config.POOLER === 'none' ? undefined : listeningAccess(config, 'svc_public')
  if (!access) return
  const client = new pg.Client({ connectionString: access.url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await demandDirect(client, 'DIRECT_DATABASE_URL')
  } catch (error) {
    if (error instanceof WrongConnection) throw error
  } finally {
    await client.end()
  }
}

function needed(door: 'public' | 'write' | 'desk'): never {
  throw new ConfigError([doorAddressNeeded(door)])
}
