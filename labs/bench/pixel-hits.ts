import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

/** Requests the pixel from its own thread over raw sockets: a generator that is late would measure itself. */

const { port, ids, seconds, aSecond } = workerData as HitPlan
export interface HitPlan {
  readonly port: number
  readonly ids: readonly string[]
  readonly seconds: number
  readonly aSecond: number
}

const lanes = 16
/** A server closes a connection after a thousand. */
const perSocket = 900
const run = Date.now()
let answered = 0

function lane(): (number: number) => void {
  let socket: Socket | undefined
  let sent = 0
  return (number) => {
    if (!socket || sent === perSocket) {
      socket = open()
      sent = 0
    }
    sent += 1
    socket.write(
      `GET /r/${ids[number % ids.length]}.gif HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: Mozilla/5.0 Reader/${run}.${number}\r\nX-Forwarded-For: 10.${(number >> 8) % 256}.${number % 256}.1\r\n\r\n`,
    )
  }
}

function open(): Socket {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  let rest = ''
  socket.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('GIF89a')
    answered += parts.length - 1
    rest = parts.at(-1)!.slice(-5)
  })
  return socket
}

const all = Array.from({ length: lanes }, lane)
const began = performance.now()
const whole = seconds * aSecond
for (let sent = 0; sent < whole; await pause(5)) {
  const due = Math.min(Math.floor(((performance.now() - began) / 1000) * aSecond), whole)
  for (; sent < due; sent += 1) all[sent % lanes]!(sent)
}
for (let tries = 0; answered < whole && tries < 200; tries += 1) await pause(50)
parentPort!.postMessage(answered)
process.exit(0)
