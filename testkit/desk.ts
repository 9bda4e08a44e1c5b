import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type pg from 'pg'
import type { Status } from '../server/features/pieces/draft-schema.ts'
import { type Act, transitions } from '../server/features/pieces/states.ts'
import type { DeskProduct } from '../server/features/products/schema.ts'
import { inTransaction, type MadeWriter, makeWriter } from './factories.ts'
import { until } from './waiting.ts'

/** A user at the desk, with the requests of their browser: session cookie, same origin. */
export interface Desk {
  ask(method: string, path: string, payload?: object, headers?: Record<string, string>): Promise<Answer>
  /** Performs an act, with a preview first where the act needs its nonce. */
  act(act: Act, id: string, given?: object): Promise<Answer>
  begin(given?: object): Promise<string>
}

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** The path of each act, and what its request needs. */
const buttons: Record<Act, { path: string; shownAt?: string; payload?: object }> = {
  publish: { path: 'pieces/:id/publish', shownAt: 'pieces/:id/preview' },
  update: { path: 'pieces/:id/update', shownAt: 'pieces/:id/preview' },
  unpublish: { path: 'pieces/:id/unpublish' },
  submit: { path: 'pieces/:id/submit', shownAt: 'pieces/:id/preview' },
  withdraw: { path: 'pieces/:id/withdraw' },
  resubmit: { path: 'pieces/:id/resubmit', shownAt: 'pieces/:id/preview' },
  revise: { path: 'pieces/:id/revise' },
  approve: { path: 'review/:id/approve', shownAt: 'review/:id/show' },
  request_changes: { path: 'review/:id/request-changes', payload: { note: 'Say what you saw.' } },
  reject: { path: 'review/:id/reject', payload: { category: 'editorial', reason: 'Not for this site.' } },
  take_down: {
    path: 'review/:id/take-down',
    payload: { category: 'copyright', reason: 'It is not yours.', to: 'changes_requested' },
  },
}

/** A well-formed nonce that was never issued. */
const noNonce = 'x'.repeat(43)

export function deskOf(app: FastifyInstance, { sessionToken }: MadeWriter): Desk {
  const cookie = `__Host-desk=${sessionToken}`
  /** Retries 503: a loaded machine must not look like a refusal. */
  const ask: Desk['ask'] = (method, path, payload, headers = {}) =>
    until(async () => {
      const answer = await app.inject({
        method: method as NonNullable<InjectOptions['method']>,
        url: `/desk/api/${path}`,
        headers: { cookie, 'sec-fetch-site': 'same-origin', ...headers },
        ...(payload ? { payload } : {}),
      })
      return answer.statusCode !== 503 && answer
    }, `${method} ${path} is answered by anything but 503`)
  return {
    ask,
    async act(act, id, given) {
      const { path, shownAt, payload } = buttons[act]
      const shown = shownAt ? (await ask('POST', shownAt.replace(':id', id))).json() : undefined
      const seen = shown ? { nonce: shown.nonce ?? noNonce } : undefined
      const body = seen || payload || given ? { ...seen, ...payload, ...given } : undefined
      return ask('POST', path.replace(':id', id), body)
    },
    async begin(given = {}) {
      const answer = await ask('POST', 'pieces', { headline: 'A headline', body_md: 'A body.', ...given })
      if (answer.statusCode !== 201) throw new Error(`no draft: ${answer.body}`)
      return answer.json().piece.id
    },
  }
}

/** The acts that lead from a new draft to each state. */
const pathsToState: Record<Status, Act[]> = {
  draft: [],
  pending: ['submit'],
  approved: ['publish'],
  changes_requested: ['submit', 'request_changes'],
  rejected: ['submit', 'reject'],
}

/** A new piece in this state, reached by acts at the desk. */
export async function makePieceByActs(status: Status, writer: Desk, moderators: Desk): Promise<string> {
  const id = await writer.begin({ headline: `A piece that is ${status}` })
  for (const step of pathsToState[status]) {
    const answer = await (transitions[step].by === 'writer' ? writer : moderators).act(step, id)
    if (answer.statusCode !== 200) throw new Error(`${step}: ${answer.body}`)
  }
  return id
}

/** A moderator with a live session and no public profile. */
export async function makeModerator(admin: pg.Pool): Promise<MadeWriter> {
  const moderator = await makeWriter(admin, { shown: false })
  await admin.query("update app.accounts set role = 'moderator' where id = $1", [moderator.accountId])
  return moderator
}

/** As if the time that the writer chose had come: only the stored times change. */
export const makeSchedulesDue = (admin: pg.Pool, ids: readonly string[], ago = '1 second'): Promise<void> =>
  inTransaction(admin, async (client) => {
    await client.query('set local role svc_publisher')
    await client.query(
      `update app.schedules set publish_at = now() - $2::interval, consented_at = now() - $2::interval - interval '1 hour'
        where piece_id = any ($1)`,
      [ids, ago],
    )
  })

/** What a listing needs at least. */
export const notebook = { name: 'A notebook', payment_url: 'https://pay.example/notebook' }
/** A writer with a shop, at their desk. */
export interface Seller {
  readonly writer: MadeWriter
  readonly desk: Desk
  begin(given?: object): Promise<DeskProduct>
  save(id: string, changes: object, ifMatch?: string): ReturnType<Desk['ask']>
  act(act: 'publish' | 'update' | 'withdraw', id: string, revision?: number): ReturnType<Desk['ask']>
}

export async function makeSeller(
  app: FastifyInstance,
  admin: pg.Pool,
  slug = `seller-${randomUUID().slice(0, 8)}`,
): Promise<Seller> {
  const writer = await makeWriter(admin, { slug, shown: false })
  const desk = deskOf(app, writer)
  return {
    writer,
    desk,
    async begin(given = {}) {
      const answer = await desk.ask('POST', 'products', { ...notebook, ...given })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().product
    },
    save: (id, changes, ifMatch = '*') => desk.ask('PATCH', `products/${id}`, changes, { 'if-match': ifMatch }),
    act: (act, id, revision = 1) =>
      desk.ask('POST', `products/${id}/${act}`, act === 'withdraw' ? undefined : { revision }),
  }
}
