import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { type PublishingContext, publishInTransaction } from '../../../server/features/pieces/publish.ts'
import { renderPiece } from '../../../server/features/pieces/rendering.ts'
import { hashOf, secretToken } from '../../../server/platform/secret.ts'
import { createSigner } from '../../../server/platform/signing.ts'
import { urlsFor } from '../../../server/platform/urls.ts'
import { asDesk, type MadeWriter, makeDraft, makeWriter, unpublish } from '../../../testkit/factories.ts'
import { databaseUrl } from '../cluster.ts'
import { piece } from '../corpus/piece.ts'
import { handOver, openMeter } from './buffers.ts'
import { type Figures, figuresOf } from './figures.ts'
import { nameOf, type Site, withSite } from './site.ts'

export interface Publishing {
  readonly pieces: number
  /** Of the publishing transaction, from its beginning until it is on disk; the rendering before it is not in it. */
  readonly milliseconds: Figures
  readonly buffers: Figures
  /** From the commit until a search has found the piece, and how many had to be asked. */
  readonly untilFound: Figures
  readonly searches: Figures
  /** Pieces that a search still found after they were taken back. */
  readonly stale: number
}

const count = 40

/** Publishes pieces as the desk does, looks for each by a word that it alone has, and takes it back. */
export const publishing = (pieces: number, corpusSeed: number): Promise<Publishing> =>
  withSite(pieces, async (site) => {
    const admin = new pg.Pool({ connectionString: databaseUrl(nameOf(pieces)), max: 1 })
    const meter = await openMeter(nameOf(pieces), () => Promise.all([admin.query(handOver), site.handOver()]))
    try {
      const writer = await makeWriter(admin)
      const taken = { milliseconds: [] as number[], buffers: [] as number[] }
      const sought = { milliseconds: [] as number[], searches: [] as number[] }
      let stale = 0
      for (let index = 0; index < count; index += 1) {
        const word = `q${randomBytes(8).toString('hex')}`
        const { id, publish } = await prepared(admin, writer, word, pieces + index, corpusSeed)
        const { result: milliseconds, buffers } = await meter.counted(publish)
        const found = await find(site, word, id)
        await unpublish(admin, writer, id)
        if ((await site.find({ q: word, limit: 1 })).hits.length > 0) stale += 1
        // The first has the statements planned.
        if (index === 0) continue
        taken.milliseconds.push(milliseconds)
        taken.buffers.push(buffers)
        sought.milliseconds.push(found.milliseconds)
        sought.searches.push(found.searches)
      }
      return {
        pieces: count - 1,
        milliseconds: figuresOf(taken.milliseconds),
        buffers: figuresOf(taken.buffers),
        untilFound: figuresOf(sought.milliseconds),
        searches: figuresOf(sought.searches),
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

/** A draft that was looked at, and the act that makes it public. */
async function prepared(admin: pg.Pool, writer: MadeWriter, word: string, index: number, corpusSeed: number) {
  const { headline, sub, body, category } = piece(corpusSeed, index)
  const manuscript = { headline, sub, body_md: `${body}\n\n${word}` }
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

async function find({ find }: Site, word: string, id: string): Promise<{ milliseconds: number; searches: number }> {
  const committed = performance.now()
  for (let searches = 1; searches <= 1_000; searches += 1) {
    const { hits } = await find({ q: word, limit: 1 })
    if (hits[0]?.id === id) return { milliseconds: performance.now() - committed, searches }
  }
  throw new Error('A published piece was not found.')
}
