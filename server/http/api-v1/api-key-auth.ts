import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { findHolder, type KeyHolder, KeyRing } from '#features/keys/api-key-auth.ts'
import type { WriteContext } from '#platform/context.ts'
import { insufficientScope, invalidKey, type Reason, ServiceError } from '#platform/errors.ts'
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
    request.holder = permitted(await findHolder(db, hashOf(tokenOf(request))), scope)
  }
}

/**
 * The same for creating drafts, where the database looks at the key once more as it writes: a key that was live within
 * the last seconds may send its body. `stillLive` is for answers that never get as far as the database.
 */
export function recallingBearer({ db }: WriteContext, scope: string) {
  const ring = new KeyRing()
  const onRequest: onRequestAsyncHookHandler = async (request) => {
    const keyHash = hashOf(tokenOf(request))
    const recalled = ring.recall(keyHash)
    request.holder = recalled ?? permitted(await findHolder(db, keyHash), scope)
    if (!recalled) ring.remember(request.holder)
  }
  const stillLive = async ({ holder }: FastifyRequest): Promise<void> => {
    if (!holder || (await findHolder(db, holder.keyHash))) return
    ring.forget(holder)
    throw invalidKey()
  }
  return { onRequest, stillLive }
}

function permitted(holder: KeyHolder | undefined, scope: string): KeyHolder {
  if (!holder) throw invalidKey()
  if (holder.scopes.includes(scope)) return holder
  throw insufficientScope(scope, 'to draft')
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
    throw unauthorised(
      'missing_authorization',
      'Send your key as "Authorization: Bearer pk_live_…". Mint one at /desk/edit/online-presence#api-keys.',
    )
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
