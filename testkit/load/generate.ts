import { readFileSync, writeFileSync } from 'node:fs'
import { Connection, type ConnectionListener, Tally } from './client.ts'
import type { Kind, Phase, Plan, Report } from './load.ts'

/**
 * `node generate.ts <plan> <report>`: asks by the clock and not by the answers. A server that stalls is asked on, and
 * what waits for it waits from its own start, so that no stall hides the requests it would have met.
 */

interface Request {
  readonly bytes: Buffer
  readonly start: number
  readonly tallies: readonly Tally[]
}

/** Connections that wait longer for the next request are closed from here: sooner than any server of ours does. */
const longestIdle = 1_500
const sweepEvery = 100

const [planFile, reportFile] = process.argv.slice(2)
const plan: Plan = JSON.parse(readFileSync(planFile!, 'utf8'))
const { timeout = 10_000 } = plan

let seed = plan.seed ?? 1
/** mulberry32 */
function random(): number {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

const requestsOf = ({ method = 'GET', paths, headers = [], body }: Kind): Buffer[] =>
  paths.map((path) => {
    const length = body === undefined ? [] : [`content-length: ${Buffer.byteLength(body)}`]
    const lines = [
      `${method} ${path} HTTP/1.1`,
      `host: ${plan.host ?? `127.0.0.1:${plan.port}`}`,
      ...headers,
      ...length,
    ]
    return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
  })

const kinds = plan.kinds.map((kind) => ({ ...kind, requests: requestsOf(kind), draw: drawerOf(kind) }))

/** Which of its paths is next. */
function drawerOf({ paths, zipf }: Kind): () => number {
  if (!zipf) return () => Math.floor(random() * paths.length)
  const sums = new Float64Array(paths.length)
  let sum = 0
  for (const place of paths.keys()) {
    sum += (zipf.rank + place) ** -zipf.exponent
    sums[place] = sum
  }
  return () => {
    const drawn = random() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! < drawn) low = middle + 1
      else high = middle
    }
    return low
  }
}

const shares = kinds.reduce((sum, { share }) => sum + share, 0)
function drawKind(): number {
  let left = random() * shares
  for (const [place, { share }] of kinds.entries()) {
    left -= share
    if (left < 0) return place
  }
  return kinds.length - 1
}

const phases = plan.phases.map((phase: Phase) => ({ ...phase, all: new Tally(), byKind: kinds.map(() => new Tally()) }))
const timeline: Tally[] = []

const idle: { readonly connection: Connection; readonly since: number }[] = []
const busy = new Map<Connection, Request>()
const waiting: Request[] = []
let firstWaiting = 0
let open = 0
let worstLag = 0

const watcher: ConnectionListener = {
  answered(connection, answer) {
    const now = performance.now()
    const { start, tallies } = busy.get(connection)!
    busy.delete(connection)
    for (const tally of tallies) tally.answered(answer, now - start)
    if (!connection.isOpen) return
    const next = nextWaiting()
    if (next) send(connection, next)
    else idle.push({ connection, since: now })
  },
  gone(connection, why) {
    open -= 1
    const request = busy.get(connection)
    busy.delete(connection)
    if (request) fail(request, why ?? 'closed')
    else {
      const place = idle.findIndex((one) => one.connection === connection)
      if (place >= 0) idle.splice(place, 1)
    }
    const next = nextWaiting()
    if (next) ask(next)
  },
}

function fail({ tallies }: Request, why: string): void {
  for (const tally of tallies) tally.failed(why)
}

function nextWaiting(): Request | undefined {
  const next = waiting[firstWaiting]
  if (!next) return undefined
  firstWaiting += 1
  if (firstWaiting > 10_000) {
    waiting.splice(0, firstWaiting)
    firstWaiting = 0
  }
  return next
}

function send(connection: Connection, request: Request): void {
  busy.set(connection, request)
  connection.ask(request.bytes)
}

function ask(request: Request): void {
  let free = idle.pop()
  while (free && !free.connection.isOpen) free = idle.pop()
  if (free) send(free.connection, request)
  else if (open >= plan.connections) waiting.push(request)
  else {
    open += 1
    send(new Connection(plan.port, watcher), request)
  }
}

function sweep(): void {
  const now = performance.now()
  for (const [connection, { start }] of busy) if (now - start > timeout) connection.end('timeout')
  while (waiting[firstWaiting] && now - waiting[firstWaiting]!.start > timeout) fail(nextWaiting()!, 'timeout')
  // The longest idle are first: the last one in is the first one out.
  let old = 0
  while (idle[old] && now - idle[old]!.since > longestIdle) old += 1
  for (const { connection } of idle.splice(0, old)) connection.end('idle')
}

const begin = performance.now() + 200
let phaseBegin = begin
let place = 0
let next = begin

/** Sends everything that is due. Arrivals are a Poisson process, so several may be due at once. */
function arrive(): void {
  const now = performance.now()
  for (let phase = phases[place]; phase && next <= now; phase = phases[place]) {
    if (next >= phaseBegin + phase.seconds * 1000) {
      phaseBegin += phase.seconds * 1000
      next = phaseBegin
      place += 1
      continue
    }
    const kind = drawKind()
    const { requests, draw } = kinds[kind]!
    const second = Math.floor((next - begin) / 1000)
    timeline[second] ??= new Tally()
    const tallies = [phase.all, phase.byKind[kind]!, timeline[second]]
    for (const tally of tallies) tally.asked += 1
    worstLag = Math.max(worstLag, now - next)
    ask({ bytes: requests[draw()]!, start: next, tallies })
    next += (-Math.log(1 - random()) / phase.rate) * 1000
  }
  if (place < phases.length) setTimeout(arrive, 1)
  else finish()
}

function finish(): void {
  if (busy.size > 0 || waiting[firstWaiting]) return void setTimeout(finish, 20)
  const report: Report = {
    phases: phases.map(({ name, seconds, all, byKind }) => ({
      name,
      seconds,
      ...all.outcome(),
      kinds: Object.fromEntries(kinds.map((kind, which) => [kind.name, byKind[which]!.outcome()])),
    })),
    timeline: Array.from(timeline, (tally) => (tally ?? new Tally()).outcome()),
    worstLag,
  }
  writeFileSync(reportFile!, JSON.stringify(report))
  process.exit(0)
}

setInterval(sweep, sweepEvery)
arrive()
