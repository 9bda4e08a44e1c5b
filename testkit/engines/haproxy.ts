import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../free-port.ts'
import { answers, demandPrograms, scratchFolder, startEngine, stopEngine, until } from './engine.ts'
import type { Backend } from './varnish.ts'

const fileOf = (name: string): string => fileURLToPath(new URL(`../../deploy/haproxy/${name}`, import.meta.url))

export interface Balancer {
  /** Where the edge asks. */
  readonly port: number
  readonly base: string
  /** Where readers ask who have no edge in front. */
  readonly readersPort: number
  /** Where the edge asks whether there is a server. */
  readonly adminPort: number
  readonly log: string
  stop(): Promise<void>
}

/** The balancer of deploy/haproxy in front of these servers, one or two. Answers when this returns. */
export async function startBalancer(servers: readonly [Backend, Backend?], core?: number): Promise<Balancer> {
  demandPrograms('haproxy')
  const folder = scratchFolder('haproxy')
  const [port, readersPort, adminPort] = [await freePort(), await freePort(), await freePort()]
  const [first, second] = servers
  const lines = readFileSync(fileOf('haproxy.cfg'), 'utf8')
    .split('\n')
    .filter((line) => second !== undefined || !line.includes('127.0.0.1:8082'))
  const places = new Map([
    ['127.0.0.1:8080', `127.0.0.1:${port}`],
    ['127.0.0.1:8090', `127.0.0.1:${readersPort}`],
    ['127.0.0.1:18080', `127.0.0.1:${adminPort}`],
    ['127.0.0.1:8081', `127.0.0.1:${first.port}`],
    ['127.0.0.1:8082', `127.0.0.1:${second?.port}`],
    ['port 18081', `port ${first.adminPort}`],
    ['port 18082', `port ${second?.adminPort}`],
    ['/etc/haproxy/weights.map', fileOf('weights.map')],
    ['/etc/haproxy/errors.map', fileOf('errors.map')],
  ])
  let text = lines.join('\n')
  for (const [from, to] of places) text = text.replaceAll(from, to)
  const file = `${folder}/haproxy.cfg`
  writeFileSync(file, text)
  const log = `${folder}/log`
  const child = startEngine(['haproxy', '-W', '-db', '-f', file], { log, ...(core === undefined ? {} : { core }) })
  await until(`haproxy at ${port}`, async () => {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${readFileSync(log, 'utf8').slice(-2000)}`)
    return answers(port)
  })
  return { port, base: `http://127.0.0.1:${port}`, readersPort, adminPort, log, stop: () => stopEngine(child) }
}
