import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { closeDeaf } from './deaf-readers.ts'

test('whoever reads nothing is closed within 12 s, and whoever reads slowly is not', async () => {
  const much = Buffer.alloc(64 * 1024 * 1024)
  const server = createServer((_request, response) => void response.end(much))
  closeDeaf(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const open = async (): Promise<[client: Socket, atServer: Socket]> => {
    const accepted = once(server, 'connection')
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.write('GET / HTTP/1.1\r\nhost: house\r\n\r\n')
    return [client, (await accepted)[0] as Socket]
  }
  const [deaf, ofDeaf] = await open()
  deaf.pause()
  const [slow, ofSlow] = await open()
  // Some 2 MB a second: half a minute for all of it.
  slow.on('data', () => {
    slow.pause()
    setTimeout(() => slow.resume(), 30)
  })
  try {
    await Promise.race([once(ofDeaf, 'close'), pause(12_000)])
    assert.ok(ofDeaf.destroyed)
    assert.ok(!ofSlow.destroyed)
  } finally {
    deaf.destroy()
    slow.destroy()
    server.closeAllConnections()
    server.close()
  }
})
