import { readFileSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { applyMigration } from '../../../server/sql/migration-steps.ts'
import { waitUntil } from '../../../testkit/engines/engine.ts'
import type { DataNode } from '../../../testkit/engines/patroni.ts'
import { startLatencyProxy } from './netns.ts'
import type { Site } from './start.ts'

/** The faults, injected one at a time. Each is repaired when its function returns; the site may still be recovering. */

export interface FaultKind {
  /** Seconds without an acknowledged write that it may cost. */
  readonly maxWriteGap: number
  /** Seconds that a write may take while it lasts, where that is promised. */
  readonly maxLatency?: number
  inject(shaken: FaultContext): Promise<void>
}

/** A fault that may cost as much as the death of a node, or as that of a process. */
const ofNode = (inject: FaultKind['inject']): FaultKind => ({ maxWriteGap: 30, inject })
const ofProcess = (inject: FaultKind['inject']): FaultKind => ({ maxWriteGap: 10, inject })
/** Patroni gives up a node after 20 s; a longer fault makes another node the primary. */
const untilGivenUp = (random: () => number) => 24_000 + random() * 6000

export const faultKinds = {
  'server killed': ofProcess(({ site, random }) => pickOne(site.servers, random).restart('SIGKILL')),
  'worker killed': ofProcess(({ site, random }) => pickOne(site.workers, random).restart('SIGKILL')),
  'postmaster of the primary killed': ofProcess(async ({ site, untilWritesFlow }) => {
    process.kill((await primaryOf(site)).postmaster()!, 'SIGKILL')
    await untilWritesFlow()
  }),
  'postmaster of the synchronous standby killed': ofProcess(async ({ site, untilWritesFlow }) => {
    process.kill((await synchronousOf(site)).postmaster()!, 'SIGKILL')
    await untilWritesFlow()
  }),
  'node of the primary killed': ofNode(async (shaken) => killNode(await primaryOf(shaken.site), shaken)),
  'node of the synchronous standby killed': ofNode(async (shaken) =>
    killNode(await synchronousOf(shaken.site), shaken),
  ),
  'node of the primary frozen': ofNode(async (shaken) =>
    freeze(await primaryOf(shaken.site), shaken, untilGivenUp(shaken.random)),
  ),
  'node of the synchronous standby frozen': ofNode(async (shaken) =>
    freeze(await synchronousOf(shaken.site), shaken, 8000 + shaken.random() * 8000),
  ),
  'primary cut off from the other nodes': ofNode(async (shaken) =>
    cut(shaken, await primaryOf(shaken.site), 'nodes', untilGivenUp(shaken.random)),
  ),
  'primary cut off from everybody': ofNode(async (shaken) =>
    cut(shaken, await primaryOf(shaken.site), 'everybody', untilGivenUp(shaken.random)),
  ),
  'synchronous standby cut off': ofNode(async (shaken) =>
    cut(shaken, await synchronousOf(shaken.site), 'everybody', 8000 + shaken.random() * 8000),
  ),
  'primary loses 30 % of packets': ofNode(async ({ site }) => {
    const { name } = await primaryOf(site)
    site.network.dropPackets(name, 30)
    await pause(10_000)
    site.network.heal(name)
  }),
  'database 200 ms away': ofNode(({ site }) => delayDatabase(site)),
  'disk of the primary full': ofNode(fillDisk),
  'worker’s clock an hour off': ofProcess(skewClock),
  'etcd member killed': ofNode(async ({ site, random }) => {
    const { name } = pickOne(site.cluster.nodes, random)
    await site.etcd.kill(name)
    await pause(8000)
    site.etcd.start(name)
  }),
  'every connection taken': ofNode(({ site }) => exhaustConnections(site)),
  'rolling deploy': ofProcess(async ({ site }) => {
    const oneByOne = async (programs: Site['servers']) => {
      for (const program of programs) await program.restart()
    }
    await Promise.all([oneByOne(site.workers), oneByOne(site.servers)])
  }),
  'migration under load': { ...ofProcess(migrateUnderLoad), maxLatency: 1 },
} satisfies Record<string, FaultKind>

export type FaultName = keyof typeof faultKinds

/** The faults of the short form: one of each kind that takes at most half a minute. */
export const shortFaults: readonly FaultName[] = [
  'postmaster of the primary killed',
  'server killed',
  'migration under load',
  'disk of the primary full',
  'worker killed',
  'node of the primary killed',
  'rolling deploy',
  'synchronous standby cut off',
]

/** The implementation of each fault. It is repaired when the function returns; the site may still be recovering. */

interface FaultContext {
  readonly site: Site
  readonly random: () => number
  /** Returns once a write was acknowledged that began after this was called. */
  untilWritesFlow(): Promise<void>
  /** Waits this many milliseconds; the short form waits only until the fault takes effect. */
  holdFor(time: number, isFelt: () => Promise<unknown>): Promise<unknown>
}

const pickOne = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)]!

const primaryOf = ({ cluster }: Site): Promise<DataNode> => waitUntil('a primary', cluster.primary)
const synchronousOf = ({ cluster }: Site): Promise<DataNode> => waitUntil('a synchronous standby', cluster.synchronous)

/** Some of them may have ended meanwhile. */
function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has.
    }
  }
}

