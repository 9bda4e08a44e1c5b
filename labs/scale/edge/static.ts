import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { startVarnish } from '../../../testkit/engines/edge.ts'
import { requirePrograms, runToEnd, scratchFolder } from '../../../testkit/engines/engine.ts'
import { median } from '../../../testkit/measure.ts'
import type { Proof } from '../site.ts'
import { edgeSite } from './site.ts'

const wanted = 0.9
const pieces = 200
const [edgeCore, readerCore] = [0, 1]
const lengths = {
  short: { rounds: 3, seconds: 1 },
  usual: { rounds: 7, seconds: 4 },
  long: { rounds: 15, seconds: 20 },
}

/**
 * One Varnish on one core, wrk on the other: kept pieces, against a file of the site that never changes, of as many
 * bytes on the wire. In turns, so that whatever else the machine does meets both. Beside them, and not claimed: the same
 * bytes as bare as they come, past every line of our configuration and with no header of ours.
 */
export const staticObject: Proof = async (length) => {
  requirePrograms('wrk', 'taskset')
  const { server, pieces: addresses } = await edgeSite(length)
  const origin = await startOrigin(await headersOf(`${server.base}/favicon.svg`))
  const edge = await startVarnish({
    backends: [server, server],
    core: edgeCore,
    vcl: besideSite(origin.port),
  })
  try {
    const paths = addresses.slice(0, pieces)
    const wire = median(await Promise.all(paths.map((path) => sizeOnWire(edge.port, path))))
    const [file, bare] = await Promise.all([fileAddress, bareAddress].map((path) => filledUp(edge.port, path, wire)))
    const asked = { pieces: paths, file: [file!], bare: [bare!] }
    const { rounds, seconds } = lengths[length]
    for (const one of Object.values(asked)) await requestsASecond(edge.port, one, 1)
    const measured: Record<keyof typeof asked, number[]> = { pieces: [], file: [], bare: [] }
    for (let round = 0; round < rounds; round += 1)
      for (const name of ['file', 'pieces', 'bare'] as const)
        measured[name].push(await requestsASecond(edge.port, asked[name], seconds))
    console.log(`${rounds} rounds of ${seconds} s each, ${wire} bytes on the wire; answers a second:`)
    for (const [name, rates] of Object.entries(measured))
      console.log(
        `  ${name.padEnd(6)} ${median(rates).toFixed(0)} (${rates.map((rate) => rate.toFixed(0)).join(', ')})`,
      )
    const ratioTo = (name: 'file' | 'bare') =>
      median(measured.pieces.map((rate, round) => rate / measured[name][round]!))
    const ratio = ratioTo('file')
    console.log(
      `pieces against a file ${percent(ratio)}, wanted ${percent(wanted)}; against bare bytes ${percent(ratioTo('bare'))}`,
    )
    return ratio >= wanted
  } finally {
    await edge.stop()
    origin.close()
  }
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`

/** The path of images: the edge treats them like pieces. */
const fileAddress = '/media/still/'
const bareAddress = '/still/bare/'

/** Answers an address of theirs that ends in N with N bytes, those of a file as the site gives what never changes. */
async function startOrigin(headers: Readonly<Record<string, string>>): Promise<{ port: number; close(): void }> {
  const server = createServer(({ url = '' }, response) => {
    const said = url.startsWith(fileAddress) ? headers : { 'content-type': 'application/octet-stream' }
    response
      .writeHead(200, { ...said, 'cache-control': 'public, max-age=86400' })
      .end(Buffer.alloc(Number(url.split('/').at(-1)), 'x'))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

async function headersOf(url: string): Promise<Record<string, string>> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  const hops = ['connection', 'keep-alive', 'date', 'content-length', 'content-encoding', 'transfer-encoding']
  return Object.fromEntries([...answer.headers].filter(([name]) => !hops.includes(name)))
}

/** Size of a whole answer, headers included, as a client that accepts gzip gets it from the cache. */
async function sizeOnWire(port: number, path: string): Promise<number> {
  const ask = async () => {
    const socket = connect(port, '127.0.0.1')
    socket.end(`GET ${path} HTTP/1.1\r\nHost: edge\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n`)
    return (await buffer(socket)).length
  }
  await ask()
  return ask()
}

/** The address of an object of this size on the wire. */
async function filledUp(port: number, path: string, wire: number): Promise<string> {
  const head = (await sizeOnWire(port, `${path}1000`)) - 1000
  return `${path}${wire - head}`
}

/** What is still comes from its own origin; what is bare goes past all we say. */
const besideSite = (port: number): string => `
backend still { .host = "127.0.0.1"; .port = "${port}"; }
sub vcl_recv { if (req.url ~ "^${bareAddress}") { return (hash); } }
sub vcl_hash { if (req.url ~ "^${bareAddress}") { hash_data(req.url); return (lookup); } }
sub vcl_backend_fetch { if (bereq.url ~ "^(${fileAddress}|${bareAddress})") { set bereq.backend = still; return (fetch); } }
sub vcl_deliver { if (req.url ~ "^${bareAddress}") { return (deliver); } }
`

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
  // A piece whose time is over is asked for again, of a site that may be busy.
  if (refused > all / 1_000) throw new Error(`wrk: ${refused} of ${all} refused`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(said)![1])
}
