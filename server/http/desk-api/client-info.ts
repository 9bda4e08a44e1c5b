import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignedIn, Visitor } from '#features/accounts/client-info.ts'
import { network } from '#platform/http/limits.ts'
import { hashOf } from '#platform/secret.ts'
import type { DeskRoutesContext } from './context.ts'
import { readCookie, setCookie } from './cookies.ts'

export function visitorOf(request: FastifyRequest, context: DeskRoutesContext): Visitor {
  const sessionToken = readCookie(request, context, 'desk')
  return {
    address: request.ip ?? '',
    network: network(request.ip ?? ''),
    userAgent: request.headers['user-agent'] ?? null,
    device: readCookie(request, context, 'device'),
    sessionHash: sessionToken === undefined ? null : hashOf(sessionToken),
  }
}

/** What the browser carries from now on: always new, never what it brought. */
export function letIn(reply: FastifyReply, context: DeskRoutesContext, { sessionToken, device }: SignedIn): void {
  setCookie(reply, context, 'desk', sessionToken)
  setCookie(reply, context, 'device', device)
}
