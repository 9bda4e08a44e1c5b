import type { FastifyRequest, preHandlerHookHandler } from 'fastify'
import type { ReadRouter } from '../db/read-routing.ts'
import { type Position, readPosition } from '../db/wal-position.ts'
import { placedReads, replicaWait } from '../observability/dependencies.ts'

/** Holds the log position from which its owner's changes are visible. The desk sets it (http/desk-api/session.ts). */
const cookieName = 'wrote'

/** Routes the reads of a request so that they are fresh, and include the client's own last write. */
export function freshReads(router: ReadRouter, isHttps: boolean): preHandlerHookHandler {
  const cookie = `${isHttps ? '__Host-' : ''}${cookieName}=`
  return (request, _reply, done) => {
    const place = router.place(positionIn(request, cookie))
    if (typeof place === 'string') {
      placedReads.inc({ place })
      router.reading(place, done)
      return
    }
    const since = performance.now()
    place.then((found) => {
      replicaWait.observe((performance.now() - since) / 1000)
      placedReads.inc({ place: found })
      router.reading(found, done)
    }, done)
  }
}

/** Malformed values are ignored. */
function positionIn({ headers }: FastifyRequest, cookie: string): Position | undefined {
  if (headers.cookie === undefined) return undefined
  const found = headers.cookie.split(';').find((pair) => pair.trimStart().startsWith(cookie))
  return found === undefined ? undefined : readPosition(found.trim().slice(cookie.length))
}
