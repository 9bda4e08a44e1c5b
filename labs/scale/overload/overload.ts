import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { startBalancer } from '../../../testkit/engines/haproxy.ts'
import { startServer } from '../../../testkit/engines/site.ts'
import { answeredOf, brokenOf, load } from '../../../testkit/load/load.ts'
import type { Outcome, Plan } from '../../../testkit/load/plan.ts'
import { middle } from '../../../testkit/median.ts'
import { personAtTheDesk } from '../desk-person.ts'
import { filledSite } from '../filled-site.ts'
import type { Length } from '../proof.ts'
import { findPeak } from './peak.ts'

/**
 * Four times as much as a server can answer: it goes on answering as much as it can, in time, tells all others to come
 * back, lets whoever is at the desk publish, and is as before when it is over. The server has one core for itself;
 * generator, balancer and PostgreSQL share the other.
 */

const coreOfServer = 0
const coreOfOthers = 1
const connections = 3_000
const longestWait = 500
const leastShare = 0.9

const seconds: Readonly<Record<Length, { flood: number; calm: number; ramp: number }>> = {
  short: { flood: 15, calm: 4, ramp: 2 },
  usual: { flood: 45, calm: 10, ramp: 3 },
  long: { flood: 300, calm: 30, ramp: 8 },
}

export async function proveOverload(length: Length): Promise<boolean> {
  const site = await filledSite()
  const postmaster = readFileSync(`${site.postgres.folder}/postmaster.pid`, 'utf8').split('\n')[0]!
  const all = [postmaster, String(process.pid)]
  for (const one of all) pin(one, String(coreOfOthers))
  putBeforeOthers(postmaster)
  const { flood, calm, ramp } = seconds[length]
  const log = `${scratchFolder('overload')}/server`
  const server = await startServer({ env: site.env, log, core: coreOfServer })
  const balancer = await startBalancer([server])
  const person = await personAtTheDesk(site.url, Math.ceil((3 * (flood + 2 * calm + 5)) / 2))
  console.log(`asked: ${site.mix.map(({ name, share }) => `${share} % ${name}`).join(', ')}`)
  const at = (port: number) => ({ port, kinds: site.mix, connections })
  await load({ ...at(server.port), phases: [{ name: 'warm', rate: 400, seconds: 3 * ramp }] })

  const ways = [
    { name: 'through the balancer', port: balancer.port },
    ...(length !== 'usual' ? [] : [{ name: 'straight at the server', port: server.port }]),
  ]
  let peak = 0
  let holds = true
  for (const { name, port } of ways) {
    console.log(`\n${name}`)
    peak ||= await findPeak(at(port), ramp, longestWait)
    const isSo = await flooded(at(port), peak, { flood, calm })
    // Without a balancer the server itself has to say no: what that leaves of the peak is shown, not claimed.
    if (port === balancer.port) holds = isSo
  }
  await balancer.stop()
  await server.stop()
  for (const one of all) pin(one, `0-${cpus().length - 1}`)
  return holds

  async function flooded(way: Omit<Plan, 'phases'>, peak: number, { flood, calm }: { flood: number; calm: number }) {
    const desk = person.begin(`http://127.0.0.1:${way.port}`, 2_000)
    const { phases, timeline, latest } = await load({
      ...way,
      phases: [
        { name: 'before', rate: peak / 2, seconds: calm },
        { name: 'flood', rate: 4 * peak, seconds: flood },
        { name: 'settling', rate: peak / 2, seconds: 5 },
        { name: 'after', rate: peak / 2, seconds: calm },
      ],
    })
    const { tried, published, refusals, times } = await desk.stop()
    const [, during, settling, after] = phases as [Phase, Phase, Phase, Phase]
    for (const phase of phases) say(phase.name, phase, phase.seconds)
    for (const [kind, outcome] of Object.entries(during.kinds)) say(`  ${kind}`, outcome, flood)
    const good = answeredOf(during) / flood
    // Second by second: one in which something else had the machine is no word on the others.
    const p99Of = (from: number) => middle(timeline.slice(from, from + calm).map(({ admitted }) => admitted.p99))
    const [normal, again] = [p99Of(0), p99Of(calm + flood + 5)]
    const deskP99 = times[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN
    return every(
      [
        `goodput ${good.toFixed(0)}/s is ${((100 * good) / peak).toFixed(0)} % of the peak, ${peak.toFixed(0)}/s`,
        good >= leastShare * peak,
      ],
      [`p99 of what is let in ${during.admitted.p99.toFixed(0)} ms`, during.admitted.p99 <= longestWait],
      [`${brokenOf(during)} answers other than what was asked for, or 503 with Retry-After`, brokenOf(during) === 0],
      [
        `the desk published ${published.length} of ${tried}, p99 ${deskP99.toFixed(0)} ms ${refusals.join(' ')}`,
        published.length === tried,
      ],
      [
        `5 s after: p99 of a second ${again.toFixed(1)} ms, was ${normal.toFixed(1)} ms; ${after.refused.count} refused`,
        again <= 1.5 * normal && after.refused.count === 0 && brokenOf(settling) === 0,
      ],
      [`the generator was late by ${latest.toFixed(0)} ms at most`, latest < longestWait],
    )
  }
}

/** Whatever it starts from now on goes with it. */
function pin(process: string, cores: string): void {
  execFileSync('taskset', ['-acp', cores, process], { stdio: 'ignore' })
}

/**
 * On machines of their own they would not compete: PostgreSQL comes before the generator on the core they share, as far
 * as whoever runs this may say so.
 */
function putBeforeOthers(postmaster: string): void {
  spawnSync('renice', ['-n', '-10', '-p', postmaster], { stdio: 'ignore' })
}

type Phase = Outcome & {
  readonly name: string
  readonly seconds: number
  readonly kinds: Readonly<Record<string, Outcome>>
}

function say(name: string, outcome: Outcome, seconds: number): void {
  const { asked, admitted, refused, failures } = outcome
  const share = ((100 * answeredOf(outcome)) / asked).toFixed(0)
  const figures = [
    `${(asked / seconds).toFixed(0)}/s asked`,
    `${(admitted.count / seconds).toFixed(0)}/s answered (${share} %)`,
    `p50 ${admitted.p50.toFixed(1)} p99 ${admitted.p99.toFixed(1)} max ${admitted.max.toFixed(0)} ms`,
    `refused after p50 ${refused.p50.toFixed(1)} p99 ${refused.p99.toFixed(0)} ms`,
    ...(Object.keys(failures).length > 0 ? [JSON.stringify(failures)] : []),
  ]
  console.log(`${name.padEnd(10)} ${figures.join(', ')}`)
}

function every(...claims: readonly (readonly [string, boolean])[]): boolean {
  for (const [words, isSo] of claims) console.log(`${isSo ? '✓' : '✗'} ${words}`)
  return claims.every(([, isSo]) => isSo)
}
