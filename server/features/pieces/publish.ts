import { createHash, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { composite } from '#platform/db/composite.ts'
import type { Rendering } from './rendering.ts'

/** What PostgreSQL demands before it lets a piece into the public wing. */
export interface PublishRequest {
  readonly pieceId: string
  readonly sessionToken: string
  readonly nonce: string
  readonly rendering: Rendering
}

/** Asks the database to publish. It refuses whoever is not the piece's writer, signed in, with the revision's own nonce. */
export async function callDeskPublish(desk: pg.ClientBase, request: PublishRequest): Promise<void> {
  await desk.query('select app.desk_publish($1, $2, $3, $4)', [
    request.pieceId,
    request.sessionToken,
    request.nonce,
    rendered(request.rendering),
  ])
}

export async function callDeskUnpublish(desk: pg.ClientBase, pieceId: string, sessionToken: string): Promise<void> {
  await desk.query('select app.desk_unpublish($1, $2)', [pieceId, sessionToken])
}

/** A secret that is stored only as a hash. */
export function secretToken(): { token: string; hash: Buffer } {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: createHash('sha256').update(token).digest() }
}

/** In the order of the columns of `app.rendering`. */
const rendered = (rendering: Rendering): string =>
  composite([
    rendering.slug,
    rendering.summary,
    rendering.html,
    rendering.text,
    rendering.headline_folded,
    rendering.sub_folded,
    rendering.body_folded,
    rendering.head_keys.map(String),
    rendering.body_keys.map(String),
  ])
