import pg from 'pg'
import { migrate } from '../../../server/sql/migrate.ts'
import { requirePrograms, scratchFolder, waitUntil } from '../../../testkit/engines/engine.ts'
import {
  type Cluster,
  type DatabaseProxy,
  type Etcd,
  nodeSpecs,
  startCluster,
  startDatabaseProxy,
  startEtcd,
} from '../../../testkit/engines/patroni.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import { createNetwork, type Network } from './netns.ts'

/**
 * A whole site: three data nodes, their proxy, two servers and two workers, each with its role's password. Each server
 * reads public data from a different node, which may be the primary.
 */

export interface Site {
  readonly network: Network
  readonly cluster: Cluster
  readonly etcd: Etcd
  readonly proxy: DatabaseProxy
  readonly servers: readonly SiteProcess[]
  readonly workers: readonly SiteProcess[]
  /** As the owner, by the proxy; connections break when nodes do. */
  readonly admin: pg.Pool
  /** The database as a role, by the proxy. */
  urlOf(role: string): string
  /** A worker more, with something else in its environment. */
  addWorker(env: Readonly<Record<string, string>>): Promise<SiteProcess>
  /** Of PostgreSQL and Patroni. */
  readonly databaseLog: string
  /** Of the site's own processes. */
  readonly logs: readonly string[]
}

const database = 'standfirst'
const roles = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker'] as const
const passwordOf = (role: string) => `of-chaos-${role}`
const serverPorts = [8081, 8082]

export async function startSite(allow: string, logFolder: string, report: (what: string) => void): Promise<Site> {
  requirePrograms('ip', 'nft', 'etcd', 'patroni', 'haproxy', 'faketime')
  const network = createNetwork(['node1', 'node2', 'node3'])
  const places = nodeSpecs(network.addresses, network.enter)
  report('etcd, Patroni and PostgreSQL start')
  const databaseLog = `${logFolder}/patroni.log`
  const etcd = await startEtcd(places, `${logFolder}/etcd.log`)
  const disks = new Map(places.map(({ name }) => [name, network.diskOf(name)]))
  const cluster = await startCluster(places, {
    log: databaseLog,
    folderOf: (name) => `${disks.get(name)}/data`,
  })
  const proxy = await startDatabaseProxy(places, { log: `${logFolder}/database-proxy.log` })
  const urlFor = (name: string, user?: string, password?: string) =>
    cluster.urlOf('127.0.0.1', proxy.primaryPort, name, user, password)
  const urlOf = (role: string) => urlFor(database, role, passwordOf(role))

  report('the database is made')
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

  report('servers and workers start')
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
  // Without a mail server, emails are written to the log, with the headlines of drafts.
  const workerEnv = { ...shared, WORKER_DATABASE_URL: urlOf('svc_worker'), SMTP_URL: 'smtp://127.0.0.1:1' }
  const logs = [`${logFolder}/servers.log`, `${logFolder}/workers.log`] as const
  const addWorker = (env: Readonly<Record<string, string>>) =>
    startWorker({ env: { ...workerEnv, ...env }, log: logs[1] })
  const servers = await Promise.all(
    serverPorts.map((port, place) => {
      const replica = cluster.urlOf(network.addresses[place]!, 5432, database, 'svc_public', passwordOf('svc_public'))
      return startServer({ env: { ...serverEnv, REPLICA_DATABASE_URL: replica }, log: logs[0], port })
    }),
  )
  const workers = await Promise.all([addWorker({}), addWorker({})])
  return { network, cluster, etcd, proxy, servers, workers, admin, urlOf, addWorker, databaseLog, logs }
}

async function makeDatabase(url: string): Promise<void> {
  await waitUntil('a primary behind the proxy', async () => {
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

/** Retries a query until it is answered, however often the connection breaks. */
export async function withRetry<T>(ask: () => Promise<T>, timeout = 60_000): Promise<T> {
  let trouble: unknown
  const tryOnce = async () => {
    try {
      return { answer: await ask() }
    } catch (error) {
      trouble = error
      return undefined
    }
  }
  const { answer } = await waitUntil('the database', tryOnce, timeout).catch((late) => {
    throw new AggregateError([late, trouble], (trouble as Error | undefined)?.message ?? 'no answer')
  })
  return answer
}
