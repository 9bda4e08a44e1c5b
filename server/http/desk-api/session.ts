import type { FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify'
import { findPerson, type Person, type Writer } from '#features/accounts/session-user.ts'
import { signedInTooLongAgo, signedOut } from '#platform/db/pg-errors.ts'
import { ServiceError } from '#platform/errors.ts'
import type { FairQueue } from '#platform/fair-queue.ts'
import { signalOf } from '#platform/http/deadline.ts'
import type { DeskRoutesContext } from './context.ts'
import { readCookie } from './cookies.ts'

const safeMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** A key is for programs and drafts; at the desk it would be a mistake, or an attempt. */
export const withoutKey: onRequestHookHandler = (request, _reply, done) =>
  done(
    request.headers.authorization === undefined
      ? undefined
      : new ServiceError(
          400,
          'validation_failed',
          'The desk takes no key. Sign in, and leave the Authorization header out.',
        ),
  )

/** Whatever changes something comes from a page of this site: browsers say so, and no other site can make them. */
export function sameOrigin({ origin }: DeskRoutesContext): onRequestHookHandler {
  return ({ method, headers }, _reply, done) => {
    const site = headers['sec-fetch-site']
    const isOurs = site === undefined ? headers.origin === origin : site === 'same-origin'
    done(
      isOurs || safeMethods.includes(method)
        ? undefined
        : new ServiceError(
            403,
            'cross_site',
            `This can be done only from the pages of ${origin}. Open the desk there.`,
          ),
    )
  }
}

const people = new WeakMap<FastifyRequest, Person>()

/** Lets in whoever is signed in; `personOf` tells who that is. */
export function signedIn(context: DeskRoutesContext): onRequestAsyncHookHandler {
  return async (request) => {
    const token = readCookie(request, context, 'desk')
    const person = token && (await findPerson(context.desk.db, token))
    if (!person || isOpenedBySomebodyElse(request, person)) throw signedOut()
    people.set(request, person)
  }
}

/** A page of the desk says whose it is: what one writer typed never goes to whoever signed in after them. */
function isOpenedBySomebodyElse({ headers }: FastifyRequest, { writer }: Person): boolean {
  const opener = headers['x-writer']
  return opener !== undefined && opener !== writer?.id
}

export function personOf(request: FastifyRequest): Person {
  const person = people.get(request)
  if (!person) throw new Error(`${request.routeOptions.url} asks who is there without asking them to sign in`)
  return person
}

export function writerOf(request: FastifyRequest): Writer {
  const person = personOf(request)
  if (isWriter(person)) return person
  throw new ServiceError(403, 'forbidden', 'Only writers do this. Sign in with the account of a writer.')
}

const isWriter = (person: Person): person is Writer => person.writer !== null

export function moderatorOf(request: FastifyRequest): Person {
  const person = personOf(request)
  if (person.role !== 'writer') return person
  throw new ServiceError(403, 'forbidden', 'Only moderators do this. An operator can make you one.')
}

/** For what a borrowed browser must not be able to do: refused here before any work. The database looks once more. */
export function freshly<Someone extends Person>(person: Someone): Someone {
  if (person.fresh) return person
  throw signedInTooLongAgo()
}

/** For what is dear: there is room for so many at once, of all and of one person, until they are answered. */
export function oneOfFew(queue: FairQueue): onRequestHookHandler {
  return (request, reply, done) => {
    queue.enter(personOf(request).accountId, signalOf(request)).then((leave) => {
      // Whoever has gone meanwhile is not heard going again.
      if (reply.raw.destroyed) leave()
      else reply.raw.once('close', leave)
      done()
    }, done)
  }
}
