import { type ChildProcess, execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readEnvFile } from '../file-formats.ts'
import { asPostgres, isListening, scratchFolder, startEngine, stopEngine, waitUntil } from './engine.ts'

/** PostgreSQL under Patroni, with the configuration of `deploy/ha`. */

const configuration = new URL('../../deploy/ha/patroni.yaml', import.meta.url)

/** Three nodes share one machine here, so none has the socket; and there is no archive. */
function configurationFile(): string {
  let text = readFileSync(configuration, 'utf8')
  for (const [from, to] of [
    ['unix_socket_directories: /var/run/postgresql', 'unix_socket_directories: ""'],
    ['archive_command: pgbackrest --stanza=site archive-push %p', 'archive_command: /bin/true'],
    ['    - local all postgres peer\n', ''],
  ] as const) {
    if (!text.includes(from)) throw new Error(`deploy/ha/patroni.yaml does not say ${from.trim()}`)
    text = text.replace(from, to)
  }
  const file = `${scratchFolder('patroni', 'postgres')}/patroni.yaml`
  writeFileSync(file, text)
  return file
}

export interface DataNode extends NodeSpec {
  readonly folder: string
  readonly patroni: ChildProcess
  /** Of the postmaster; undefined where none runs. */
  postmaster(): number | undefined
  /** Patroni, postmaster and all their children. */
  pids(): number[]
  start(): void
  /** As an operator stops it: PostgreSQL with it. */
  stop(): Promise<void>
}

export interface Cluster {
  readonly nodes: readonly DataNode[]
  /** The node that says it is the primary. */
  primary(): Promise<DataNode | undefined>
  /** The node that a commit waits for. */
  synchronous(): Promise<DataNode | undefined>
  urlOf(host: string, port: number, database: string, user?: string, password?: string): string
}

interface ClusterOptions {
  readonly log: string
  /** Where a node keeps its data; a scratch folder unless it is said. */
  readonly folderOf?: (name: string) => string
}

/** A primary and two that stream from it, in step with it, when this returns. */
export async function startCluster(places: readonly NodeSpec[], starting: ClusterOptions): Promise<Cluster> {
  const file = configurationFile()
  const nodes = places.map((place) => dataNode(place, starting, file))
  const cluster: Cluster = {
    nodes,
    primary: () => first(nodes, (node) => hasRole(node, 'primary')),
    synchronous: () => first(nodes, (node) => hasRole(node, 'synchronous')),
    urlOf: (host, port, database, user = 'postgres', password = passwords.SUPERUSER_PASSWORD) =>
      `postgres://${user}:${password}@${host}:${port}/${database}`,
  }
  process.once('exit', () => {
    for (const node of nodes) for (const pid of node.pids()) end(pid)
  })
  // The first makes the database, the others copy it.
  nodes[0]!.start()
  await waitUntil('a primary', async () => (await cluster.primary()) !== undefined)
  for (const node of nodes.slice(1)) node.start()
  await waitUntil('two standbys in step', () => isInSync(cluster), 120_000)
  return cluster
}

/** One primary and two synchronous standbys on the same timeline. */
export async function isInSync(cluster: Cluster): Promise<boolean> {
  const primary = await cluster.primary()
  if (!primary) return false
  // A standby that must still rewind also streams, but confirms nothing.
  const timelines = await Promise.all(cluster.nodes.map(timelineOf))
  if (timelines.includes(undefined) || new Set(timelines).size > 1) return false
  const client = new pg.Client({
    connectionString: cluster.urlOf(primary.address, 5432, 'postgres'),
    connectionTimeoutMillis: 1000,
    query_timeout: 1000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ sync_state: string }>(
      "select sync_state from pg_stat_replication where state = 'streaming'",
    )
    return rows.length === 2 && rows.every((one) => one.sync_state === 'sync')
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

function dataNode(place: NodeSpec, { log, folderOf }: ClusterOptions, file: string): DataNode {
  const own = scratchFolder(place.name, 'postgres')
  const folder = folderOf?.(place.name) ?? `${own}/data`
  const env = {
    ...place.settings,
    PATRONI_POSTGRESQL_DATA_DIR: folder,
    PATRONI_POSTGRESQL_PGPASS: `${own}/pgpass`,
  }
  let patroni: ChildProcess | undefined
  const postmaster = () => livingPostmaster(folder)
  return {
    ...place,
    folder,
    get patroni() {
      return patroni!
    },
    postmaster,
    pids: () => treesOf([patroni?.exitCode === null ? patroni.pid : undefined, postmaster()]),
    start: () => {
      const command = [...place.enter, ...asPostgres('/usr/bin/patroni', [file])]
      patroni = startEngine(command as unknown as [string, ...string[]], { env, log })
    },
    stop: () => stopEngine(patroni!, 'SIGTERM'),
  }
}

/** What a node's Patroni answers, as HAProxy asks it. */
const hasRole = ({ address }: NodeSpec, what: 'primary' | 'synchronous'): Promise<boolean> =>
  fetch(`http://${address}:8008/${what}`, { signal: AbortSignal.timeout(1000) }).then(
    (answer) => answer.status === 200,
    () => false,
  )

const timelineOf = ({ address }: NodeSpec): Promise<number | undefined> =>
  fetch(`http://${address}:8008/patroni`, { signal: AbortSignal.timeout(1000) })
    .then(async (answer) => {
      const { state, timeline } = (await answer.json()) as { state: string; timeline?: number }
      return state === 'running' ? timeline : undefined
    })
    .catch(() => undefined)

async function first<T>(all: readonly T[], isIt: (one: T) => Promise<boolean>): Promise<T | undefined> {
  const are = await Promise.all(all.map(isIt))
  return all[are.indexOf(true)]
}

function livingPostmaster(folder: string): number | undefined {
  try {
    const pid = Number(readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n')[0])
    return readFileSync(`/proc/${pid}/stat`, 'latin1').includes('postgres') ? pid : undefined
  } catch {
    return undefined
  }
}

/** These processes and all their descendants. */
function treesOf(roots: readonly (number | undefined)[]): number[] {
  const children = Map.groupBy(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), parent: parentOf(name) })),
    ({ parent }) => parent,
  )
  const found = new Set<number>()
  const visit = (pid: number) => {
    if (found.has(pid)) return
    found.add(pid)
    for (const child of children.get(pid) ?? []) visit(child.pid)
  }
  for (const root of roots) if (root !== undefined) visit(root)
  return [...found]
}

