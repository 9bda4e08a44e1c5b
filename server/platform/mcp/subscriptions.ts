import { PassThrough } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { network } from '../http/limits.ts'
import { type Id, written } from './json-rpc.ts'
import { subscriptionKey } from './rev-2026.ts'

/** Open streams of a process, and of one address: each holds a socket. */
const mostOpen = 100
const mostOfOne = 4
/** Less than the 11 s after which a silent socket is closed here. */
const breath = 8_000
/** Then its client is told that it ended well, and may ask again. */
const longest = 15 * 60_000

export interface Listening {
  open(request: FastifyRequest, reply: FastifyReply, id: Id): FastifyReply
  closeAll(): void
}

/** `subscriptions/listen`: nothing here ever changes while the site runs, so a stream says that it is heard, and breathes. */
export function listeningStreams(): Listening {
  const open = new Map<PassThrough, { readonly from: string; end(): void }>()
  return {
    open(request, reply, id) {
      const from = network(request.ip ?? '')
      const theirs = [...open.values()].filter((one) => one.from === from).length
      if (open.size >= mostOpen || theirs >= mostOfOne)
        throw new ServiceError(429, 'rate_limited', 'Too many streams are open. Close one, or try again in a minute.', {
          headers: { 'retry-after': '60' },
        })
      const stream = new PassThrough()
      const about = { _meta: { [subscriptionKey]: id } }
      const beat = setInterval(() => stream.write(':\n\n'), breath)
      const limit = setTimeout(() => end(), longest)
      const forget = () => {
        clearInterval(beat)
        clearTimeout(limit)
        open.delete(stream)
      }
      const end = () => {
        forget()
        stream.end(event(written(id, JSON.stringify({ resultType: 'complete', ...about }))))
      }
      open.set(stream, { from, end })
      stream.on('close', forget)
      const heard = { ...about, notifications: {} }
      stream.write(
        event(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/subscriptions/acknowledged', params: heard })),
      )
      return reply.type('text/event-stream').header('x-accel-buffering', 'no').send(stream)
    },
    closeAll: () => {
      for (const { end } of [...open.values()]) end()
    },
  }
}

const event = (json: string): string => `event: message\ndata: ${json}\n\n`
