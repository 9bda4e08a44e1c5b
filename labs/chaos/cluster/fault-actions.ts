import { readFileSync, statSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { applyMigration } from '../../../server/platform/db/migration-steps.ts'
import { until } from '../../../testkit/engines/engine.ts'
import type { DataNode } from '../../../testkit/engines/patroni.ts'
import { startSlowLine } from './latency-proxy.ts'
import type { Site } from './start.ts'

/** How each thing is broken. It is healed when its function ends, and the site may still be recovering. */

export interface Shaken {
  readonly site: Site
  readonly random: () => number
  /** Returns once a write was acknowledged that began after this was called. */
  flows(): Promise<void>
  /** So many milliseconds; in the short form until it is felt. */
  lasts(time: number, isFelt: () => Promise<void>): Promise<void>
}

export const oneOf = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)]!

export async function primaryOf({ cluster }: Site): Promise<DataNode> {
  let found: DataNode | undefined
  await until('a primary', async () => {
    found = await cluster.primary()
    return found !== undefined
  })
  return found!
}

export async function synchronousOf({ cluster }: Site): Promise<DataNode> {
  let found: DataNode | undefined
  await until('a synchronous standby', async () => {
    found = await cluster.synchronous()
    return found !== undefined
  })
  return found!
}

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

/** Dead until writes flow without it. */
export async function killNode(node: DataNode, { flows }: Shaken): Promise<void> {
  signal([node.patroni.pid!], 'SIGKILL')
  signal(node.pids(), 'SIGKILL')
  await flows()
  node.start()
}

export async function freeze(node: DataNode, { site }: Shaken, time: number): Promise<void> {
  // Twice: until the postmaster is stopped it may start others.
  signal(node.pids(), 'SIGSTOP')
  const pids = [...node.pids(), site.etcd.pidOf(node.name)]
  signal(pids, 'SIGSTOP')
  await pause(time)
  signal(pids, 'SIGCONT')
}

/** In the short form until writes flow without it. */
export async function cut(
  { site: { ground }, lasts, flows }: Shaken,
  { name }: DataNode,
  from: 'nodes' | 'everybody',
  time: number,
): Promise<void> {
  ground.cut(name, from)
  await lasts(time, flows)
  ground.heal(name)
}

/** Connections are broken, and made again over a line on which every packet takes its time. */
export async function delayed({ ground, cluster, proxy }: Site): Promise<void> {
  const breakAll = () =>
    Promise.all(cluster.nodes.map(({ name }) => proxy.ask(`shutdown sessions server primary/${name}`)))
  const line = await startSlowLine(proxy.primaryPort, 100)
  const diverted = ground.divert(proxy.primaryPort, line.port, line.source)
  await breakAll()
  await pause(10_000)
  diverted.end()
  line.close()
  await breakAll()
}

export async function fillDisk({ site, lasts }: Shaken): Promise<void> {
  const { name } = await primaryOf(site)
  const before = statSync(site.databaseLog).size
  site.ground.fillDisk(name)
  const refusals = () =>
    readFileSync(site.databaseLog).subarray(before).toString('latin1').split('No space left on device').length - 1
  await lasts(10_000, () => until('twenty writes that found no space', () => refusals() >= 20))
  site.ground.freeDisk(name)
}

const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** One of two workers is told another time. Its timers go on as they are. */
export async function skewClock({ site, random }: Shaken): Promise<void> {
  const worker = oneOf(site.workers, random)
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

const moreThanThereAre = 250

/** Whoever has a connection waits for a lock, and nobody gets another connection. */
export async function takeConnections({ urlOf, admin }: Site): Promise<void> {
  const client = await admin.connect()
  const others: pg.Client[] = []
  try {
    await client.query('begin')
    await client.query('lock table app.pieces in access exclusive mode')
    for (let number = 0; number < moreThanThereAre; number += 1) {
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

/** A column more on the busiest table, filled in batches, with an index: as a release brings them. */
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
 * A migration of several steps, while somebody reads its table for three seconds in one transaction. It is killed where
 * it waits for them, with an index half built, and begun again.
 */
export async function migrateUnderLoad({ site: { admin }, lasts }: Shaken): Promise<void> {
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
    await lasts(3000, () => until('a migration that waits', async () => (await waits('relation')) !== undefined))
    await reader.query('commit; begin isolation level repeatable read; select from app.writers limit 1')
    let index: number | undefined
    await until('an index that waits', async () => {
      index = await waits('virtualxid')
      return index !== undefined
    })
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
