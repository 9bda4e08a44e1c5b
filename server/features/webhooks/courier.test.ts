import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Database } from '#platform/db/database.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { createSealer } from '#platform/sealing.ts'
import { testDatabase } from '#testing/database.ts'
import { startCourier } from './courier.ts'

const { url } = await testDatabase()

/** A way to the database that refuses the first comers. */
async function wayThatRefuses(count: number): Promise<{ url: string; came: () => number }> {
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
  const way = new URL(url)
  way.hostname = '127.0.0.1'
  way.port = String((server.address() as AddressInfo).port)
  return { url: way.href, came: () => came }
}

async function troublesAfter(refused: number): Promise<number> {
  const way = await wayThatRefuses(refused)
  const db = new Database({ name: 'courier', url: way.url, role: 'svc_worker', connections: 1, statementTimeout: 5000 })
  const sending = {
    outbound: createOutbound({ ownHosts: [], allow: new Set() }),
    sealer: createSealer(['x'.repeat(44)]),
    userAgent: 'test',
  }
  let troubles = 0
  const courier = startCourier(db, sending, {
    onAttempt: () => {},
    onTrouble: () => (troubles += 1),
    onClock: () => {},
  })
  while (way.came() <= refused) await pause(20)
  await pause(700)
  await courier.stop()
  await db.close()
  return troubles
}

test('one claim that fails is nobody’s trouble, and the second in a row is', async () => {
  assert.equal(await troublesAfter(1), 0)
  assert.equal(await troublesAfter(3), 2)
})
