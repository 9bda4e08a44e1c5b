import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { deskOf } from '../../testkit/desk.ts'
import { inTransaction, makeKey, makeWriter } from '../../testkit/factories.ts'
import { checkedInject } from '../../testkit/openapi.ts'
import { caller, minimalPiece } from '../../testkit/write-api.ts'
import { asking } from '../mcp/site.ts'

/**
 * Random acts of a writer and two of their keys, compared with a model of the scopes (docs/drafting.md): a key reaches the
 * drafts it made, all drafts only by scope, and nothing once it is revoked; a deleted draft is in the trash, and the audit
 * trail says who deleted it. Keys act by REST, by tools, and by SQL with their own credential, where only the database
 * can refuse.
 */

export interface Site {
  readonly app: FastifyInstance
  readonly admin: pg.Pool
}

export const ways = ['rest', 'tools', 'sql'] as const
export const keyActs = ['create', 'list', 'read', 'edit', 'delete'] as const
export const personActs = ['create', 'edit', 'delete', 'restore', 'revoke'] as const

type Act =
  | { readonly who: 0 | 1; readonly act: (typeof keyActs)[number]; readonly way: (typeof ways)[number]; at: number }
  | { readonly who: 'person'; readonly act: (typeof personActs)[number]; readonly at: number }

export interface Story {
  readonly scopes: readonly [readonly string[], readonly string[]]
  readonly acts: readonly Act[]
}

interface Draft {
  readonly id: string
  readonly by: 'person' | 0 | 1
  isDeleted: boolean
  /** From the audit trail, oldest first. */
  readonly trail: string[]
  headline: string
}

type Outcome = 'done' | 'scope' | 'key' | 'absent'