/** Kills the node and starts it again once writes flow without it. */
async function killNode(node: DataNode, { untilWritesFlow }: FaultContext): Promise<void> {
  signal([node.patroni.pid!], 'SIGKILL')
  signal(node.pids(), 'SIGKILL')
  await untilWritesFlow()
  node.start()
}

async function freeze(node: DataNode, { site }: FaultContext, time: number): Promise<void> {
  // Twice: until the postmaster is stopped it may start other processes.
  signal(node.pids(), 'SIGSTOP')
  const pids = [...node.pids(), site.etcd.pidOf(node.name)]
  signal(pids, 'SIGSTOP')
  await pause(time)
  signal(pids, 'SIGCONT')
}

/** In the short form until writes flow without it. */
async function cut(
  { site: { network }, holdFor, untilWritesFlow }: FaultContext,
  { name }: DataNode,
  from: 'nodes' | 'everybody',
  time: number,
): Promise<void> {
  network.cut(name, from)
  await holdFor(time, untilWritesFlow)
  network.heal(name)
}

/** Breaks all connections, which reconnect over a proxy that delays every packet. */
async function delayDatabase({ network, cluster, proxy }: Site): Promise<void> {
  const breakAll = () =>
    Promise.all(cluster.nodes.map(({ name }) => proxy.ask(`shutdown sessions server primary/${name}`)))
  const line = await startLatencyProxy(proxy.primaryPort, 100)
  const diverted = network.divert(proxy.primaryPort, line.port, line.source)
  await breakAll()
  await pause(10_000)
  diverted.end()
  line.close()
  await breakAll()
}

async function fillDisk({ site, holdFor }: FaultContext): Promise<void> {
  const { name } = await primaryOf(site)
  const before = statSync(site.databaseLog).size
  site.network.fillDisk(name)
  const refusals = () =>
    readFileSync(site.databaseLog).subarray(before).toString('latin1').split('No space left on device').length - 1
  await holdFor(10_000, () => waitUntil('twenty writes that found no space', () => refusals() >= 20))
  site.network.freeDisk(name)
}

const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** Gives one of two workers a wrong clock. Its timers are unaffected. */
async function skewClock({ site, random }: FaultContext): Promise<void> {
  const worker = pickOne(site.workers, random)
  await worker.stop()
  const skewed = await site.addWorker({
    LD_PRELOAD: faketime,
    FAKETIME: random() < 0.5 ? '+1h' : '-1h',
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  })
  await pause(10_000)
  await skewed.stop()
  await worker.restart()
}

const connectionAttempts = 250

/** Every open connection waits for a lock, and no new connection is accepted. */
async function exhaustConnections({ urlOf, admin }: Site): Promise<void> {
  const client = await admin.connect()
  const others: pg.Client[] = []
  try {
    await client.query('begin')
    await client.query('lock table app.pieces in access exclusive mode')
    for (let number = 0; number < connectionAttempts; number += 1) {
      const other = new pg.Client({ connectionString: urlOf('svc_api'), connectionTimeoutMillis: 2000 })
      other.on('error', () => {})
      others.push(other)
      if (
        !(await other.connect().then(
          () => true,
          () => false,
        ))
      )
        break
      other.query('select pg_sleep(5)').catch(() => {})
    }
    await pause(3000)
    await client.query('rollback')
    client.release()
  } catch {
    client.release(true)
  } finally {
    await pause(3000)
    await Promise.all(others.map((other) => other.end().catch(() => {})))
  }
}

/** Adds a column to the busiest table, filled in batches, with an index: like a release. */
const migration = () => ({
  name: `chaos_${Date.now()}.sql`,
  text: `-- step: once
set local role svc_owner;
alter table app.pieces drop column if exists of_chaos;
alter table app.pieces add column of_chaos integer;
alter table app.pieces alter column of_chaos set default 0;

-- step: batch app.pieces
set local role svc_publisher;
update app.pieces set of_chaos = length(body_md)
 where id in (select id from app.pieces where of_chaos is null limit :batch);

-- step: alone
create index concurrently if not exists pieces_of_chaos on app.pieces (of_chaos);
`,
})

/**
 * Runs a migration of several steps while a transaction reads its table for three seconds. The migration is killed
 * while it waits, with an index half built, and started again.
 */
async function migrateUnderLoad({ site: { admin }, holdFor }: FaultContext): Promise<void> {
  const reader = await admin.connect()
  const given = migration()
  const migrate = async () => {
    const migrating = await admin.connect()
    await applyMigration(migrating, given).then(
      () => migrating.release(),
      (error: unknown) => {
        migrating.release(true)
        throw error
      },
    )
  }
  const waits = async (kind: string) => {
    const { rows } = await admin.query<{ pid: number }>(
      'select pid from pg_locks where not granted and locktype = $1',
      [kind],
    )
    return rows[0]?.pid
  }
  try {
    await reader.query('begin; select from app.pieces limit 1')
    const whole = migrate().catch((error: unknown) => error)
    await holdFor(3000, () => waitUntil('a migration that waits', () => waits('relation')))
    await reader.query('commit; begin isolation level repeatable read; select from app.writers limit 1')
    const index = await waitUntil('an index that waits', () => waits('virtualxid'))
    await admin.query('select pg_terminate_backend($1)', [index])
    await reader.query('commit')
    await whole
    await migrate()
    reader.release()
  } catch (error) {
    reader.release(true)
    throw error
  }
}
