import { hash } from 'node:crypto'
import type { FastifyReply, onSendHookHandler } from 'fastify'
import { compress, encodingFor, isWorthCompressing, varyBy } from './negotiation.ts'

/** Named cache policies. Nothing else is ever cached. */
const policies = {
  /** Reads: a CDN keeps them for 30 s unless purged by tag; browsers revalidate each time. */
  publicRead: 'public, max-age=0, s-maxage=30, must-revalidate',
  /** Uploaded images: their bytes never change, but they may stop being public. Browsers keep what they have seen. */
  media: 'public, max-age=31536000, s-maxage=30, immutable',
  /** Descriptions of the service. */
  description: 'public, max-age=300',
  /** What MCP clients read before they connect. */
  card: 'public, max-age=3600',
  /** Content-addressed files. */
  immutable: 'public, max-age=31536000, immutable',
  /** Drawings made from their address alone. Each is compressed as quickly as a page, since there are many. */
  drawing: 'public, max-age=31536000, immutable',
  never: 'no-store',
} as const

export type CachePolicy = keyof typeof policies

/** Sets the CDN tags of a response, so that it can be purged when its content changes. */
export function withCacheTags<Body>(reply: FastifyReply, body: Body, tags: readonly string[]): Body {
  reply.header('surrogate-key', tags.join(' ')).header('cache-tag', tags.join(','))
  return body
}

/** For a response that must not be cached although its route is. */
export function uncached<Body>(reply: FastifyReply, body: Body): Body {
  reply.header('cache-control', policies.never)
  return body
}

/** For a response that takes the place of one that cannot be made yet. */
export function cachedBriefly(reply: FastifyReply): void {
  reply.header('cache-control', policies.publicRead)
}

/** Sets Cache-Control and a strong ETag, answers 304 for If-None-Match, and compresses text. Only 200 is cached. */
export function cached(policy: CachePolicy): onSendHookHandler<unknown> {
  return (request, reply, payload, done) => {
    // 304 renews a cached response, by the same policy.
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
    // Strong: different bytes have different tags.
    const etag = encoding ? `"${digest}.${encoding}"` : `"${digest}"`
    reply.header('etag', etag)
    const tags = request.headers['if-none-match']
    if (tags !== undefined && matches(tags, etag)) {
      reply.code(304).removeHeader('content-length')
      // Fastify itself empties the response to HEAD, and needs a payload to empty; otherwise its length would be sent
      // as content-length.
      done(null, request.method === 'HEAD' ? '' : null)
      return
    }
    if (!encoding) {
      reply.header('content-length', bytes.length)
      // Beyond ASCII, writing a string to a socket would encode it a second time.
      done(null, bytes.length === payload.length ? payload : Buffer.from(bytes))
      return
    }
    compress(payload, { digest, encoding, forLong: policy === 'immutable' }).then((compressed) => {
      // The deadline has already answered.
      if (reply.raw.headersSent) return
      reply.header('content-encoding', encoding).header('content-length', compressed.length)
      done(null, compressed)
    }, done)
  }
}

const digestOf = (bytes: Buffer): string => hash('sha1', bytes, 'base64url')

/** Buffers that are sent repeatedly are hashed once. */
const digests = new WeakMap<Buffer, string>()

function knownDigest(bytes: Buffer): string {
  const known = digests.get(bytes) ?? digestOf(bytes)
  digests.set(bytes, known)
  return known
}

const scratch = Buffer.allocUnsafe(1 << 18)

/** The bytes to hash, valid until the next call: one shared buffer instead of an allocation per response. */
function encoded(payload: string): Buffer {
  if (payload.length * 3 > scratch.length) return Buffer.from(payload)
  return scratch.subarray(0, scratch.write(payload))
}

/** Whether this If-None-Match contains the tag. */
export function matches(tags: string, etag: string): boolean {
  return tags === etag || tags.trim() === '*' || tags.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/** Largest request body with a text: 100,000 characters take 1.2 MB when each is written as an escape. */
export const largestTextBody = 1_310_720

/** Sets the ETag of the revision in the response, for `If-Match`. */
export function withEtag<Body>(reply: FastifyReply, { body, etag }: { body: Body; etag: string }): Body {
  reply.header('etag', etag)
  return body
}