export async function playScopes({ app, admin }: Site, { scopes, acts }: Story): Promise<void> {
  const writer = await makeWriter(admin)
  const desk = deskOf(app, writer)
  const keys = [
    await makeKey(admin, writer, { scopes: scopes[0] }),
    await makeKey(admin, writer, { scopes: scopes[1] }),
  ]
  const revoked = new Set<number>()
  const drafts: Draft[] = [
    { id: await desk.begin(), by: 'person', isDeleted: false, trail: [], headline: 'A headline' },
  ]

  /** The meaning of the scopes, as a reference model. */
  function allowed(who: 0 | 1, act: (typeof keyActs)[number], draft: Draft): Outcome {
    const has = (scope: string) => scopes[who].includes(scope)
    if (revoked.has(who)) return 'key'
    if (!has('pieces:write')) return 'scope'
    if (act === 'create' || act === 'list') return 'done'
    if (draft.isDeleted) return 'absent'
    if (draft.by === who) return 'done'
    if (act === 'read') return has('drafts:read') || has('drafts:edit') ? 'done' : 'scope'
    return has(`drafts:${act}`) ? 'done' : 'scope'
  }

  async function tryAct({ who, act, way }: Extract<Act, { way: unknown }>, draft: Draft, headline: string) {
    const { key, hash } = keys[who]!
    if (way === 'sql') return bySql(admin, hash, act, draft, headline, writer.id)
    if (way === 'tools' && act !== 'delete') return byTool(app, key, act, draft, headline)
    return byRest(app, key, act, draft, headline)
  }

  for (const [step, one] of acts.entries()) {
    const draft = drafts[one.at % drafts.length]!
    const headline = `Headline ${step}`
    const said = `step ${step}, ${JSON.stringify(one)}, of ${JSON.stringify({ scopes, ...draft })}`
    if (one.who === 'person') {
      await person(one.act, draft, headline, said)
      continue
    }
    const wanted = allowed(one.who, one.act, draft)
    const { outcome, id, listed } = await tryAct(one, draft, headline)
    if (listed) {
      const there = wanted === 'done' ? drafts.filter(({ isDeleted }) => !isDeleted).map((other) => other.id) : []
      assert.deepEqual(listed.toSorted(), there.toSorted(), said)
    } else if (one.way === 'sql') {
      // SQL always reports that nothing was found, whatever the reason.
      assert.equal(outcome === 'done', wanted === 'done', said)
    } else {
      assert.equal(outcome, wanted, said)
    }
    if (outcome !== 'done') continue
    if (one.act === 'create') drafts.push({ id: id!, by: one.who, isDeleted: false, trail: [], headline })
    if (one.act === 'edit') draft.headline = headline
    if (one.act === 'delete') {
      draft.isDeleted = true
      draft.trail.push(`delete by key ${keys[one.who]!.id}`)
    }
  }

  async function person(act: (typeof personActs)[number], draft: Draft, headline: string, said: string) {
    const session = `session ${writer.sessionId}`
    if (act === 'create') {
      const id = await desk.begin({ headline })
      drafts.push({ id, by: 'person', isDeleted: false, trail: [], headline })
    } else if (act === 'revoke') {
      const which = drafts.length % 2
      await admin.query('update app.api_keys set revoked_at = now() where id = $1', [keys[which]!.id])
      revoked.add(which)
    } else if (act === 'edit') {
      const { statusCode } = await desk.ask('PATCH', `pieces/${draft.id}`, { headline }, { 'if-match': '*' })
      assert.equal(statusCode, draft.isDeleted ? 404 : 200, said)
      if (!draft.isDeleted) draft.headline = headline
    } else if (act === 'delete') {
      const { statusCode } = await desk.ask('DELETE', `pieces/${draft.id}`)
      assert.equal(statusCode, draft.isDeleted ? 404 : 204, said)
      if (!draft.isDeleted) draft.trail.push(`delete by ${session}`)
      draft.isDeleted = true
    } else {
      const { statusCode } = await desk.ask('POST', `trash/${draft.id}/restore`)
      assert.equal(statusCode, draft.isDeleted ? 204 : 404, said)
      if (draft.isDeleted) draft.trail.push(`restore by ${session}`)
      draft.isDeleted = false
    }
  }

  await check()

  /** Every draft is in the expected place, and the audit trail says how it got there. */
  async function check(): Promise<void> {
    const { rows } = await admin.query<{ id: string; headline: string; deleted: boolean; trail: string[] }>(
      `select p.id, p.headline, p.deleted_at is not null as deleted, array(
                select a.act || ' by ' || coalesce('key ' || a.key_id, 'session ' || a.session_id) from app.audit a
                 where a.piece_id = p.id order by a.id) as trail
         from app.pieces p where p.writer_id = $1 order by p.id`,
      [writer.id],
    )
    const expected = drafts
      .map(({ id, headline, isDeleted: deleted, trail }) => ({ id, headline, deleted, trail }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    assert.deepEqual(rows, expected)
    const idsOf = (answer: { json(): { pieces: { id: string }[] } }) => idsIn(answer.json().pieces).toSorted()
    const [there, trashed] = [await desk.ask('GET', 'pieces?limit=100'), await desk.ask('GET', 'trash?limit=100')]
    assert.deepEqual(
      idsOf(there),
      expected.flatMap(({ id, deleted }) => (deleted ? [] : [id])),
    )
    assert.deepEqual(
      idsOf(trashed),
      expected.flatMap(({ id, deleted }) => (deleted ? [id] : [])),
    )
  }
}

interface Tried {
  readonly outcome: Outcome
  /** Of the created drafts. */
  readonly id?: string
  readonly listed?: readonly string[]
}

const idsIn = (pieces: readonly { id: string }[]) => pieces.map(({ id }) => id)

const reasons: Readonly<Record<string, Outcome>> = {
  insufficient_scope: 'scope',
  invalid_key: 'key',
  not_found: 'absent',
}

const outcomeOf = (reason: string | undefined): Outcome => {
  if (reason === undefined) return 'done'
  assert.ok(reasons[reason], `refused as ${reason}`)
  return reasons[reason]
}

async function byRest(app: FastifyInstance, key: string, act: string, { id }: Draft, headline: string): Promise<Tried> {
  const by = caller(checkedInject(app), key)
  const answer = await (act === 'create'
    ? by.create({ ...minimalPiece, headline })
    : act === 'list'
      ? by.list()
      : act === 'read'
        ? by.read(id)
        : act === 'edit'
          ? by.edit(id, { headline }, '*')
          : by.remove(id, '*'))
  const body = answer.statusCode === 204 ? {} : answer.json()
  return { outcome: outcomeOf(body.reason), id: body.id, ...(body.pieces ? { listed: idsIn(body.pieces) } : {}) }
}

async function byTool(app: FastifyInstance, key: string, act: string, { id }: Draft, headline: string): Promise<Tried> {
  const { rpc } = asking(app, '/api/v1/mcp', { authorization: `Bearer ${key}` })
  const call = async (name: string, given: object) => {
    const { json } = await rpc('tools/call', { name, arguments: given })
    if (!json.result) return json
    return json.result.isError ? JSON.parse(json.result.content[0].text) : json.result.structuredContent
  }
  if (act === 'create') {
    const body = await call('create_draft', { ...minimalPiece, headline })
    return { outcome: outcomeOf(body.reason), id: body.id }
  }
  if (act === 'list') return { outcome: outcomeOf((await call('list_my_pieces', {})).reason) }
  const read = await call('get_draft', { id })
  if (act === 'read') return { outcome: outcomeOf(read.reason) }
  // A key that may not read the draft guesses its revision.
  const { reason } = await call('update_draft', { id, revision: read.revision ?? 1, headline })
  return { outcome: outcomeOf(reason) }
}

/** Runs SQL with the role and the credential of the write API, but none of its code. */
async function bySql(
  admin: pg.Pool,
  keyHash: Buffer,
  act: string,
  draft: Draft,
  headline: string,
  writer: string,
): Promise<Tried> {
  const id = act === 'create' ? randomUUID() : draft.id
  const statements: Readonly<Record<string, readonly [string, unknown[]]>> = {
    create: [
      `insert into app.pieces (id, writer_id, headline, body_md) values ($1, $2, $3, 'Some tea.') returning id`,
      [id, writer, headline],
    ],
    list: ['select id from app.pieces', []],
    read: ['select from app.draft_body($1) body where body is not null', [id]],
    edit: ['update app.pieces set headline = $2 where id = $1', [id, headline]],
    delete: ['select from app.delete_piece($1) revision where revision is not null', [id]],
  }
  try {
    const { rowCount, rows } = await inTransaction(admin, async (client) => {
      await client.query("select set_config('role', 'svc_api', true), set_config('app.key_hash', $1, true)", [
        keyHash.toString('hex'),
      ])
      return client.query<{ id: string }>(...(statements[act] as [string, unknown[]]))
    })
    return { outcome: rowCount ? 'done' : 'absent', id, ...(act === 'list' ? { listed: idsIn(rows) } : {}) }
  } catch (error) {
    const { code = '' } = error as { code?: string }
    assert.match(code, /^(42501|SF403)$/, String(error))
    return { outcome: 'scope' }
  }
}
