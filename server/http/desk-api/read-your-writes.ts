import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { lease } from '#platform/db/primary-watch.ts'
import { trackWrite, type WriteOutcome } from '#platform/db/wal-position.ts'
import { type DeskRoutesContext, setCookie } from './session.ts'

/** A timer may fire up to a millisecond early. */
const timerSlack = 1

/**
 * After publishing, writers see their change on the next page they open, from any server, replica or cache; everyone
 * else does from the moment of the response.
 */
export function readYourWrites(app: FastifyInstance, context: DeskRoutesContext): void {
  const writes = new WeakMap<FastifyRequest, WriteOutcome>()
  let isReplicated = false
  app.addHook('preHandler', (request, _reply, done) => {
    const act = { changed: false }
    writes.set(request, act)
    trackWrite(act, done)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const committed = writes.get(request)?.committed
    if (!committed) return payload
    setCookie(reply, context, 'wrote', committed.position)
    // A replica that is disconnected for now may still serve reads.
    isReplicated ||= committed.isReplicated
    if (isReplicated) await pause(Math.max(0, committed.at + lease + timerSlack - performance.now()))
    return payload
  })
}
