import { hash } from 'node:crypto'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { compress, encodingFor, isWorthCompressing, varyBy } from './compression.ts'

/** Named ways in which an answer may be kept. Only what is named here is ever cached by anyone. */
const policies = {
  /** Reads: an edge keeps them for 30 s unless purged sooner, by its tags; a browser asks each time. */
  publicRead: 'public, max-age=0, s-maxage=30, must-revalidate',
  /** Writers' pictures: their bytes never change, but whether they are public does. A browser keeps what it saw. */
  media: 'public, max-age=31536000, s-maxage=30, immutable',
  /** Descriptions of the service itself. */
  description: 'public, max-age=300',
  /** What clients of the tool server look up before they come. */
  card: 'public, max-age=3600',
  /** Bytes under a name that is made from them. */
  immutable: 'public, max-age=31536000, immutable',
  never: 'no-store',
} as const

export type CachePolicy = keyof typeof policies

/** Names what an answer shows, so that an edge can purge it when that changes. */
export function tagged<Body>(reply: FastifyReply, body: Body, tags: readonly string[]): Body {
  reply.header('surrogate-key', tags.join(' ')).header('cache-tag', tags.join(','))
  return body
}

/** For an answer that must not be kept although its kind may be. */
export function uncached<Body>(reply: FastifyReply, body: Body): Body {
  reply.header('cache-control', policies.never)
  return body
}

/**
 * Cache-Control, a strong ETag, 304 for whoever has the answer already, and compression for text whoever can read it.
 * Anything but 200 is never kept.
 */
export function cached(policy: CachePolicy): onSendHookHandler<unknown> {
  return (request, reply, payload, done) => {
    // 304 renews what was kept, by the same policy.
    if (reply.statusCode !== 200 && reply.statusCode !== 304) {
      reply.header('cache-control', policies.never)
      done(null, payload)
      return
    }
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', policies[policy])
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
      done(null, payload)
      return
    }
    const bytes = typeof payload === 'string' ? encoded(payload) : payload
    const digest = typeof payload === 'string' ? digestOf(bytes) : knownDigest(bytes)
    const worthwhile = isWorthCompressing(reply, bytes.length)
    if (worthwhile) varyBy(reply, 'Accept-Encoding')
    const encoding = worthwhile ? encodingFor(request.headers['accept-encoding']) : undefined
    // Strong: other bytes, another tag.
    const etag = encoding ? `"${digest}.${encoding}"` : `"${digest}"`
    reply.header('etag', etag)
    const known = request.headers['if-none-match']
    if (known !== undefined && matches(known, etag)) {
      reply.code(304).removeHeader('content-length')
      // Fastify empties the answer to HEAD itself, and needs something to empty; its length would be said as the answer's.
      done(null, request.method === 'HEAD' ? '' : null)
      return
    }
    if (!encoding) {
      reply.header('content-length', bytes.length)
      // Beyond ASCII, writing a string to a socket costs its encoding once more.
      done(null, bytes.length === payload.length ? payload : Buffer.from(bytes))
      return
    }
    compress(payload, { digest, encoding, forLong: policy === 'immutable' }).then((compressed) => {
      // Answered meanwhile that it took too long: there is nothing left to say.
      if (reply.raw.headersSent) return
      reply.header('content-encoding', encoding).header('content-length', compressed.length)
      done(null, compressed)
    }, done)
  }
}

const digestOf = (bytes: Buffer): string => hash('sha1', bytes, 'base64url')

/** Bytes that are sent more than once are hashed once. */
const digests = new WeakMap<Buffer, string>()

function knownDigest(bytes: Buffer): string {
  const known = digests.get(bytes) ?? digestOf(bytes)
  digests.set(bytes, known)
  return known
}

const scratch = Buffer.allocUnsafe(1 << 18)

/** Bytes to hash, gone with the next call: one buffer for all answers spares the collector one for each. */
function encoded(payload: string): Buffer {
  if (payload.length * 3 > scratch.length) return Buffer.from(payload)
  return scratch.subarray(0, scratch.write(payload))
}

/** Whether this If-None-Match names the tag. */
export function matches(known: string, etag: string): boolean {
  return (
    known === etag || known.trim() === '*' || known.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
  )
}
