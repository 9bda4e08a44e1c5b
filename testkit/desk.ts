import type { FastifyInstance, InjectOptions } from 'fastify'
import type pg from 'pg'
import type { Status } from '../server/features/pieces/draft-schema.ts'
import { type Act, moves } from '../server/features/pieces/states.ts'
import { type MadeWriter, makeWriter } from './factories.ts'
import { until } from './until.ts'

/** A person at the desk, as their browser speaks: with the session's cookie, from a page of the site. */
export interface Desk {
  ask(method: string, path: string, payload?: object, headers?: Record<string, string>): Promise<Answer>
  /** Does what the button of that name does, and first looks at the piece where the act is about what was seen. */
  act(act: Act, id: string, given?: object): Promise<Answer>
  begin(given?: object): Promise<string>
}

type Answer = Awaited<ReturnType<FastifyInstance['inject']>>

/** The path of each act, and what else it needs to be told. */
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

/** Of the right form, and nobody's. */
const noNonce = 'x'.repeat(43)

export function deskOf(app: FastifyInstance, { sessionToken }: MadeWriter): Desk {
  const cookie = `__Host-desk=${sessionToken}`
  /** Asks again when the server is busy: on a loaded machine a test must not mistake that for a refusal. */
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
const ways: Record<Status, Act[]> = {
  draft: [],
  pending: ['submit'],
  approved: ['publish'],
  changes_requested: ['submit', 'request_changes'],
  rejected: ['submit', 'reject'],
}

/** A new piece that has come as far as this. */
export async function pieceAt(status: Status, writer: Desk, moderators: Desk): Promise<string> {
  const id = await writer.begin({ headline: `A piece that is ${status}` })
  for (const step of ways[status]) {
    const answer = await (moves[step].by === 'writer' ? writer : moderators).act(step, id)
    if (answer.statusCode !== 200) throw new Error(`${step}: ${answer.body}`)
  }
  return id
}

/** A moderator with a live session; they write nothing that anybody sees. */
export async function makeModerator(admin: pg.Pool): Promise<MadeWriter> {
  const moderator = await makeWriter(admin, { shown: false })
  await admin.query("update app.accounts set role = 'moderator' where id = $1", [moderator.accountId])
  return moderator
}