function parentOf(pid: string): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

/** It may be gone already. */
function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is.
  }
}

/** The three data nodes of a site: where each is, and what `deploy/ha/settings` gives it, as an operator runs it. */

export interface NodeSpec {
  readonly name: string
  readonly address: string
  /** What a command begins with to run there, such as `ip netns exec node1`; empty on this machine itself. */
  readonly enter: readonly string[]
  readonly settings: Readonly<Record<string, string>>
}

export const passwords = {
  SUPERUSER_PASSWORD: 'of-trials-superuser',
  REPLICATION_PASSWORD: 'of-trials-replication',
  PATRONI_PASSWORD: 'of-trials-patroni',
}

const settings = fileURLToPath(new URL('../../deploy/ha/settings', import.meta.url))

/** Addresses of this process alone, so that two runs at once have each their own ports 5432, 8008, 2379 and 2380. */
const loopback = (last: number): string => `127.${64 + ((process.pid >> 8) & 127)}.${process.pid & 255}.${last}`

/** All on this machine, or each in a network namespace. */
export function nodeSpecs(
  addresses: readonly string[] = [1, 2, 3].map(loopback),
  enter: (name: string) => readonly string[] = () => [],
): NodeSpec[] {
  return addresses.map((address, at) => {
    const name = `node${at + 1}`
    const printed = execFileSync(settings, [address, ...addresses], {
      env: { ...process.env, ...passwords },
      encoding: 'utf8',
    })
    return { name, address, enter: enter(name), settings: readEnvFile(printed) }
  })
}

/** Three members of etcd, one at each data node. */

export interface Etcd {
  /** Kills a member; `start` starts it again with its data. */
  kill(name: string): Promise<void>
  pidOf(name: string): number
  start(name: string): void
  stop(): Promise<void>
}

export async function startEtcd(places: readonly NodeSpec[], log: string): Promise<Etcd> {
  const folder = scratchFolder('etcd')
  const members = new Map<string, ChildProcess>()
  const start = (name: string) => {
    const { enter, settings } = places.find((place) => place.name === name)!
    const env = { ...settings, ETCD_DATA_DIR: `${folder}/${name}`, ETCD_LOG_LEVEL: 'warn' }
    const command = [...enter, 'etcd'] as unknown as [string, ...string[]]
    members.set(name, startEngine(command, { env, log }))
  }
  for (const { name } of places) start(name)
  await waitUntil('etcd', async () => {
    const healthy = await Promise.all(places.map(({ address }) => isHealthy(address)))
    return healthy.every(Boolean)
  })
  return {
    kill: (name) => stopEngine(members.get(name)!, 'SIGKILL'),
    pidOf: (name) => members.get(name)!.pid!,
    start,
    stop: async () => {
      await Promise.all([...members.values()].map((member) => stopEngine(member, 'SIGKILL')))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const isHealthy = (address: string): Promise<boolean> =>
  fetch(`http://${address}:2379/health`, { signal: AbortSignal.timeout(1000) }).then(
    async (answer) => ((await answer.json()) as { health: string }).health === 'true',
    () => false,
  )

/** HAProxy between a site and its data nodes, with the configuration of `deploy/ha`. */

const haproxyConfig = fileURLToPath(new URL('../../deploy/ha/haproxy.cfg', import.meta.url))

export interface DatabaseProxy {
  readonly primaryPort: number
  readonly replicasPort: number
  /** A command of HAProxy's own, and its answer. */
  ask(command: string): Promise<string>
  stop(): Promise<void>
}

export async function startDatabaseProxy(
  places: readonly NodeSpec[],
  { address = '127.0.0.1', log }: { readonly address?: string; readonly log: string },
): Promise<DatabaseProxy> {
  const socket = `${scratchFolder('proxy')}/haproxy.sock`
  const env = { ...places[0]!.settings, DATABASE_PROXY: address }
  const child = startEngine(['haproxy', '-db', '-S', `${socket}.master`, '-W', '-f', haproxyConfig], { env, log })
  await waitUntil('the database proxy', () => isListening(5000, address))
  return {
    primaryPort: 5000,
    replicasPort: 5001,
    ask: (command) => {
      const line = createConnection(`${socket}.master`)
      line.end(`@1 ${command}\n`)
      return text(line)
    },
    stop: () => stopEngine(child, 'SIGKILL'),
  }
}
