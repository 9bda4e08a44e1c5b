import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { findHolder, type KeyHolder } from '#features/keys/holder.ts'
import type { WriteContext } from '#platform/context.ts'
import { invalidKey, type Reason, ServiceError } from '#platform/errors.ts'
import { hashOf } from '#platform/secret.ts'

declare module 'fastify' {
  interface FastifyRequest {
    holder: KeyHolder | null
  }
}

/** Longer than any key, and short enough to hash for anyone. */
const longestToken = 512

/** Lets in whoever sends a live key with this scope, before a byte of the body is read. A cookie is nobody's key. */
export function bearer({ db }: WriteContext, scope: string): onRequestAsyncHookHandler {
  return async (request) => {
    const holder = await findHolder(db, hashOf(tokenOf(request)))
    if (!holder) throw invalidKey()
    if (!holder.scopes.includes(scope)) {
      throw new ServiceError(403, 'insufficient_scope', `This key may not do that: it lacks the scope ${scope}.`, {
        headers: { 'www-authenticate': `Bearer realm="api", error="insufficient_scope", scope="${scope}"` },
      })
    }
    request.holder = holder
  }
}

export function holderOf({ holder }: FastifyRequest): KeyHolder {
  if (!holder) throw new Error('a route of the write API without its bearer hook')
  return holder
}

function tokenOf({ headers, raw }: FastifyRequest): string {
  // Node keeps the first of several and drops the rest.
  const given = raw.rawHeaders.filter((name, index) => index % 2 === 0 && /^authorization$/i.test(name))
  const header = headers.authorization
  if (header === undefined) {
    throw unauthorised('missing_authorization', 'Send your key as "Authorization: Bearer pk_live_…".')
  }
  const token = /^bearer +(\S.*)$/i.exec(header)?.[1]?.trim()
  if (given.length > 1 || token === undefined) {
    throw unauthorised('malformed_authorization', 'Send one Authorization header, of the form "Bearer pk_live_…".')
  }
  if (token.length > longestToken) throw invalidKey()
  return token
}

const unauthorised = (reason: Reason, detail: string) =>
  new ServiceError(401, reason, detail, { headers: { 'www-authenticate': 'Bearer realm="api"' } })
