import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { createSealer } from '#platform/crypto.ts'
import { Database } from '#platform/db/database.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { testDatabase } from '../../../testkit/database.ts'
import { startDispatcher } from './dispatcher.ts'

const { url } = await testDatabase()

/** The URL of a proxy to the database that refuses the first connections. */
async function refusingProxy(count: number): Promise<string> {
  const { hostname, port } = new URL(url)
  let came = 0
  const server = createServer((socket) => {
    came += 1
    socket.on('error', () => {})
    if (came <= count) return socket.destroy()
    const onward = connect(Number(port || 5432), hostname)
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy())
    socket.on('close', () => onward.destroy()).pipe(onward)
    return onward.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const proxy = new URL(url)
  proxy.hostname = '127.0.0.1'
  proxy.port = String((server.address() as AddressInfo).port)
  return proxy.href
}

async function troublesAfter(refused: number): Promise<number> {
  const proxy = await refusingProxy(refused)
  const db = new Database({
    name: 'dispatcher',
    url: proxy,
    role: 'svc_worker',
    connections: 1,
    statementTimeout: 5000,
  })
  const context = {
    outbound: createOutbound({ ownHosts: [], allow: new Set() }),
    sealer: createSealer(['x'.repeat(44)]),
    userAgent: 'test',
  }
  let troubles = 0
  const claimed = Promise.withResolvers<void>()
  const dispatcher = startDispatcher(db, context, {
    onAttempt: () => {},
    onTrouble: () => (troubles += 1),
    // Called with every successful claim.
    onClock: () => claimed.resolve(),
  })
  await claimed.promise
  await dispatcher.stop()
  await db.close()
  return troubles
}

test('one claim that fails is nobody’s trouble, and the second in a row is', async () => {
  assert.deepEqual(await Promise.all([troublesAfter(1), troublesAfter(3)]), [0, 2])
})
