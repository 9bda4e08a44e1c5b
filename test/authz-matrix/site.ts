import { randomInt, randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createSealer } from '../../server/platform/crypto.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { inTransaction, type MadeWriter, makeKey, makeWriter } from '../../testkit/factories.ts'

/** A site in which every private text carries a canary: a word that only its writer may ever see. */

/** Of texts that are not public; a canary is too long for a tag. */
export const privateTag = 'Only for me'
export const canaryPattern = /CANARY-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

export const credentials = [
  'nothing',
  'valid key',
  'revoked key',
  "another's key",
  'cookie without nonce',
  "moderator's cookie without nonce",
] as const
export type Credential = (typeof credentials)[number]

export interface ProofSite {
  readonly admin: pg.Pool
  readonly me: MadeWriter
  readonly other: MadeWriter
  /** The account of each kind of caller, if it has one. */
  readonly callers: Readonly<Record<Credential, MadeWriter | null>>
  /** What each kind of caller sends. */
  readonly headers: Readonly<Record<Credential, Readonly<Record<string, string>>>>
  /** The owner of each canary. */
  readonly owners: Map<string, MadeWriter>
  /** Pieces and listings in every state, and decisions about them, of both writers. */
  ids: readonly string[]
  newCanary(owner: MadeWriter): string
  /** Restores sessions and keys, since requests may have signed a caller out. */
  revive(): Promise<void>
  /** Restores what requests have changed: live sessions, pieces in every state. The only place that publishes. */
  furnish(): Promise<void>
}

