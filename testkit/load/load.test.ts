import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { answeredOf, brokenOf, failedOf, load, type Phase, type Plan, type Report } from './load.ts'

async function loaded(
  listener: RequestListener,
  { rate, connections = 50, timeout = 120_000 }: Pick<Phase, 'rate'> & Partial<Pick<Plan, 'connections' | 'timeout'>>,
): Promise<Report> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    return await load({
      port,
      connections,
      timeout,
      kinds: [
        { name: 'whole', share: 3, paths: ['/whole'] },
        { name: 'chunked', share: 1, paths: ['/chunked'] },
      ],
      phases: [{ name: 'all', seconds: 1, rate }],
    })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const answer: RequestListener = (request, response) => {
  if (request.url === '/whole') return void response.end('here')
  response.write('a'.repeat(30_000))
  response.end('and the rest')
}

test('it asks as often as planned, by the shares planned, and reads both kinds of bodies', async () => {
  const { phases, timeline } = await loaded(answer, { rate: 500 })
  const [all] = phases
  assert.ok(Math.abs(all!.asked - 500) < 100, `${all!.asked}`)
  assert.deepEqual(all!.statuses, { 200: all!.asked })
  assert.ok(all!.kinds['whole']!.asked > 2 * all!.kinds['chunked']!.asked)
  assert.equal(failedOf(all!), 0)
  assert.equal(timeline[0]!.asked, all!.asked)
})

test('a server that answers one at a time is charged for the waiting of all who came meanwhile', async () => {
  // Two seconds of work for a second's requests; a slower machine only makes them wait longer.
  const slowly: RequestListener = (_request, response) => void setTimeout(() => response.end(), 20)
  const { phases } = await loaded(slowly, { rate: 100, connections: 1 })
  assert.ok(phases[0]!.admitted.max > 500, `${phases[0]!.admitted.max}`)
  assert.equal(answeredOf(phases[0]!), phases[0]!.asked)
})

test('refusals are told from those that do not say when to come back, and from no answer', async () => {
  let count = 0
  const { phases } = await loaded(
    (request, response) => {
      count += 1
      if (count % 4 === 0) response.writeHead(503, { 'retry-after': '2' }).end()
      else if (count % 4 === 1) response.writeHead(503).end()
      else if (count % 4 === 2) request.socket.destroy()
      // And one that is never answered.
    },
    { rate: 100, connections: 200, timeout: 1_500 },
  )
  const [{ statuses, failures, withoutRetryAfter }] = phases as [Report['phases'][number]]
  assert.ok(statuses['503']! > 30)
  assert.ok(withoutRetryAfter > 10 && withoutRetryAfter < statuses['503']!)
  assert.ok(failures['timeout']! > 10)
  const { timeout: _, ...broken } = failures
  assert.ok(Object.values(broken).reduce((sum, one) => sum + one, 0) > 10, JSON.stringify(failures))
  assert.equal(brokenOf(phases[0]!), phases[0]!.asked - statuses['503']! + withoutRetryAfter)
})
