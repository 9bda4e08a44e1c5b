import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { startBalancer } from '../../../testkit/engines/edge.ts'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { startServer } from '../../../testkit/engines/site.ts'
import { answeredOf, brokenOf, failedOf, type Kind, load, type Outcome, type Plan } from '../../../testkit/load/load.ts'
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

/** With two thousand slow clients, normal clients are answered as before and every slow client is disconnected. */

const slowClients = { mute: 480, header: 750, body: 750, deaf: 20 } as const
const longestLife = 12_000
/** Of what a server answers with ease. */
const rate = 150
/** In turns, so that whatever else the machine does meets both; the middle one of each counts. */
const rounds: Readonly<Record<Length, number>> = { short: 1, usual: 3, long: 9 }

export async function proveSlowClients(length: Length): Promise<boolean> {
  const site = await filledSite()
  const server = await startServer({ env: site.env, log: `${scratchFolder('slow')}/server`, core: 0 })
  const balancer = await startBalancer([server])
  const kinds = site.mix.filter(({ name }) => name !== 'search')
  await askFor(server.port, kinds)
  // Put together when it is first asked for.
  await fetch(`${server.base}/api/openapi.json`).then((answer) => answer.arrayBuffer())
  let holds = true
  for (const [name, port] of [
    ['at the server', server.port],
    ['at the balancer', balancer.port],
  ] as const) {
    console.log(name)
    const [alone, besieged]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds[length]; round += 1) {
      alone.push((await askFor(port, kinds)).admitted.p99)
      const [during, siege] = await Promise.all([askFor(port, kinds), openSlowClients(port, slowClients, longestLife)])
      besieged.push(during.admitted.p99)
      const survivors = Object.values(siege.survivors).reduce((sum, one) => sum + one, 0)
      const lives = Object.entries(siege.lives).map(
        ([behaviour, lived]) => `${behaviour} ${Math.max(0, ...lived).toFixed(1)} s`,
      )
      console.log(`  lived at most: ${lives.join(', ')}; left after 12 s: ${survivors}; failed: ${failedOf(during)}`)
      holds &&= survivors === 0 && failedOf(during) === 0
      await pause(500)
    }
    const [before, during] = [median(alone), median(besieged)]
    console.log(
      `  p99 alone ${inWords(alone)}, besieged ${inWords(besieged)}: ${(during / before).toFixed(2)} times, wanted 2`,
    )
    holds &&= during <= 2 * before
  }
  await balancer.stop()
  await server.stop()
  return holds
}

const askFor = async (port: number, kinds: readonly Kind[]) =>
  (await load({ port, kinds, connections: 500, phases: [{ name: 'readers', rate, seconds: longestLife / 1000 }] }))
    .phases[0]!

const inWords = (figures: readonly number[]): string =>
  `${median(figures).toFixed(1)} ms (${figures.map((one) => one.toFixed(1)).join(', ')})`

/** Clients that take their time on purpose, each kind in its own way. */

const host = 'Host: site\r\n'
const behaviours = {
  /** Says nothing at all. */
  mute: { begins: '', drips: '' },
  header: { begins: `GET / HTTP/1.1\r\n${host}X-Slow: `, drips: 'a' },
  body: {
    begins: `POST /api/mcp HTTP/1.1\r\n${host}Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    drips: ' ',
  },
  /** Asks for far more than the buffers of both machines hold, and reads nothing of it. */
  deaf: { begins: `GET /api/openapi.json HTTP/1.1\r\n${host}\r\n`.repeat(40), drips: '' },
} as const
export type Behaviour = keyof typeof behaviours

export interface SlowClientResult {
  /** How long each lived, in seconds, by behaviour; those that still live after `longest` have no place here. */
  readonly lives: Readonly<Record<Behaviour, readonly number[]>>
  readonly survivors: Readonly<Record<Behaviour, number>>
}

/**
 * Opens this many of each at the port, from different addresses, and waits until they are closed or `longest` has
 * passed.
 */
export async function openSlowClients(
  port: number,
  counts: Readonly<Record<Behaviour, number>>,
  longest: number,
): Promise<SlowClientResult> {
  const lives: Record<Behaviour, number[]> = { mute: [], header: [], body: [], deaf: [] }
  const survivors: Record<Behaviour, number> = { mute: 0, header: 0, body: 0, deaf: 0 }
  const sockets: Promise<void>[] = []
  let number = 0
  for (const behaviour of Object.keys(behaviours) as Behaviour[]) {
    for (let count = 0; count < counts[behaviour]; count += 1) {
      number += 1
      sockets.push(
        live(port, behaviour, longest, `127.0.${1 + (number % 100)}.1`).then((seconds) => {
          if (seconds === undefined) survivors[behaviour] += 1
          else lives[behaviour].push(seconds)
        }),
      )
      // Some 1,000 a second: a listen queue that overflows is another trial.
      if (behaviour === 'deaf') await pause(200)
      else if (number % 20 === 0) await pause(20)
    }
  }
  await Promise.all(sockets)
  return { lives, survivors }
}

async function live(port: number, behaviour: Behaviour, longest: number, from: string): Promise<number | undefined> {
  const { begins, drips } = behaviours[behaviour]
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve()).on('error', () => {})
  })
  await Promise.race([once(socket, 'connect').catch(() => {}), closed])
  const start = performance.now()
  if (behaviour === 'deaf') socket.pause()
  else socket.resume()
  socket.write(begins)
  const probes: NodeJS.Timeout[] = []
  const drip = setInterval(() => {
    if (drips) socket.write(drips)
  }, 1_000)
  // A client that does not read notices a closed connection only when it writes.
  const probe = setTimeout(() => {
    if (behaviour === 'deaf') probes.push(setInterval(() => socket.write('G'), 100))
  }, longest - 500)
  const inTime = await Promise.race([closed.then(() => true), pause(longest, false)])
  const life = (performance.now() - start) / 1000
  clearInterval(drip)
  clearTimeout(probe)
  for (const one of probes) clearInterval(one)
  socket.destroy()
  return inTime ? life : undefined
}
