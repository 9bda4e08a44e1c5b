import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { readTraceparent } from '../observability/trace-context.ts'
import { spanOf } from './traced-requests.ts'

export const requestIdHeader = 'x-request-id'

/** What proxies and clients make: UUIDs, hexadecimal, base64, HAProxy's addresses. Nothing that could end a line or a tag. */
const shape = /^[A-Za-z0-9][\w.:+/=-]{7,127}$/

/** The caller's own where it is fit to be logged and shown, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers[requestIdHeader]
  return typeof given === 'string' && shape.test(given) ? given : randomUUID()
}

/** What every line of log that is about a request says of it. */
export function requestFields(request: FastifyRequest): { readonly request: string; readonly trace?: string } {
  const { id, headers } = request
  const trace =
    spanOf(request) ?? (headers.traceparent === undefined ? undefined : readTraceparent(headers.traceparent))
  return trace ? { request: id, trace: trace.traceId } : { request: id }
}
