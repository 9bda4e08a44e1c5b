import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { demandPrograms, runToEnd, scratchFolder } from '../engines/engine.ts'
import { startVarnish } from '../engines/varnish.ts'
import type { Proof } from '../run.ts'
import { edgeHouse } from './house.ts'

const wanted = 0.9
const pieces = 200
const [edgeCore, readerCore] = [0, 1]
const lengths = {
  short: { rounds: 3, seconds: 1 },
  usual: { rounds: 7, seconds: 4 },
  long: { rounds: 15, seconds: 20 },
}

/**
 * One Varnish on one core, wrk on the other: kept pieces by our configuration, against one object of the same size that
 * goes past all of it. In turns, so that whatever else the machine does meets both.
 */
export const staticObject: Proof = async (length) => {
  demandPrograms('wrk', 'taskset')
  const { server, pieces: addresses } = await edgeHouse(length)
  const paths = addresses.slice(0, pieces)
  const sizes = await Promise.all(paths.map((path) => sizeOf(server.base + path)))
  const size = Math.round(sizes.reduce((sum, one) => sum + one, 0) / sizes.length)
  const origin = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'cache-control': 'public, max-age=86400' })
      .end(Buffer.alloc(size, 'x')),
  ).listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const { port } = origin.address() as AddressInfo
  const edge = await startVarnish({ backends: [server.port, server.port], core: edgeCore, vcl: pastAll(port) })
  try {
    const { rounds, seconds } = lengths[length]
    const ask = async (asked: readonly string[], duration: number): Promise<Round> => {
      const before = edge.processorSeconds()
      const aSecond = await requestsASecond(edge.port, asked, duration)
      return { aSecond, ofItsCore: (aSecond * duration) / (edge.processorSeconds() - before) }
    }
    for (const path of paths) await fetch(edge.base + path).then((answer) => answer.arrayBuffer())
    await ask(['/static-object'], 1)
    const [kept, still]: [Round[], Round[]] = [[], []]
    for (let round = 0; round < rounds; round += 1) {
      kept.push(await ask(paths, seconds))
      still.push(await ask(['/static-object'], seconds))
    }
    const ratioOf = (which: keyof Round) => middle(kept, which) / middle(still, which)
    const ratio = ratioOf('aSecond')
    console.log(
      `${rounds} rounds of ${seconds} s each, ${size} bytes on the wire, gzip; a second, and a second of its core`,
    )
    console.log(`kept pieces   ${told(kept)}`)
    console.log(`static object ${told(still)}`)
    console.log(
      `ratio ${(100 * ratio).toFixed(1)} %, wanted ${100 * wanted} %; of a second of its core ${(100 * ratioOf('ofItsCore')).toFixed(1)} %`,
    )
    return ratio >= wanted
  } finally {
    await edge.stop()
    origin.close()
  }
}

/** As little as Varnish can do: no line of ours is run for it. */
const pastAll = (port: number): string => `
backend still { .host = "127.0.0.1"; .port = "${port}"; }
sub vcl_recv { if (req.url == "/static-object") { set req.backend_hint = still; return (hash); } }
sub vcl_hash { if (req.url == "/static-object") { hash_data(req.url); return (lookup); } }
sub vcl_backend_fetch { if (bereq.url == "/static-object") { return (fetch); } }
sub vcl_backend_response { if (bereq.url == "/static-object") { return (deliver); } }
sub vcl_deliver { if (req.url == "/static-object") { return (deliver); } }
`

async function sizeOf(url: string): Promise<number> {
  const { gzipSync } = await import('node:zlib')
  return gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer())).length
}

async function requestsASecond(port: number, paths: readonly string[], seconds: number): Promise<number> {
  const script = `${scratchFolder('wrk')}/paths.lua`
  writeFileSync(
    script,
    `local requests = {}
local at = 0
function init()
${paths.map((path, place) => `  requests[${place}] = wrk.format('GET', '${path}', { ['Accept-Encoding'] = 'gzip' })`).join('\n')}
end
function request()
  at = (at + 1) % ${paths.length}
  return requests[at]
end
`,
  )
  const command = [
    '-t',
    '1',
    '-c',
    '32',
    '-d',
    `${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    script,
    `http://127.0.0.1:${port}`,
  ]
  const said = await runToEnd(['taskset', '-c', String(readerCore), 'wrk', ...command])
  const [, refused = 0, all = 1] = [null, /Non-2xx or 3xx responses: (\d+)/, /(\d+) requests in/].map((shape) =>
    Number(shape?.exec(said)?.[1] ?? 0),
  )
  // A piece whose time is over is asked for again, of a house that may be busy.
  if (refused > all / 1_000) throw new Error(`wrk: ${refused} of ${all} refused`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(said)![1])
}

interface Round {
  readonly aSecond: number
  /** For each second that Varnish had the processor: the same as `aSecond` where nobody else wants it. */
  readonly ofItsCore: number
}

const middle = (rounds: readonly Round[], which: keyof Round): number =>
  rounds.map((one) => one[which]).toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)]!

const told = (rounds: readonly Round[]): string =>
  `${middle(rounds, 'aSecond').toFixed(0)}, ${middle(rounds, 'ofItsCore').toFixed(0)} (${rounds.map(({ ofItsCore }) => ofItsCore.toFixed(0)).join(', ')})`