export async function proofSite(app: FastifyInstance, admin: pg.Pool, secretsKey: string): Promise<ProofSite> {
  const [me, other, moderator] = [await makeWriter(admin), await makeWriter(admin), await makeModerator(admin)]
  const valid = await makeKey(admin, me)
  const revoked = await makeKey(admin, me, { revoked: true })
  const anothers = await makeKey(admin, other)
  const bearer = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` })
  const cookie = ({ sessionToken }: MadeWriter) => ({
    cookie: `__Host-desk=${sessionToken}`,
    'sec-fetch-site': 'same-origin',
  })
  const owners = new Map<string, MadeWriter>()

  const newCanary = (owner: MadeWriter): string => {
    const canary = `CANARY-${randomUUID()}`
    owners.set(canary, owner)
    return canary
  }

  async function revive(): Promise<void> {
    const people = [me, other, moderator]
    await admin.query(
      `update app.sessions set revoked_at = null, last_seen_at = now(), authenticated_at = now(),
              expires_at = now() + interval '1 day' where id = any($1)`,
      [people.map(({ sessionId }) => sessionId)],
    )
    await admin.query('update app.api_keys set revoked_at = null where id = $1', [valid.id])
    await admin.query('update app.api_keys set revoked_at = now() where writer_id = $1 and id <> $2', [me.id, valid.id])
  }

  /** Makes pieces in every state; the decisions about them go to `decisions`. */
  async function piecesOf(writer: MadeWriter, decisions: string[]): Promise<string[]> {
    const [desk, review] = [deskOf(app, writer), deskOf(app, moderator)]
    const text = () => `Only for me: ${newCanary(writer)}.`
    const draft = await desk.begin({ headline: 'A draft', body_md: text(), tags: [privateTag] })
    const pending = await desk.begin({ headline: 'Waiting', body_md: text() })
    await desk.act('submit', pending)
    const changes = await desk.begin({ headline: 'Sent back', body_md: text() })
    await desk.act('submit', changes)
    await review.act('request_changes', changes)
    const rejected = await desk.begin({ headline: 'Refused', body_md: text() })
    await desk.act('submit', rejected)
    const refused = await review.act('reject', rejected)
    decisions.push(refused.json().decision)
    // Taken down and appealed: the deciding moderator may not decide the appeal, and no other caller can.
    const down = await desk.begin({ headline: 'Taken down', body_md: 'For everybody, once.' })
    await desk.act('publish', down)
    const taken = await review.act('take_down', down)
    const { decision } = taken.json()
    const appealed = await desk.ask('POST', `decisions/${decision}/appeal`, { text: text() })
    if (appealed.statusCode !== 200) throw new Error(`the desk cannot appeal: ${appealed.body}`)
    // Public, with an unpublished change to the working copy.
    const approved = await desk.begin({ headline: 'Public', body_md: 'For everybody.', tags: ['Everybody'] })
    const published = await desk.act('publish', approved)
    if (published.statusCode !== 200) throw new Error(`the desk cannot publish: ${published.body}`)
    await desk.ask('PATCH', `pieces/${approved}`, { body_md: text(), tags: [privateTag] }, { 'if-match': '*' })
    decisions.push(decision, down)
    return [draft, pending, changes, rejected, approved]
  }

  const site: ProofSite = {
    admin,
    me,
    other,
    callers: {
      nothing: null,
      'valid key': me,
      'revoked key': null,
      "another's key": other,
      'cookie without nonce': me,
      "moderator's cookie without nonce": moderator,
    },
    headers: {
      nothing: {},
      'valid key': bearer(valid),
      'revoked key': bearer(revoked),
      "another's key": bearer(anothers),
      'cookie without nonce': cookie(me),
      "moderator's cookie without nonce": cookie(moderator),
    },
    owners,
    ids: [],
    newCanary,
    revive,
    async furnish() {
      await revive()
      for (const writer of [me, other]) await makeWebhook(admin, writer, secretsKey)
      const listingsOf = (writer: MadeWriter) => makeListings(app, admin, writer, () => newCanary(writer))
      const decisions: string[] = []
      const pieces = [...(await piecesOf(me, decisions)), ...(await piecesOf(other, decisions))]
      const listings = [...(await listingsOf(me)), ...(await listingsOf(other))]
      const [mine, theirs] = [pieces.slice(0, 5), pieces.slice(5)]
      const series = [
        ...(await makeSeriesOf(app, admin, me, mine, () => newCanary(me))),
        ...(await makeSeriesOf(app, admin, other, theirs, () => newCanary(other))),
      ]
      site.ids = [...pieces, randomUUID(), ...listings, ...decisions, ...series]
    },
  }
  return site
}

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** Makes it live again, whatever requests have done to it. */
async function makeWebhook(admin: pg.Pool, writer: MadeWriter, key: string): Promise<void> {
  await admin.query(
    `insert into app.webhooks (writer_id, url, state, secret, secret_hint, live_since, proven_at)
     values ($1, 'http://127.0.0.1:9/hook', 'live', $2, '…', now(), now())
     on conflict (writer_id) do update set
       state = 'live', disabled_for = null, live_since = now(), secret = excluded.secret, former_secret = null, former_until = null`,
    [writer.id, createSealer([key]).seal(secret, writer.id)],
  )
}

/**
 * Listings with a canary in every private field: a draft, a withdrawn one, and a public one whose working copy has
 * changed. Their revisions are large numbers, so a caller who was not shown one cannot guess it and list the product.
 */
async function makeListings(
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

/** A series of drafts with a canary in its words, and one whose first piece alone is public. */
async function makeSeriesOf(
  app: FastifyInstance,
  admin: pg.Pool,
  writer: MadeWriter,
  [draft, pending, , , approved]: readonly string[],
  newCanary: () => string,
): Promise<string[]> {
  const desk = deskOf(app, writer)
  const { rows } = await admin.query<{ id: string }>('select id from app.series where writer_id = $1', [writer.id])
  for (const { id } of rows) await desk.ask('DELETE', `series/${id}`)
  const save = async (words: () => string, pieces: readonly (string | undefined)[]) => {
    const id = randomUUID()
    const body = { title: words(), description: words(), pieces, revision: null }
    const answer = await desk.ask('PUT', `series/${id}`, body)
    if (answer.statusCode !== 200) throw new Error(`the desk cannot save a series: ${answer.body}`)
    return id
  }
  return [await save(newCanary, [draft]), await save(() => 'For everybody', [approved, pending])]
}

/** The limits are 200 in all and 50 new ones a day, so earlier ones are dated to another day. */
async function clear(admin: pg.Pool, { id }: MadeWriter): Promise<void> {
  await inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query('delete from pub.products where author_id = $1', [id])
    await client.query('delete from app.products where writer_id = $1', [id])
    await client.query('reset role')
    await client.query("update app.product_slugs set kept_at = kept_at - interval '1 day' where writer_id = $1", [id])
  })
}

/** Sent with requests whose answers are compared: otherwise each answer has a different request id. */
export const sameId = { 'x-request-id': 'one-id-for-every-answer' } as const
