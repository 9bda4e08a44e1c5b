import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { lease } from '#platform/db/primary-watch.ts'
import { type Act, acting } from '#platform/db/write-context.ts'
import type { DeskRoutesContext } from './context.ts'
import { setCookie } from './cookies.ts'

/** A timer may ring up to a millisecond before its time. */
const early = 1

/**
 * Whoever changes something public sees it on the next page they open, whichever server and replica that comes from, and
 * through whichever cache; and so does everybody else from the moment they are answered.
 */
export function readYourWrites(app: FastifyInstance, context: DeskRoutesContext): void {
  const acts = new WeakMap<FastifyRequest, Act>()
  let isReplicated = false
  app.addHook('preHandler', (request, _reply, done) => {
    const act = { changed: false }
    acts.set(request, act)
    acting(act, done)
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const committed = acts.get(request)?.committed
    if (!committed) return payload
    setCookie(reply, context, 'wrote', committed.position)
    // One that has lost its connection for now may still be read from.
    isReplicated ||= committed.isReplicated
    if (isReplicated) await pause(Math.max(0, committed.at + lease + early - performance.now()))
    return payload
  })
}
