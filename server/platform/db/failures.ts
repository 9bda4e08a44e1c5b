import pg from 'pg'
import { overloaded, ServiceError } from '../errors.ts'
import { refusalOf } from './refusals.ts'
import { WrongConnection } from './verify.ts'

/** What went wrong with a statement or its connection: a refusal, a mistake, or nothing that will last. */

/** No answer of the server at all: a time-out, a connection that broke, a pooler that gave up. */
export const isSilence = (error: unknown): boolean =>
  error instanceof ServiceError &&
  error.cause instanceof Error &&
  (!(error.cause instanceof pg.DatabaseError) || isPoolersOwn(error.cause))

/**
 * PgBouncer ends a connection with this: nothing to be had within query_wait_timeout, PostgreSQL gone, too many clients.
 * PostgreSQL's own 08P01 is an ERROR, and a mistake of ours.
 */
const isPoolersOwn = ({ code, severity }: pg.DatabaseError): boolean => code === '08P01' && severity === 'FATAL'

/** The house's own refusals in our words, PostgreSQL's as they are; silence and business are for the caller to know. */
export function explained(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && !isBusy(error)) return refusalOf(error) ?? error
  const refusal = overloaded('The database did not answer in time. Try again in a moment.')
  refusal.cause = error
  return refusal
}

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
 * Also: no room on the disk, no connection to be had, a transaction that was idle for too long, a server that is stopping
 * or starting, or that is not the primary yet or any more. It may work in a moment.
 */
const busyCodes = [...cancelledCodes, '53100', '53300', '53400', '25P03', ...closingCodes, '25006']

const isBusy = (error: pg.DatabaseError): boolean => busyCodes.includes(error.code ?? '') || isPoolersOwn(error)

/** Whether PostgreSQL ended a statement because it took too long. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof pg.DatabaseError && cancelledCodes.includes(error.cause.code ?? '')
