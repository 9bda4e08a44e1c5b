import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { startBalancer, startVarnish } from '../../../testkit/engines/edge.ts'
import { scratchFolder, waitUntil } from '../../../testkit/engines/engine.ts'
import { startReplica } from '../../../testkit/engines/postgres.ts'
import { type SiteProcess, startServer, startWorker } from '../../../testkit/engines/site.ts'
import { failedOf, load } from '../../../testkit/load/load.ts'
import { percentile } from '../../../testkit/measure.ts'
import { allHold, type FilledSite, filledSite, type Length, personAtTheDesk } from '../site.ts'

/**
 * A site as a large one runs, Varnish, balancer, two servers, worker, primary and replica, in which everything is
 * restarted one after the other, again and again, under load: no request fails, and no job is lost.
 */

const rate = 500
const longestExit = 25_000
const lengths: Readonly<Record<Length, { seconds: number; every: number }>> = {
  short: { seconds: 30, every: 10_000 },
  usual: { seconds: 600, every: 30_000 },
  long: { seconds: 1_800, every: 120_000 },
}

export async function proveSteady(length: Length): Promise<boolean> {
  const { seconds, every } = lengths[length]
  const site = await filledSite()
  const replica = await startReplica(site.postgres, 'steady')
  const folder = scratchFolder('steady')
  const env = {
    ...site.env,
    REPLICA_DATABASE_URL: replica.urlOf(site.database.name, 'svc_public'),
    TRUST_PROXY: '127.0.0.1',
  }
  const servers = await Promise.all([1, 2].map((number) => startServer({ env, log: `${folder}/server-${number}` })))
  const balancer = await startBalancer([servers[0]!, servers[1]!])
  const edge = await startVarnish({ backends: [balancer, balancer] })
  const worker = await startWorker({ env: { ...env, PURGE_URL: edge.purgeUrl }, log: `${folder}/worker` })
  const person = await personAtTheDesk(site.database, 2 * seconds + 60)
  await load({
    port: edge.port,
    kinds: site.mix,
    connections: 1_000,
    phases: [{ name: 'warm', rate: 200, seconds: 4 }],
  })

  const desk = person.begin(edge.base, 1_000)
  let isOver = false
  const restarting = restartAll([...servers, worker], every, () => isOver)
  const report = await load({
    port: edge.port,
    kinds: site.mix,
    connections: 1_000,
    phases: [{ name: 'steady', rate, seconds }],
  })
  isOver = true
  const exits = await restarting
  const { tried, published, refusals, times } = await desk.stop()
  const left = await jobsLeft(site)
  const [steady] = report.phases
  const failed = failedOf(steady!)
  const slowest = Math.max(0, ...exits)
  console.log(
    `${steady!.asked} requests, ${(steady!.asked / seconds).toFixed(0)} a second: ${JSON.stringify(steady!.statuses)}`,
  )
  console.log(
    `p50 ${steady!.admitted.p50.toFixed(1)} p99 ${steady!.admitted.p99.toFixed(1)} max ${steady!.admitted.max.toFixed(0)} ms`,
  )
  const holds = allHold(
    [`${failed} failed ${JSON.stringify(steady!.failures)}`, failed === 0],
    [
      `${exits.length} exits while it ran, the slowest after ${(slowest / 1000).toFixed(1)} s`,
      exits.length >= 3 && slowest <= longestExit,
    ],
    [
      `the desk published ${published.length} of ${tried}, p99 ${percentile(times, 0.99).toFixed(0)} ms ${refusals.join(' ')}`,
      published.length === tried,
    ],
    [`jobs that were lost or given up: ${left}`, left === 0],
  )
  if (failed > 0) console.log(refusalsIn(readFileSync(balancer.log, 'utf8')))
  await Promise.all([edge.stop(), balancer.stop(), worker.stop(), ...servers.map((server) => server.stop())])
  await replica.stop()
  return holds
}

/** The balancer's log lines for 5xx answers: their termination codes say who closed the connection, and when. */
const refusalsIn = (log: string): string =>
  log
    .split('\n')
    .filter((line) => / 5\d\d /.test(line))
    .slice(-20)
    .join('\n')

/** One after the other, as a deploy does it. Milliseconds that each took to end. */
async function restartAll(programs: readonly SiteProcess[], every: number, isOver: () => boolean): Promise<number[]> {
  const exits: number[] = []
  await pause(2_000)
  while (!isOver()) {
    const begun = performance.now()
    for (const program of programs) {
      if (isOver()) return exits
      const start = performance.now()
      const exited = once(program.child, 'exit').then(() => exits.push(performance.now() - start))
      await program.restart()
      await exited
    }
    const left = every - (performance.now() - begun)
    for (const end = performance.now() + left; performance.now() < end && !isOver(); ) await pause(100)
  }
  return exits
}

/** Jobs not done half a minute after the last was added, and failed ones. */
async function jobsLeft({ database }: FilledSite): Promise<number> {
  const count = async () => {
    const { rows } = await database.admin.query<{ left: string }>(
      `select count(*) as left from jobs.job
        where (state in ('created', 'retry', 'active') and start_after <= now() and name not like '\\_\\_pgboss%')
           or state = 'failed' or name = 'dead'`,
    )
    return Number(rows[0]!.left)
  }
  await waitUntil('every job done', async () => (await count()) === 0, 30_000).catch(() => {})
  return count()
}
