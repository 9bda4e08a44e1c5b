import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testSite } from '../../testkit/app.ts'
import { tableHashes } from '../../testkit/database.ts'
import { type Desk, deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { inTransaction, type MadeWriter, makeKey, makeWriter } from '../../testkit/factories.ts'
import { waitForLockWait } from '../../testkit/waiting.ts'

/** A session that ends while its request waits for a lock does nothing: it is checked last. */

const { admin, app } = await testSite()
const writer = await makeWriter(admin)
const moderator = await makeModerator(admin)
const [mine, moderators] = [deskOf(app, writer), deskOf(app, moderator)]

type Answer = Awaited<ReturnType<Desk['ask']>>

interface Act {
  readonly by: MadeWriter
  /** The lock another transaction holds meanwhile. */
  readonly row: string
  /** Prepares everything except the act itself. */
  prepare(): Promise<{ id: string; act: () => Promise<Answer> }>
}

const nonceOf = async (desk: Desk, path: string) => (await desk.ask('POST', path)).json().nonce as string
const nonceFor = (id: string) => nonceOf(mine, `pieces/${id}/preview`)

const ofPiece = (
  status: Parameters<typeof makePieceByActs>[0],
  act: (id: string) => Promise<() => Promise<Answer>>,
): Act => ({
  by: writer,
  row: 'app.pieces',
  prepare: async () => {
    const id = await makePieceByActs(status, mine, moderators)
    return { id, act: await act(id) }
  },
})
const moderated = (status: Parameters<typeof makePieceByActs>[0], path: string, given: object): Act => ({
  ...ofPiece(status, async (id) => () => moderators.ask('POST', `review/${id}/${path}`, given)),
  by: moderator,
})
const seen = (status: Parameters<typeof makePieceByActs>[0], path: string): Act =>
  ofPiece(status, async (id) => {
    const nonce = await nonceFor(id)
    return () => mine.ask('POST', `pieces/${id}/${path}`, { nonce })
  })
const plain = (status: Parameters<typeof makePieceByActs>[0], path: string): Act =>
  ofPiece(status, async (id) => () => mine.ask('POST', `pieces/${id}/${path}`))

const ofWriter = (act: () => Promise<() => Promise<Answer>>): Act => ({
  by: writer,
  row: 'app.writers',
  prepare: async () => ({ id: writer.id, act: await act() }),
})

const everyAct: Record<string, Act> = {
  Publish: seen('draft', 'publish'),
  Update: seen('approved', 'update'),
  Submit: seen('draft', 'submit'),
  Resubmit: seen('changes_requested', 'resubmit'),
  Unpublish: plain('approved', 'unpublish'),
  Withdraw: plain('pending', 'withdraw'),
  Revise: plain('rejected', 'revise'),
  Preview: plain('draft', 'preview'),
  Approve: {
    ...ofPiece('pending', async (id) => {
      const nonce = await nonceOf(moderators, `review/${id}/show`)
      return () => moderators.ask('POST', `review/${id}/approve`, { nonce })
    }),
    by: moderator,
  },
  'Request changes': moderated('pending', 'request-changes', { note: 'Say what you saw.' }),
  Reject: moderated('pending', 'reject', { reason: 'Not here.' }),
  'Take down': moderated('approved', 'take-down', { reason: 'Not yours.', to: 'rejected' }),
  Save: ofPiece('draft', async (id) => () => mine.ask('PATCH', `pieces/${id}`, { sub: 'Late' }, { 'if-match': '*' })),
  Delete: ofPiece('draft', async (id) => () => mine.ask('DELETE', `pieces/${id}`)),
  Begin: ofWriter(async () => () => mine.ask('POST', 'pieces', { headline: 'Late', body_md: 'Late.' })),
  'Mint a key': ofWriter(async () => () => mine.ask('POST', 'keys', { name: 'Late' })),
  'Revoke a key': {
    by: writer,
    row: 'app.api_keys',
    prepare: async () => {
      const { id } = await makeKey(admin, writer)
      return { id, act: () => mine.ask('DELETE', `keys/${id}`) }
    },
  },
}

const setEnded = (ended: boolean, { sessionId }: MadeWriter) =>
  admin.query('update app.sessions set revoked_at = case when $2 then now() end where id = $1', [sessionId, ended])

/** All rows, except last-seen times and the record that the session ended. */
async function rows() {
  const {
    'app.sessions': _sessions,
    'app.security_events': _events,
    'app.security_heads': _heads,
    ...rest
  } = await tableHashes(admin)
  const { rows: events } = await admin.query(
    "select * from app.security_events where act <> 'sessions_ended' order by at, number",
  )
  return { rest, events }
}

for (const [name, { by, row, prepare }] of Object.entries(everyAct)) {
  test(`${name} that waited while its session ended is 401, and nothing of it is done`, async () => {
    const { id, act } = await prepare()
    const before = await rows()
    try {
      const { answer } = await inTransaction(admin, async (client) => {
        await client.query(`select from ${row} where id = $1 for update`, [id])
        const held = act()
        await waitForLockWait(admin, row)
        await setEnded(true, by)
        return { answer: held }
      })
      const { statusCode, body } = await answer
      assert.deepEqual([statusCode, statusCode === 401 && JSON.parse(body).reason], [401, 'signed_out'], body)
      assert.deepEqual(await rows(), before)
    } finally {
      await setEnded(false, by)
    }
  })
}
