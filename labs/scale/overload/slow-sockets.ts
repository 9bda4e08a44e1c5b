import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Clients that take their time on purpose, each kind in its own way. */

const host = 'Host: site\r\n'
const manners = {
  /** Says nothing at all. */
  mute: { begins: '', drips: '' },
  header: { begins: `GET / HTTP/1.1\r\n${host}X-Slow: `, drips: 'a' },
  body: {
    begins: `POST /api/mcp HTTP/1.1\r\n${host}Accept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
    drips: ' ',
  },
  /** Asks for far more than the buffers of both machines hold, and reads nothing of it. */
  deaf: { begins: `GET /api/openapi.json HTTP/1.1\r\n${host}\r\n`.repeat(40), drips: '' },
} as const
export type Manner = keyof typeof manners

export interface Siege {
  /** How long each lived, in seconds, by manner; those that still live after `longest` have no place here. */
  readonly lives: Readonly<Record<Manner, readonly number[]>>
  readonly survivors: Readonly<Record<Manner, number>>
}

/** Opens so many of each at this port, from addresses of their own, and waits until they are closed or `longest` is over. */
export async function besiege(port: number, counts: Readonly<Record<Manner, number>>, longest: number): Promise<Siege> {
  const lives: Record<Manner, number[]> = { mute: [], header: [], body: [], deaf: [] }
  const survivors: Record<Manner, number> = { mute: 0, header: 0, body: 0, deaf: 0 }
  const sockets: Promise<void>[] = []
  let number = 0
  for (const manner of Object.keys(manners) as Manner[]) {
    for (let count = 0; count < counts[manner]; count += 1) {
      number += 1
      sockets.push(
        live(port, manner, longest, `127.0.${1 + (number % 100)}.1`).then((seconds) => {
          if (seconds === undefined) survivors[manner] += 1
          else lives[manner].push(seconds)
        }),
      )
      // Some 1,000 a second: a listen queue that overflows is another trial.
      if (manner === 'deaf') await pause(200)
      else if (number % 20 === 0) await pause(20)
    }
  }
  await Promise.all(sockets)
  return { lives, survivors }
}

async function live(port: number, manner: Manner, longest: number, from: string): Promise<number | undefined> {
  const { begins, drips } = manners[manner]
  const socket: Socket = connect({ port, host: '127.0.0.1', localAddress: from })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve()).on('error', () => {})
  })
  await Promise.race([once(socket, 'connect').catch(() => {}), closed])
  const start = performance.now()
  if (manner === 'deaf') socket.pause()
  else socket.resume()
  socket.write(begins)
  const probes: NodeJS.Timeout[] = []
  const drip = setInterval(() => {
    if (drips) socket.write(drips)
  }, 1_000)
  // Whoever does not read learns only by writing that nobody is there any more.
  const probe = setTimeout(() => {
    if (manner === 'deaf') probes.push(setInterval(() => socket.write('G'), 100))
  }, longest - 500)
  const inTime = await Promise.race([closed.then(() => true), pause(longest, false)])
  const life = (performance.now() - start) / 1000
  clearInterval(drip)
  clearTimeout(probe)
  for (const one of probes) clearInterval(one)
  socket.destroy()
  return inTime ? life : undefined
}
