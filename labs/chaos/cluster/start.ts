import pg from 'pg'
import { migrate } from '../../../server/platform/db/migrate.ts'
import { placesOf } from '../../../testkit/engines/data-nodes.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../../../testkit/engines/database-proxy.ts'
import { demandPrograms, scratchFolder, until } from '../../../testkit/engines/engine.ts'
import { type Etcd, startEtcd } from '../../../testkit/engines/etcd.ts'
import { type Cluster, startCluster } from '../../../testkit/engines/patroni.ts'
import { type Program, startServer, startWorker } from '../../../testkit/engines/site.ts'
import { type Ground, layGround } from './netns.ts'

/**
 * A whole site: three data nodes, their proxy, two servers and two workers, each with its own role's password. What is
 * public each server reads from a node of its own, which is the primary as often as not.
 */

export interface Site {
  readonly ground: Ground
  readonly cluster: Cluster
  readonly etcd: Etcd
  readonly proxy: DatabaseProxy
  readonly servers: readonly Program[]
  readonly workers: readonly Program[]
  /** As the owner, by the proxy; connections break when nodes do. */
  readonly admin: pg.Pool
  /** The database as a role, by the proxy. */
  urlOf(role: string): string
  /** A worker more, with something else in its environment. */
  addWorker(env: Readonly<Record<string, string>>): Promise<Program>
  /** Of PostgreSQL and Patroni. */
  readonly databaseLog: string
  /** Of the site's own processes. */
  readonly logs: readonly string[]
}

const database = 'standfirst'
const roles = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker'] as const
const passwordOf = (role: string) => `of-chaos-${role}`
const serverPorts = [8081, 8082]

export async function startSite(allow: string, logFolder: string, tell: (what: string) => void): Promise<Site> {
  demandPrograms('ip', 'nft', 'etcd', 'patroni', 'haproxy', 'faketime')
  const ground = layGround(['node1', 'node2', 'node3'])
  const places = placesOf(ground.addresses, ground.enter)
  tell('etcd, Patroni and PostgreSQL start')
  const databaseLog = `${logFolder}/patroni.log`
  const etcd = await startEtcd(places, `${logFolder}/etcd.log`)
  const disks = new Map(places.map(({ name }) => [name, ground.diskOf(name)]))
  const cluster = await startCluster(places, {
    log: databaseLog,
    folderOf: (name) => `${disks.get(name)}/data`,
  })
  const proxy = await startDatabaseProxy(places, { log: `${logFolder}/database-proxy.log` })
  const urlFor = (name: string, user?: string, password?: string) =>
    cluster.urlOf('127.0.0.1', proxy.primaryPort, name, user, password)
  const urlOf = (role: string) => urlFor(database, role, passwordOf(role))

  tell('the database is made')
  await makeDatabase(urlFor('postgres'))
  await migrate(urlFor(database))
  const admin = new pg.Pool({
    connectionString: urlFor(database),
    max: 4,
    connectionTimeoutMillis: 2000,
    query_timeout: 30_000,
  })
  admin.on('error', () => {})
  admin.on('connect', (client) => client.on('error', () => {}))
  for (const role of roles) await admin.query(`alter role ${role} password '${passwordOf(role)}'`)

  tell('servers and workers start')
  const media = `file://${scratchFolder('media')}`
  const shared = {
    BASE_URL: `http://127.0.0.1:${serverPorts[0]}`,
    MEDIA_URL: media,
    OUTBOUND_ALLOW: allow,
    SHUTDOWN_DELAY: '0',
    LOAD_FACTOR: '20',
    TIMEOUT_FACTOR: '2',
  }
  const serverEnv = {
    ...shared,
    PUBLIC_DATABASE_URL: urlOf('svc_public'),
    API_DATABASE_URL: urlOf('svc_api'),
    DESK_DATABASE_URL: urlOf('svc_desk'),
  }
  const workerEnv = { ...shared, WORKER_DATABASE_URL: urlOf('svc_worker') }
  const logs = [`${logFolder}/servers.log`, `${logFolder}/workers.log`] as const
  const addWorker = (env: Readonly<Record<string, string>>) =>
    startWorker({ env: { ...workerEnv, ...env }, log: logs[1] })
  const servers = await Promise.all(
    serverPorts.map((port, place) => {
      const replica = cluster.urlOf(ground.addresses[place]!, 5432, database, 'svc_public', passwordOf('svc_public'))
      return startServer({ env: { ...serverEnv, REPLICA_DATABASE_URL: replica }, log: logs[0], port })
    }),
  )
  const workers = await Promise.all([addWorker({}), addWorker({})])
  return { ground, cluster, etcd, proxy, servers, workers, admin, urlOf, addWorker, databaseLog, logs }
}

async function makeDatabase(url: string): Promise<void> {
  await until('a primary behind the proxy', async () => {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1000 })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query('select from pg_database where datname = $1', [database])
      if (rows.length === 0) await client.query(`create database ${database}`)
      return true
    } catch {
      return false
    } finally {
      await client.end().catch(() => {})
    }
  })
}

/** For what must be known in the end, however often the connection breaks. */
export async function persistently<T>(ask: () => Promise<T>, patience = 60_000): Promise<T> {
  let answer: T | undefined
  let trouble: unknown
  await until(
    'the database',
    async () => {
      try {
        answer = await ask()
        return true
      } catch (error) {
        trouble = error
        return false
      }
    },
    patience,
  ).catch((late) => {
    throw new AggregateError([late, trouble], (trouble as Error | undefined)?.message ?? 'no answer')
  })
  return answer as T
}
