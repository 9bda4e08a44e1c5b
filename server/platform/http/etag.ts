import type { FastifyReply } from 'fastify'

/** The largest body of a piece: one of 100,000 characters takes 1.2 MB when every character is written as an escape. */
export const largestPiece = 1_310_720

/** An answer and the tag of the revision it shows, for `If-Match`. */
export function tagged<Body>(reply: FastifyReply, { body, etag }: { body: Body; etag: string }): Body {
  reply.header('etag', etag)
  return body
}
