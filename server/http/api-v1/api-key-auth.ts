import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { WriteContext } from '#features/context.ts'
import { findHolder, KeyCache, type KeyHolder } from '#features/keys/api-key-auth.ts'
import { insufficientScope, invalidKey } from '#features/keys/key.ts'
import { hashOf } from '#platform/crypto.ts'
import { type Reason, ServiceError } from '#platform/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    holder: KeyHolder | null
  }
}

/** Longer than any key, and short enough to hash for any client. */
const maxTokenLength = 512

/** Requires a live key with this scope before any of the body is read. Cookies are ignored. */
export function requireKey({ db }: WriteContext, scope: string): onRequestAsyncHookHandler {
  return async (request) => {
    request.holder = assertScope(await findHolder(db, hashOf(tokenOf(request))), scope)
  }
}

/**
 * The same for creating drafts, where the database checks the key again as it writes: a key that was live within the
 * last seconds may send its body. `assertStillLive` is for responses that never reach the database.
 */
export function requireKeyCached({ db }: WriteContext, scope: string) {
  const ring = new KeyCache()
  const onRequest: onRequestAsyncHookHandler = async (request) => {
    const keyHash = hashOf(tokenOf(request))
    const recalled = ring.get(keyHash)
    request.holder = recalled ?? assertScope(await findHolder(db, keyHash), scope)
    if (!recalled) ring.set(request.holder)
  }
  const assertStillLive = async ({ holder }: FastifyRequest): Promise<void> => {
    if (!holder || (await findHolder(db, holder.keyHash))) return
    ring.delete(holder)
    throw invalidKey()
  }
  return { onRequest, stillLive: assertStillLive }
}

function assertScope(holder: KeyHolder | undefined, scope: string): KeyHolder {
  if (!holder) throw invalidKey()
  if (holder.scopes.includes(scope)) return holder
  throw insufficientScope(scope, 'to draft')
}

export function holderOf({ holder }: FastifyRequest): KeyHolder {
  if (!holder) throw new Error('a route of the write API without its bearer hook')
  return holder
}

function tokenOf({ headers, raw }: FastifyRequest): string {
  // Node keeps the first of several headers and drops the rest.
  const given = raw.rawHeaders.filter((name, index) => index % 2 === 0 && /^authorization$/i.test(name))
  const header = headers.authorization
  if (header === undefined) {
    throw unauthorized(
      'missing_authorization',
      'Send your key as "Authorization: Bearer pk_live_…". Create one at /desk/edit/online-presence#api-keys.',
    )
  }
  const token = /^bearer +(\S.*)$/i.exec(header)?.[1]?.trim()
  if (given.length > 1 || token === undefined) {
    throw unauthorized('malformed_authorization', 'Send one Authorization header, of the form "Bearer pk_live_…".')
  }
  if (token.length > maxTokenLength) throw invalidKey()
  return token
}

const unauthorized = (reason: Reason, detail: string) =>
  new ServiceError(401, reason, detail, { headers: { 'www-authenticate': 'Bearer realm="api"' } })
