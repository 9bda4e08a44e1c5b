import type pg from 'pg'
import { overloaded, type Reason, ServiceError } from '../errors.ts'

export const signedOut = () => new ServiceError(401, 'signed_out', 'You are signed out. Sign in again.')

export const signedInTooLongAgo = () =>
  new ServiceError(
    403,
    'fresh_sign_in_required',
    'This needs a sign-in of the last ten minutes. Confirm your password or passkey, then try again.',
  )

/** The refusals our database functions raise: SQLSTATE SF, then the status, or 4 and two signs. Their message is a sentence for people. */
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

/** Those that have one sentence, whoever raises them. */
const sentences: Readonly<Record<string, () => ServiceError>> = {
  SF401: signedOut,
  SF428: signedInTooLongAgo,
}

/** A deadlock, and a change at the same moment: what was asked was undone, and may work the next time. */
const collisions = ['40P01', '40001']

export function refusalOf(error: pg.DatabaseError): ServiceError | undefined {
  const { code = '', message } = error
  if (collisions.includes(code)) {
    const refusal = overloaded('Something else changed the same thing at this moment. Try again.', 1)
    refusal.cause = error
    return refusal
  }
  const refusal = reasons[code]
  return refusal ? new ServiceError(refusal[0], refusal[1], message) : sentences[code]?.()
}
