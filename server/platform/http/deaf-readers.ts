import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** Somebody who has taken nothing for so long of what was written is gone, or wants to hold us. */
const longest = 9_000
const lookEvery = 1_000

interface Unread {
  readonly bytes: number
  readonly since: number
}

/** Closes sockets whose reader has stopped reading. Node's own time-out begins anew once for what is still unsent. */
export function closeDeaf(server: Server): void {
  const unread = new Map<Socket, Unread | undefined>()
  server.on('connection', (socket: Socket) => {
    unread.set(socket, undefined)
    socket.once('close', () => unread.delete(socket))
  })
  const look = () => {
    const now = performance.now()
    for (const [socket, before] of unread) {
      const bytes = unsent(socket)
      if (bytes === 0 || bytes !== before?.bytes) {
        if (bytes > 0 || before) unread.set(socket, bytes > 0 ? { bytes, since: now } : undefined)
      } else if (now - before.since >= longest) socket.destroy()
    }
  }
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    timer ??= setInterval(look, lookEvery).unref()
  })
  server.on('close', () => clearInterval(timer))
}

/** The first counts whole writes, however much of them is gone; the second, which Node's own time-out asks, what is left. */
function unsent(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } }
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}
