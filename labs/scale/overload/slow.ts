import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startBalancer } from '../../../testkit/engines/edge.ts'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { startServer } from '../../../testkit/engines/site.ts'
import { failedOf, type Kind, load } from '../../../testkit/load/load.ts'
import { median } from '../../../testkit/measure.ts'
import { filledSite, type Length } from '../site.ts'

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
