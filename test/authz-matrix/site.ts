import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { createSealer } from '../../server/platform/encryption.ts'
import { deskOf, makeModerator } from '../../testkit/desk.ts'
import { type MadeWriter, makeKey, makeWriter } from '../../testkit/factories.ts'
import { makeListings } from './listings.ts'

/** A site whose every private text carries a canary: a word that nobody but its writer may ever see. */

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
  /** Who each kind of caller is, where they are anybody. */
  readonly callers: Readonly<Record<Credential, MadeWriter | null>>
  /** What each kind of caller sends. */
  readonly headers: Readonly<Record<Credential, Readonly<Record<string, string>>>>
  /** Whose canary it is. */
  readonly owners: Map<string, MadeWriter>
  /** Pieces and listings in every state, and decisions about them, of both writers. */
  ids: readonly string[]
  newCanary(owner: MadeWriter): string
  /** Sessions and keys as they were: a caller who signs out is no use to the proof. */
  revive(): Promise<void>
  /** Puts back what requests have moved: sessions that live, pieces in every state. The only publishing there is. */
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

  /** In every state; what was decided goes to `decisions`. */
  async function piecesOf(writer: MadeWriter, decisions: string[]): Promise<string[]> {
    const [desk, review] = [deskOf(app, writer), deskOf(app, moderator)]
    const text = () => `Only for me: ${newCanary(writer)}.`
    const draft = await desk.begin({ headline: 'A draft', body_md: text() })
    const pending = await desk.begin({ headline: 'Waiting', body_md: text() })
    await desk.act('submit', pending)
    const changes = await desk.begin({ headline: 'Sent back', body_md: text() })
    await desk.act('submit', changes)
    await review.act('request_changes', changes)
    const rejected = await desk.begin({ headline: 'Refused', body_md: text() })
    await desk.act('submit', rejected)
    const refused = await review.act('reject', rejected)
    decisions.push(refused.json().decision)
    // Taken down and appealed: who decided does not decide this, and nobody else among the callers can.
    const down = await desk.begin({ headline: 'Taken down', body_md: 'For everybody, once.' })
    await desk.act('publish', down)
    const taken = await review.act('take_down', down)
    const { decision } = taken.json()
    const appealed = await desk.ask('POST', `decisions/${decision}/appeal`, { text: text() })
    if (appealed.statusCode !== 200) throw new Error(`the desk cannot appeal: ${appealed.body}`)
    // Public, with a change to the working copy that readers have not got.
    const approved = await desk.begin({ headline: 'Public', body_md: 'For everybody.' })
    const published = await desk.act('publish', approved)
    if (published.statusCode !== 200) throw new Error(`the desk cannot publish: ${published.body}`)
    await desk.ask('PATCH', `pieces/${approved}`, { body_md: text() }, { 'if-match': '*' })
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
      site.ids = [...pieces, randomUUID(), ...listings, ...decisions]
    },
  }
  return site
}

const secret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY='

/** Live, whatever requests have made of it. */
async function makeWebhook(admin: pg.Pool, writer: MadeWriter, key: string): Promise<void> {
  await admin.query(
    `insert into app.webhooks (writer_id, url, state, secret, secret_hint, live_since, proven_at)
     values ($1, 'http://127.0.0.1:9/hook', 'live', $2, '…', now(), now())
     on conflict (writer_id) do update set
       state = 'live', disabled_for = null, live_since = now(), secret = excluded.secret, former_secret = null, former_until = null`,
    [writer.id, createSealer([key]).seal(secret, writer.id)],
  )
}
