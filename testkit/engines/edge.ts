import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '../network.ts'
import { isListening, requirePrograms, scratchFolder, startEngine, stopEngine, waitUntil } from './engine.ts'

const deployed = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../deploy/varnish/${name}`, import.meta.url)), 'utf8')

export interface Varnish {
  readonly port: number
  readonly base: string
  /** What `PURGE_URL` is. */
  readonly purgeUrl: string
  readonly log: string
  /** Processor time that it has used so far, in seconds. */
  processorSeconds(): number
  stop(): Promise<void>
}

export interface Backend {
  readonly port: number
  /** Where it says whether it is ready. */
  readonly adminPort: number
}

interface VarnishOptions {
  /** The two servers; one of them twice is one server. */
  readonly backends: readonly [Backend, Backend]
  readonly core?: number
  /** More VCL, before what the site's own says. */
  readonly vcl?: string
  /** How long what was public is shown while no server answers; as deployed unless it is said. */
  readonly staleFor?: string
}

/** Varnish with the configuration of deploy/varnish, on free ports. Ready when this returns. */
export async function startVarnish({ backends, core, vcl = '', staleFor }: VarnishOptions): Promise<Varnish> {
  requirePrograms('varnishd')
  const folder = scratchFolder('varnish')
  const [port, purgePort] = [await freePort(), await freePort()]
  const file = `${folder}/edge.vcl`
  writeFileSync(file, siteVcl(backends, staleFor).replace('sub vcl_recv {', `${vcl}\nsub vcl_recv {`))
  const log = `${folder}/log`
  const child = startEngine(
    [
      'varnishd',
      ...['-F', '-j', 'none', '-n', `${folder}/work`, '-f', file, '-s', 'malloc,2g'],
      ...['-a', `http=127.0.0.1:${port}`, '-a', `purge=127.0.0.1:${purgePort}`],
      ...parametersOf(deployed('varnish.service.d.conf')),
    ],
    { log, ...(core === undefined ? {} : { core }) },
  )
  await waitUntil(`varnishd at ${port}`, () => {
    if (child.exitCode !== null) throw new Error(`varnishd ended: ${readFileSync(log, 'utf8').slice(-2000)}`)
    return isListening(port)
  })
  return {
    port,
    base: `http://127.0.0.1:${port}`,
    purgeUrl: `http://127.0.0.1:${purgePort}/`,
    log,
    processorSeconds: () => processorSecondsOf(child.pid!),
    stop: () => stopEngine(child),
  }
}

/** Clock ticks of Linux, of which a second has a hundred. */
const ticks = 100

/** Of the process that serves: varnishd starts it and only looks after it. */
function processorSecondsOf(manager: number): number {
  const [serving] = readFileSync(`/proc/${manager}/task/${manager}/children`, 'utf8').split(' ')
  const fields = readFileSync(`/proc/${serving}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

function siteVcl([first, second]: readonly [Backend, Backend], staleFor = '1d'): string {
  const places = { 8081: first.port, 18081: first.adminPort, 8082: second.port, 18082: second.adminPort }
  let vcl = deployed('standfirst.vcl')
  for (const [from, to] of Object.entries(places)) {
    if (!vcl.includes(`.port = "${from}"`)) throw new Error('standfirst.vcl names other ports')
    vcl = vcl.replace(`.port = "${from}"`, `.port = "${to}"`)
  }
  const stale = /(sub stale_while_away \{\s+set beresp\.grace = )1d;/
  if (!stale.test(vcl)) throw new Error('standfirst.vcl says otherwise how long it shows what is stale')
  return vcl
    .replace(stale, `$1${staleFor};`)
    .replace('/opt/standfirst/', fileURLToPath(new URL('../../', import.meta.url)))
}

/** `-p name=value`, as the unit starts it. */
const parametersOf = (unit: string): string[] =>
  [...unit.matchAll(/-p (\S+=\S+)/g)].flatMap(([, parameter]) => ['-p', parameter!])

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
  requirePrograms('haproxy')
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
  await waitUntil(`haproxy at ${port}`, async () => {
    if (child.exitCode !== null) throw new Error(`haproxy ended: ${readFileSync(log, 'utf8').slice(-2000)}`)
    return isListening(port)
  })
  return { port, base: `http://127.0.0.1:${port}`, readersPort, adminPort, log, stop: () => stopEngine(child) }
}
