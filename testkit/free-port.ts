import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * For a site whose pages name its address, which must be known before it listens. From below the ports that the system
 * hands out by itself: what another test connects from cannot take it in between.
 */
export async function freePort(): Promise<number> {
  const port = 10_000 + Math.floor(Math.random() * 20_000)
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
