import pg from 'pg'
import { databaseAway, overloaded, ServiceError } from '../errors.ts'
import { refusalOf } from './pg-errors.ts'
import { WrongConnection } from './verify.ts'

/** What a failed statement says of the database: it is away, it is busy, or it has answered and refused. */

/**
 * PgBouncer ends a connection with this: nothing to be had within query_wait_timeout, PostgreSQL gone, too many clients.
 * PostgreSQL's own 08P01 is an ERROR, and a mistake of ours.
 */
const isPoolersOwn = ({ code, severity }: pg.DatabaseError): boolean => code === '08P01' && severity === 'FATAL'

export const isWrong = (error: unknown): error is Error & { readonly cause: WrongConnection } =>
  error instanceof ServiceError && error.cause instanceof WrongConnection

/** Stopping, crashed or starting. */
const closingCodes = ['57P01', '57P02', '57P03']

/** Whether this server takes nothing just now. Any other word is one of a server that is there. */
export const isClosing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && closingCodes.includes(error.code ?? '')

/** Statement and lock time-outs. */
const cancelledCodes = ['57014', '55P03']

/**
 * Also: no room on the disk, no connection to be had, a transaction that was idle for too long, not the primary yet or any
 * more. It may work in a moment.
 */
const busyCodes = [...cancelledCodes, '53100', '53300', '53400', '25P03', '25006']

const isBusy = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (busyCodes.includes(error.code ?? '') || isPoolersOwn(error))

/** Whether PostgreSQL ended a statement because it took too long. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof pg.DatabaseError && cancelledCodes.includes(error.cause.code ?? '')

/** No answer of the server at all: a time-out, a connection that broke, a pooler that gave up. */
export const isSilence = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.cause instanceof Error &&
  (!(error.cause instanceof pg.DatabaseError) || isPoolersOwn(error.cause))

/** The server said that it ends this connection. */
export const isGoing = (error: unknown): boolean => error instanceof ServiceError && isClosing(error.cause)

/** pg-pool's words for a pool whose connections were all at work for as long as anybody waits for one. */
const isAwaited = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

export type FailureKind = 'away' | 'busy' | 'answered'

/** Whoever waited in vain for a connection at work cannot know why; `wasAway` is what the pool met before. */
export function kindOf(error: unknown, wasAway: boolean): FailureKind {
  if (isBusy(error)) return 'busy'
  if (isAwaited(error)) return wasAway ? 'away' : 'busy'
  return isClosing(error) || !(error instanceof pg.DatabaseError) ? 'away' : 'answered'
}

/** Our own refusals in our words, PostgreSQL's as they are; that it is away or busy is for the caller to know. */
export function explained(error: unknown, kind: FailureKind): unknown {
  if (kind === 'answered') return refusalOf(error as pg.DatabaseError) ?? error
  const refusal =
    kind === 'away' ? databaseAway() : overloaded('The database did not answer in time. Try again in a moment.')
  refusal.cause = error
  return refusal
}

/** The commit was sent, and nobody knows what became of it. */
export function unconfirmed(given?: unknown): ServiceError {
  const words = 'It may have happened: the database did not confirm it in time. Look before you do it again.'
  const isAway = given instanceof ServiceError && given.reason === 'database_away'
  const refusal = isAway ? databaseAway(words) : overloaded(words)
  if (given instanceof Error) refusal.cause = given.cause
  return refusal
}
