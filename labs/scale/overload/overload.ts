import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { startBalancer } from '../../../testkit/engines/edge.ts'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { startServer } from '../../../testkit/engines/site.ts'
import { answeredOf, brokenOf, load, type Outcome, type Plan } from '../../../testkit/load/load.ts'
import { median, percentile } from '../../../testkit/measure.ts'
import { allHold, filledSite, type Length, personAtTheDesk } from '../site.ts'

/**
 * At four times the load a server can answer, it keeps answering as much as it can in time, refuses the rest with
 * Retry-After, lets the desk publish, and recovers afterwards. The server has one core; generator, balancer and
 * PostgreSQL share the other.
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
  const person = await personAtTheDesk(site.database, Math.ceil((3 * (flood + 2 * calm + 5)) / 2))
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
    // Without a balancer the server itself must refuse: the result is printed but not required.
    if (port === balancer.port) holds = isSo
  }
  await balancer.stop()
  await server.stop()
  for (const one of all) pin(one, `0-${cpus().length - 1}`)
  return holds

  async function flooded(way: Omit<Plan, 'phases'>, peak: number, { flood, calm }: { flood: number; calm: number }) {
    const desk = person.begin(`http://127.0.0.1:${way.port}`, 2_000)
    const { phases, timeline, worstLag } = await load({
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
    // Per second, so that one second in which another process had the machine does not matter.
    const p99Of = (from: number) => median(timeline.slice(from, from + calm).map(({ admitted }) => admitted.p99))
    const [normal, again] = [p99Of(0), p99Of(calm + flood + 5)]
    return allHold(
      [
        `goodput ${good.toFixed(0)}/s is ${((100 * good) / peak).toFixed(0)} % of the peak, ${peak.toFixed(0)}/s`,
        good >= leastShare * peak,
      ],
      [`p99 of what is let in ${during.admitted.p99.toFixed(0)} ms`, during.admitted.p99 <= longestWait],
      [`${brokenOf(during)} answers other than what was asked for, or 503 with Retry-After`, brokenOf(during) === 0],
      [
        `the desk published ${published.length} of ${tried}, p99 ${percentile(times, 0.99).toFixed(0)} ms ${refusals.join(' ')}`,
        published.length === tried,
      ],
      [
        `5 s after: p99 of a second ${again.toFixed(1)} ms, was ${normal.toFixed(1)} ms; ${after.refused.count} refused`,
        again <= 1.5 * normal && after.refused.count === 0 && brokenOf(settling) === 0,
      ],
      [`the generator was late by ${worstLag.toFixed(0)} ms at most`, worstLag < longestWait],
    )
  }
}

/** Whatever it starts from now on goes with it. */
function pin(process: string, cores: string): void {
  execFileSync('taskset', ['-acp', cores, process], { stdio: 'ignore' })
}

/**
 * On separate machines they would not compete: PostgreSQL gets priority over the generator on the shared core, if the
 * user may set it.
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

const first = 400
const step = 1.2
const highest = 100 * first
/** Seconds at the first rate before any counts: a server that has just started has nothing compiled yet. */
const warming = 20
/** Of what was asked: below that some kinds give way to others, and what is answered is no longer what was asked for. */
const whole = 0.99

/** The highest rate at which every kind is answered in time, found by raising the rate. */
export async function findPeak(way: Omit<Plan, 'phases'>, seconds: number, longestWait: number): Promise<number> {
  /** What was answered in a second; undefined where something was not, or late. */
  const answeredAt = async (rate: number): Promise<number | undefined> => {
    const { phases } = await load({ ...way, phases: [{ name: 'ramp', rate, seconds }] })
    const [ramp] = phases
    const answered = answeredOf(ramp!)
    console.log(
      `${rate.toFixed(0).padStart(6)}/s asked, ${(answered / seconds).toFixed(0)}/s answered, p99 ${ramp!.admitted.p99.toFixed(1)} ms`,
    )
    const isWhole = ramp!.admitted.p99 <= longestWait && answered >= whole * ramp!.asked
    return isWhole ? answered / seconds : undefined
  }
  await load({ ...way, phases: [{ name: 'warm', rate: first, seconds: warming }] })
  let peak = 0
  for (let rate = first, failed = 0; failed < 2 && rate <= highest; rate *= step) {
    // Twice, since a stall may hide the peak, and four times a low peak would be a small flood.
    const answered = (await answeredAt(rate)) ?? (await answeredAt(rate))
    failed = answered === undefined ? failed + 1 : 0
    peak = Math.max(peak, answered ?? 0)
  }
  if (peak === 0) throw new Error(`not even ${first} a second are answered: the machine is busy with something else`)
  return peak
}
