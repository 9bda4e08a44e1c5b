import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Somebody who has taken nothing of what was written for nine looks in a row is gone, or wants to hold us. Looks are
 * counted, not seconds: a process that stalls has not given them nine chances.
 */
export const mostLooks = 9
export const lookEvery = 1_000

interface Unread {
  readonly bytes: number
  readonly looks: number
}

/** Closes sockets whose reader has stopped reading. Node's own time-out begins anew once for what is still unsent. */
export function closeSlowReaders(server: Server): void {
  const unread = new Map<Socket, Unread | undefined>()
  server.on('connection', (socket: Socket) => {
    unread.set(socket, undefined)
    socket.once('close', () => unread.delete(socket))
  })
  const look = () => {
    for (const [socket, before] of unread) {
      const bytes = unsent(socket)
      const looks = bytes > 0 && bytes === before?.bytes ? before.looks + 1 : 0
      if (looks >= mostLooks) socket.destroy()
      else if (bytes > 0 || before) unread.set(socket, bytes > 0 ? { bytes, looks } : undefined)
    }
  }
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    timer ??= setInterval(look, lookEvery).unref()
  })
  server.on('close', () => clearInterval(timer))
}

/** The first counts whole writes, however much of them is gone; the second, which Node's own time-out asks, what is left. */
export function unsent(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { writeQueueSize?: number } }
  return socket.writableLength + (handle?.writeQueueSize ?? 0)
}
