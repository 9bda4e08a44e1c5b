import type { FastifyRequest, preHandlerHookHandler } from 'fastify'
import { type Position, readPosition } from '../db/lsn.ts'
import type { ReadRouting } from '../db/read-routing.ts'
import { placedReads, replicaWait } from '../observability/replicas.ts'

/** Says from which position on its holder's own work is to be seen. The desk sets it (http/desk-api/cookies.ts). */
const cookieName = 'wrote'

/** Whatever this request reads is as fresh as readers are promised, and whoever has just written finds it. */
export function freshReads(freshness: ReadRouting, isHttps: boolean): preHandlerHookHandler {
  const cookie = `${isHttps ? '__Host-' : ''}${cookieName}=`
  return (request, _reply, done) => {
    const place = freshness.place(positionIn(request, cookie))
    if (typeof place === 'string') {
      placedReads.inc({ place })
      freshness.reading(place, done)
      return
    }
    const since = performance.now()
    place.then((found) => {
      replicaWait.observe((performance.now() - since) / 1000)
      placedReads.inc({ place: found })
      freshness.reading(found, done)
    }, done)
  }
}

/** Whatever is not of its shape says nothing. */
function positionIn({ headers }: FastifyRequest, cookie: string): Position | undefined {
  if (headers.cookie === undefined) return undefined
  const found = headers.cookie.split(';').find((pair) => pair.trimStart().startsWith(cookie))
  return found === undefined ? undefined : readPosition(found.trim().slice(cookie.length))
}
