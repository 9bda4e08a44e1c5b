import { randomInt, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { deskOf } from '../../testkit/desk.ts'
import { inTransaction, type MadeWriter } from '../../testkit/factories.ts'

/**
 * Listings with a canary in every private word: a draft, one that was public and was withdrawn, and a public one whose
 * working copy has changed. Their revisions are no small numbers: what a caller was not shown they cannot name, and so
 * not list.
 */
export async function makeListings(
  app: FastifyInstance,
  admin: pg.Pool,
  writer: MadeWriter,
  newCanary: () => string,
): Promise<string[]> {
  await clear(admin, writer)
  const desk = deskOf(app, writer)
  const act = async (id: string, path: string, payload?: object) => {
    const answer = await desk.ask('POST', `products/${id}/${path}`, payload)
    if (answer.statusCode !== 200) throw new Error(`the desk cannot ${path} a listing: ${answer.body}`)
    return answer.json().product
  }
  const make = async (words: () => string) => {
    const made = { id: randomUUID(), revision: randomInt(2 ** 30, 2 ** 31 - 10_000) }
    await admin.query(
      `insert into app.products (id, writer_id, name, summary, description, category, payment_url, revision)
       values ($1, $2, $3, $4, $5, left($6, 40), 'https://pay.example/' || $7, $8)`,
      [made.id, writer.id, words(), words(), words(), words(), words(), made.revision],
    )
    return made
  }
  const draft = await make(newCanary)
  const withdrawn = await make(newCanary)
  await act(withdrawn.id, 'publish', { revision: withdrawn.revision })
  await act(withdrawn.id, 'withdraw')
  const listed = await make(() => 'For everybody')
  const { url } = await act(listed.id, 'publish', { revision: listed.revision })
  const [name, summary, description, payment_url] = [
    newCanary(),
    newCanary(),
    newCanary(),
    `https://a.test/${newCanary()}`,
  ]
  const changes = { name, summary, description, payment_url }
  const saved = await desk.ask('PATCH', `products/${listed.id}`, changes, { 'if-match': '*' })
  if (saved.statusCode !== 200) throw new Error(`the desk cannot save a listing: ${saved.body}`)
  return [draft.id, withdrawn.id, listed.id, url.slice(url.lastIndexOf('/') + 1)]
}

/** Two hundred are the most, and fifty new ones a day: those before are as if from another day. */
async function clear(admin: pg.Pool, { id }: MadeWriter): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query('delete from pub.products where author_id = $1', [id])
    await client.query('delete from app.products where writer_id = $1', [id])
    await client.query('reset role')
    await client.query("update app.product_slugs set kept_at = kept_at - interval '1 day' where writer_id = $1", [id])
  })
}
