import type pg from 'pg'
import { type Reason, ServiceError } from '../errors.ts'

/** The refusals our database functions raise: SQLSTATE SF, then the status. Their message is a sentence for people. */
const reasons: Readonly<Record<string, readonly [number, Reason]>> = {
  SF400: [400, 'validation_failed'],
  SF401: [401, 'signed_out'],
  SF403: [403, 'forbidden'],
  SF404: [404, 'not_found'],
  SF409: [409, 'illegal_transition'],
  SF410: [410, 'expired'],
  SF412: [412, 'precondition_failed'],
  SF419: [409, 'limit_reached'],
  SF428: [403, 'fresh_sign_in_required'],
}

export function refusalOf({ code, message }: pg.DatabaseError): ServiceError | undefined {
  const refusal = reasons[code ?? '']
  return refusal && new ServiceError(refusal[0], refusal[1], message)
}
