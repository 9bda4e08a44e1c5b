import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type PublishingContext, publishInTransaction } from '../../../server/features/pieces/publish.ts'
import { renderPiece } from '../../../server/features/pieces/rendering/render-piece.ts'
import { urlsFor } from '../../../server/features/urls.ts'
import { createSigner, hashOf, secretToken } from '../../../server/platform/crypto.ts'
import { writePiece } from '../../../server/seed/prose.ts'
import { asDesk, type MadeWriter, makeDraft, makeWriter, unpublish } from '../../../testkit/factories.ts'
import { type Percentiles, percentilesOf } from '../../../testkit/measure.ts'
import { databaseUrl } from '../cluster.ts'
import { databaseName, flushStats, openBufferMeter, type Site, withSite } from './site.ts'

export interface Publishing {
  readonly pieces: number
  /** Of the publishing transaction, until it is on disk; without the rendering before it. */
  readonly milliseconds: Percentiles
  readonly buffers: Percentiles
  /** Milliseconds from the commit until a search has found the piece, and the number of searches. */
  readonly untilFound: Percentiles
  readonly searches: Percentiles
  /** Pieces that a search still found after they were unpublished. */
  readonly stale: number
}

const count = 40

/** Publishes pieces as the desk does, searches for a unique word in each, and unpublishes them. */
export const measurePublishing = (pieces: number, corpusSeed: number): Promise<Publishing> =>
  withSite(pieces, async (site) => {
    const admin = new pg.Pool({ connectionString: databaseUrl(databaseName(pieces)), max: 1 })
    const meter = await openBufferMeter(databaseName(pieces), () =>
      Promise.all([admin.query(flushStats), site.flushStats()]),
    )
    try {
      const writer = await makeWriter(admin)
      const published = { milliseconds: [] as number[], buffers: [] as number[] }
      const searched = { milliseconds: [] as number[], searches: [] as number[] }
      let stale = 0
      for (let index = 0; index < count; index += 1) {
        const word = `q${randomBytes(8).toString('hex')}`
        const { id, publish } = await prepare(admin, writer, word, pieces + index, corpusSeed)
        const { result: milliseconds, buffers } = await meter.count(publish)
        const found = await searchUntilFound(site, word, id)
        await unpublish(admin, writer, id)
        if ((await site.find({ q: word, limit: 1 })).hits.length > 0) stale += 1
        // The first one plans the statements.
        if (index === 0) continue
        published.milliseconds.push(milliseconds)
        published.buffers.push(buffers)
        searched.milliseconds.push(found.milliseconds)
        searched.searches.push(found.searches)
      }
      return {
        pieces: count - 1,
        milliseconds: percentilesOf(published.milliseconds),
        buffers: percentilesOf(published.buffers),
        untilFound: percentilesOf(searched.milliseconds),
        searches: percentilesOf(searched.searches),
        stale,
      }
    } finally {
      await meter.close()
      await admin.end()
    }
  })

const context = {
  urls: urlsFor('http://127.0.0.1'),
  signer: createSigner('not a secret: a bench on one machine'),
} as PublishingContext

/** A previewed draft, and the function that publishes it. */
async function prepare(admin: pg.Pool, writer: MadeWriter, word: string, index: number, corpusSeed: number) {
  const { headline, sub, bodyMd, category } = writePiece(corpusSeed, index)
  const manuscript = { headline, sub, body_md: `${bodyMd}\n\n${word}` }
  const id = await makeDraft(admin, writer, { ...manuscript, category })
  const rendering = renderPiece(manuscript)
  const { token: nonce, hash } = secretToken()
  const sessionHash = hashOf(writer.sessionToken)
  await asDesk(admin, writer, (client) => client.query('select app.make_nonce($1, $2, 1, $3)', [id, sessionHash, hash]))
  const publish = async () => {
    const began = performance.now()
    await asDesk(admin, writer, (client) =>
      publishInTransaction(client, context, 'publish', { pieceId: id, sessionHash, nonce, rendering }),
    )
    return performance.now() - began
  }
  return { id, publish }
}

async function searchUntilFound(
  { find }: Site,
  word: string,
  id: string,
): Promise<{ milliseconds: number; searches: number }> {
  const committed = performance.now()
  for (let searches = 1; searches <= 1_000; searches += 1) {
    const { hits } = await find({ q: word, limit: 1 })
    if (hits[0]?.id === id) return { milliseconds: performance.now() - committed, searches }
  }
  throw new Error('A published piece was not found.')
}
