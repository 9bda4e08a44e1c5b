import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import pg from 'pg'
import { type Place, passwords } from './data-nodes.ts'
import { asPostgres, scratchFolder, startEngine, stopEngine, until } from './engine.ts'

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

export interface DataNode extends Place {
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

interface Starting {
  readonly log: string
  /** Where a node keeps its data; a scratch folder unless it is said. */
  readonly folderOf?: (name: string) => string
}

/** A primary and two that stream from it, in step with it, when this returns. */
export async function startCluster(places: readonly Place[], starting: Starting): Promise<Cluster> {
  const file = configurationFile()
  const nodes = places.map((place) => dataNode(place, starting, file))
  const cluster: Cluster = {
    nodes,
    primary: () => first(nodes, (node) => says(node, 'primary')),
    synchronous: () => first(nodes, (node) => says(node, 'synchronous')),
    urlOf: (host, port, database, user = 'postgres', password = passwords.SUPERUSER_PASSWORD) =>
      `postgres://${user}:${password}@${host}:${port}/${database}`,
  }
  process.once('exit', () => {
    for (const node of nodes) for (const pid of node.pids()) end(pid)
  })
  // The first makes the database, the others copy it.
  nodes[0]!.start()
  await until('a primary', async () => (await cluster.primary()) !== undefined)
  for (const node of nodes.slice(1)) node.start()
  await until('two standbys in step', () => areWhole(cluster), 120_000)
  return cluster
}

/** One primary, and two in step with it on its own timeline. */
export async function areWhole(cluster: Cluster): Promise<boolean> {
  const primary = await cluster.primary()
  if (!primary) return false
  // Whoever has yet to go back to where the primary's timeline began streams as well, and confirms nothing.
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

function dataNode(place: Place, { log, folderOf }: Starting, file: string): DataNode {
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
const says = ({ address }: Place, what: 'primary' | 'synchronous'): Promise<boolean> =>
  fetch(`http://${address}:8008/${what}`, { signal: AbortSignal.timeout(1000) }).then(
    (answer) => answer.status === 200,
    () => false,
  )

const timelineOf = ({ address }: Place): Promise<number | undefined> =>
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

/** These processes and whoever descends from them. */
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
