import pg from 'pg'
import { type Message, message } from '#messages/message.ts'
import { isMessageId } from '#messages/translator.ts'
import { databaseAway, overloaded, type Reason, ServiceError } from '../errors.ts'
import { WrongConnection } from './access.ts'

export const signedOut = () => new ServiceError(401, 'signed_out', message('error.signed_out'))

export const signedInTooLongAgo = () =>
  new ServiceError(403, 'fresh_sign_in_required', message('error.confirm_sign_in'))

/**
 * SQLSTATEs that our database functions raise: SF, then the HTTP status, or 4 and two letters. Their message is the
 * id of a message, and their DETAIL its values as JSON.
 */
const reasons: Readonly<Record<string, readonly [number, Reason]>> = {
  SF400: [400, 'validation_failed'],
  SF403: [403, 'forbidden'],
  SF404: [404, 'not_found'],
  SF409: [409, 'illegal_transition'],
  SF410: [410, 'expired'],
  SF412: [412, 'precondition_failed'],
  SF419: [409, 'limit_reached'],
  SF42R: [403, 'fresh_sign_in_required'],
  SF4LW: [409, 'last_way_in'],
  SF4PP: [403, 'passkey_required'],
  SF4PK: [409, 'passkey_known'],
  SF4ST: [409, 'slug_taken'],
  SF4SU: [403, 'suspended'],
}

/** SQLSTATEs with a fixed sentence. */
const sentences: Readonly<Record<string, () => ServiceError>> = {
  SF401: signedOut,
  SF428: signedInTooLongAgo,
}

/** Deadlock and serialization failure: rolled back, and may work when retried. */
const collisions = ['40P01', '40001']

/** What one of our database functions says. A newer database may know messages that this process lacks. */
export function messageOf({ message: id, detail }: pg.DatabaseError): Message {
  return isMessageId(id) ? { id, values: detail ? JSON.parse(detail) : {} } : message('error.refused')
}

function serviceErrorFor(error: pg.DatabaseError): ServiceError | undefined {
  const { code = '' } = error
  if (collisions.includes(code)) {
    const refusal = overloaded(message('error.collision'), 1)
    refusal.cause = error
    return refusal
  }
  const refusal = reasons[code]
  return refusal ? new ServiceError(refusal[0], refusal[1], messageOf(error)) : sentences[code]?.()
}

/** Classifies failed statements: the database is down, busy, or it answered with an error. */

/**
 * PgBouncer closes connections with this code: query_wait_timeout, PostgreSQL gone, too many clients. PostgreSQL's own
 * 08P01 is an ERROR, and a bug of ours.
 */
const isPoolerError = ({ code, severity }: pg.DatabaseError): boolean => code === '08P01' && severity === 'FATAL'

export const isWrongConnection = (error: unknown): error is Error & { readonly cause: WrongConnection } =>
  error instanceof ServiceError && error.cause instanceof WrongConnection

/** Stopping, crashed or starting. */
const closingCodes = ['57P01', '57P02', '57P03']

/** Whether this server accepts nothing at the moment. Any other error proves that it is up. */
export const isClosing = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && closingCodes.includes(error.code ?? '')

/** Statement and lock timeouts. */
const cancelledCodes = ['57014', '55P03']

/**
 * Also: disk full, too many connections, an idle transaction that timed out, not the primary yet or any more. A retry
 * may work.
 */
const busyCodes = [...cancelledCodes, '53100', '53300', '53400', '25P03', '25006']

const isBusy = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (busyCodes.includes(error.code ?? '') || isPoolerError(error))

/** Whether PostgreSQL cancelled a statement that took too long. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof pg.DatabaseError && cancelledCodes.includes(error.cause.code ?? '')

/** No answer from the server: a timeout, a broken connection, a pooler that gave up. */
export const isNoAnswer = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.cause instanceof Error &&
  (!(error.cause instanceof pg.DatabaseError) || isPoolerError(error.cause))

/** The server announced that it closes this connection. */
export const isConnectionClosing = (error: unknown): boolean => error instanceof ServiceError && isClosing(error.cause)

/** pg-pool's message when all connections stayed busy for the whole waiting time. */
const isPoolTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

export type FailureKind = 'away' | 'busy' | 'answered'

/** A client that waited in vain for a busy connection cannot know why; `wasAway` is the pool's last state. */
export function classifyFailure(error: unknown, wasAway: boolean): FailureKind {
  if (isBusy(error)) return 'busy'
  if (isPoolTimeout(error)) return wasAway ? 'away' : 'busy'
  return isClosing(error) || !(error instanceof pg.DatabaseError) ? 'away' : 'answered'
}

/** Translates our own SQLSTATEs and "down" or "busy"; other PostgreSQL errors stay as they are. */
export function translateError(error: unknown, kind: FailureKind): unknown {
  if (kind === 'answered') return serviceErrorFor(error as pg.DatabaseError) ?? error
  const refusal = kind === 'away' ? databaseAway() : overloaded(message('error.database_slow'))
  refusal.cause = error
  return refusal
}

/** The commit was sent and its outcome is unknown. */
export function unconfirmedCommit(given?: unknown): ServiceError {
  const words = message('error.unconfirmed')
  const isAway = given instanceof ServiceError && given.reason === 'database_away'
  const refusal = isAway ? databaseAway(words) : overloaded(words)
  if (given instanceof Error) refusal.cause = given.cause
  return refusal
}
