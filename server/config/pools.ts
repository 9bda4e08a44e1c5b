import pg from 'pg'
import {
  type Access,
  accessFor,
  assertDirect,
  listeningAccess,
  type Role,
  readOnly,
  replicaAccess,
  statementTimeouts,
  WrongConnection,
} from '#platform/db/access.ts'
import { Database, type PoolSettings } from '#platform/db/database.ts'
import { PrimaryWatch } from '#platform/db/primary-watch.ts'
import { ReadRouter } from '#platform/db/read-routing.ts'
import { ReplicaDatabase } from '#platform/db/replica-database.ts'
import { ReplicaWatch } from '#platform/db/replica-watch.ts'
import { type Config, ConfigError } from './config.ts'
import { listenerNeeded, surfaceAddressNeeded } from './required-settings.ts'

interface PublicPools {
  readonly db: Database
  readonly searchDb: Database
  /** Routing of public reads, if there is a replica. */
  readonly replica?: { readonly router: ReadRouter; stop(): Promise<void> }
}

/**
 * One pool for each kind of work, so that a slow kind uses up only its own connections. With a replica each has a
 * second pool at the primary, for what the replica cannot answer; without the primary's address there is only the
 * replica.
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
  if (!listening) throw new ConfigError([listenerNeeded()])
  const replicaWatch: ReplicaWatch = new ReplicaWatch(replica.url, {
    onMoved: () => router.look(),
    onGone: (error) => {
      onError(error)
      router.look()
      for (const database of [db, searchDb]) database.leaveReplica()
    },
  })
  const primaryWatch: PrimaryWatch = new PrimaryWatch({
    ...listening,
    onMoved: () => router.look(),
    onAway: (error) => {
      onError(error)
      for (const database of [db, searchDb]) database.leavePrimary()
    },
  })
  const router = new ReadRouter(primaryWatch, replicaWatch)
  const open = (name: string, kind: Kind, connections: number, atPrimary: number) => {
    const primaryPool = new Database({ ...primary, ...kind, onError, name: `${name}_primary`, connections: atPrimary })
    return new ReplicaDatabase({ ...replica, ...kind, onError, name, connections }, primaryPool, router)
  }
  const atPrimary = config.PRIMARY_CONNECTIONS
  const db = open('public', reading(config), config.PUBLIC_CONNECTIONS, atPrimary)
  const searchDb = open('search', searching(config), config.SEARCH_CONNECTIONS, Math.ceil(atPrimary / 2))
  const stop = async () => {
    await Promise.all([replicaWatch.stop(), primaryWatch.stop()])
  }
  return { db, searchDb, replica: { router, stop } }
}

type Kind = Pick<PoolSettings, 'statementTimeout' | 'timeoutFactor' | 'settings' | 'readsOnly'>

const reading = ({ TIMEOUT_FACTOR }: Config): Kind => ({
  statementTimeout: statementTimeouts.svc_public,
  timeoutFactor: TIMEOUT_FACTOR,
  settings: readOnly,
  readsOnly: true,
})

const searching = ({ SEARCH_BUDGET, TIMEOUT_FACTOR }: Config): Kind => ({
  // A safety margin above the budget, for statements that are slower than estimated.
  statementTimeout: SEARCH_BUDGET + 100,
  timeoutFactor: TIMEOUT_FACTOR,
  // Search writes its own plans (features/pieces/search/candidates.ts); these settings keep the planner to them.
  settings: { ...readOnly, enable_seqscan: 'off', max_parallel_workers_per_gather: '0', work_mem: '16384' },
  readsOnly: true,
})

/**
 * Adds to read counters, as the public role, which can write nothing else. Always the primary; undefined if a process
 * only knows a replica.
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

/** For API keys. Always the primary: a revoked key stops working with its next request. */
export const apiPool = (config: Config, onError?: (error: Error) => void): Database =>
  rolePool('api', config, config.API_CONNECTIONS, onError)

/** For users of the desk. */
export const deskPool = (config: Config, onError?: (error: Error) => void): Database =>
  rolePool('desk', config, config.DESK_CONNECTIONS, onError)

/** For account exports: few at once, each held for the length of a download. */
export const exportPool = (config: Config, onError?: (error: Error) => void): Database =>
  new Database({
    ...(accessFor(config, 'svc_desk') ?? needed('desk')),
    ...(onError ? { onError } : {}),
    name: 'export',
    connections: 2,
    statementTimeout: 20_000,
    timeoutFactor: config.TIMEOUT_FACTOR,
    // A client that reads nothing for longer than this is gone.
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

/** Throws `WrongConnection` if DIRECT_DATABASE_URL leads through a pooler. */
export async function verifyDirect(config: Config): Promise<void> {
  const access = config.POOLER === 'none' ? undefined : listeningAccess(config, 'svc_public')
  if (!access) return
  const client = new pg.Client({ connectionString: access.url, connectionTimeoutMillis: 5000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await assertDirect(client, 'DIRECT_DATABASE_URL')
  } catch (error) {
    if (error instanceof WrongConnection) throw error
  } finally {
    await client.end()
  }
}

function needed(surface: 'public' | 'write' | 'desk'): never {
  throw new ConfigError([surfaceAddressNeeded(surface)])
}
