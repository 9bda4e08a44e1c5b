import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { until } from '../../../testkit/waiting.ts'
import { checkEvery, closeSlowReaders, maxChecks, unsent } from './sockets.ts'

test('whoever reads nothing for nine seconds is closed, and whoever reads slowly is not', async (t) => {
  assert.deepEqual([maxChecks, checkEvery], [9, 1_000])
  t.mock.timers.enable({ apis: ['setInterval'] })
  const much = Buffer.alloc(64 * 1024 * 1024)
  const server = createServer((_request, response) => void response.end(much))
  closeSlowReaders(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (): Promise<[client: Socket, atServer: Socket]> => {
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.write('GET / HTTP/1.1\r\nhost: site\r\n\r\n')
    return [client, (await accepted)[0] as Socket]
  }
  /** Until as much is sent as fits between them while nobody reads. */
  const full = async (socket: Socket): Promise<void> => {
    let before = -1
    await until(() => {
      const now = unsent(socket)
      const isFull = now > 0 && now === before
      before = now
      return isFull
    }, 'the server can write no more')
  }
  try {
    const [deaf, ofDeaf] = await open()
    deaf.pause()
    const [slow, ofSlow] = await open()
    slow.pause()
    await Promise.all([full(ofDeaf), full(ofSlow)])
    // The first check sees how much there is, nine more that it has not changed.
    for (let look = 0; look <= maxChecks; look += 1) {
      assert.ok(!ofDeaf.destroyed, `closed at look ${look}`)
      t.mock.timers.tick(checkEvery)
      const before = unsent(ofSlow)
      await new Promise<void>((resolve) => {
        const take = () => {
          if (unsent(ofSlow) >= before) return
          slow.off('data', take).pause()
          resolve()
        }
        slow.on('data', take).resume()
      })
    }
    assert.ok(ofDeaf.destroyed)
    assert.ok(unsent(ofSlow) > 0, 'there is still something to read')
    assert.ok(!ofSlow.destroyed)
    deaf.destroy()
    slow.destroy()
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
