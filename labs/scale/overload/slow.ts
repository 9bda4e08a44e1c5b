import { setTimeout as pause } from 'node:timers/promises'
import { scratchFolder } from '../../../testkit/engines/engine.ts'
import { startBalancer } from '../../../testkit/engines/haproxy.ts'
import { startServer } from '../../../testkit/engines/site.ts'
import { failedOf, load } from '../../../testkit/load/load.ts'
import type { Kind } from '../../../testkit/load/plan.ts'
import { middle } from '../../../testkit/median.ts'
import { filledSite } from '../filled-site.ts'
import type { Length } from '../proof.ts'
import { besiege } from './slow-sockets.ts'

/** Two thousand clients that take their time: whoever does not is answered as before, and each of them is shown the door. */

const besiegers = { mute: 480, header: 750, body: 750, deaf: 20 } as const
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
      const [during, siege] = await Promise.all([askFor(port, kinds), besiege(port, besiegers, longestLife)])
      besieged.push(during.admitted.p99)
      const survivors = Object.values(siege.survivors).reduce((sum, one) => sum + one, 0)
      const lives = Object.entries(siege.lives).map(
        ([manner, lived]) => `${manner} ${Math.max(0, ...lived).toFixed(1)} s`,
      )
      console.log(`  lived at most: ${lives.join(', ')}; left after 12 s: ${survivors}; failed: ${failedOf(during)}`)
      holds &&= survivors === 0 && failedOf(during) === 0
      await pause(500)
    }
    const [before, during] = [middle(alone), middle(besieged)]
    console.log(
      `  p99 alone ${told(alone)}, besieged ${told(besieged)}: ${(during / before).toFixed(2)} times, wanted 2`,
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

const told = (figures: readonly number[]): string =>
  `${middle(figures).toFixed(1)} ms (${figures.map((one) => one.toFixed(1)).join(', ')})`
