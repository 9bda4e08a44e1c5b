import { setTimeout as pause } from 'node:timers/promises'
import { scratchFolder } from '../engines/engine.ts'
import { startBalancer } from '../engines/haproxy.ts'
import { startServer } from '../engines/house.ts'
import { filledHouse } from '../load/filled-house.ts'
import { failedOf, load } from '../load/load.ts'
import type { Length } from '../run.ts'
import { besiege } from './slow-sockets.ts'

/** Two thousand clients that take their time: whoever does not is answered as before, and each of them is shown the door. */

const besiegers = { mute: 480, header: 750, body: 750, deaf: 20 } as const
const longestLife = 12_000
/** Of what a server answers with ease. */
const rate = 150
const seconds: Readonly<Record<Length, number>> = { short: 5, usual: 20, long: 60 }

export async function proveSlowClients(length: Length): Promise<boolean> {
  const house = await filledHouse()
  const server = await startServer({
    env: {
      DATABASE_URL: house.url,
      NODE_ENV: 'production',
      SMTP_URL: 'smtp://127.0.0.1:1',
      BASE_URL: 'http://127.0.0.1',
    },
    log: `${scratchFolder('slow')}/server`,
    core: 0,
  })
  const balancer = await startBalancer([server.port])
  const kinds = house.mix.filter(({ name }) => name !== 'search')
  const way = (port: number) => ({ port, kinds, connections: 500 })
  await load({ ...way(server.port), phases: [{ name: 'warm', rate, seconds: 4 }] })
  let holds = true
  for (const [name, port] of [
    ['at the server', server.port],
    ['at the balancer', balancer.port],
  ] as const) {
    const alone = (await load({ ...way(port), phases: [{ name: 'alone', rate, seconds: seconds[length] }] })).phases[0]!
    const [report, siege] = await Promise.all([
      load({ ...way(port), phases: [{ name: 'besieged', rate, seconds: longestLife / 1000 }] }),
      besiege(port, besiegers, longestLife),
    ])
    const besieged = report.phases[0]!
    const [before, during] = [alone.admitted.p99, besieged.admitted.p99]
    console.log(
      `${name}: p99 alone ${before.toFixed(1)} ms, besieged ${during.toFixed(1)} ms, failed ${failedOf(besieged)}`,
    )
    for (const [manner, lives] of Object.entries(siege.lives)) {
      const left = siege.survivors[manner as keyof typeof siege.survivors]
      const longest = Math.max(0, ...lives)
      console.log(
        `  ${manner}: ${lives.length} closed, the last after ${longest.toFixed(1)} s; ${left} left after 12 s`,
      )
      holds &&= left === 0
    }
    holds &&= during <= 2 * before && failedOf(besieged) === 0
    await pause(500)
  }
  await balancer.stop()
  await server.stop()
  return holds
}
