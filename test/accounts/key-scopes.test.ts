import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { moreScopes, scopesOf } from '../../server/features/keys/schema.ts'
import { testSite } from '../../testkit/app.ts'
import { deskOf } from '../../testkit/desk.ts'
import { makeKey, makeWriter } from '../../testkit/factories.ts'
import { checkedInject } from '../../testkit/openapi.ts'
import { caller, countRows, idOf, isRefused, minimalPiece } from '../../testkit/write-api.ts'
import { asking } from '../mcp/site.ts'
import { keyActs, personActs, playScopes, type Site, type Story, ways } from './key-scopes.ts'

/** What a key can do by its scopes: checked by the API's refusals and by the database. */

async function openSite(): Promise<Site> {
  const { admin, app } = await testSite()
  return { admin, app }
}

const site = await openSite()
const { app, admin } = site
const ask = checkedInject(app)

describe('a key of the contract, with pieces:write alone', () => {
  test('makes a draft, reads, changes and deletes it, and lists every piece of its writer', async () => {
    const writer = await makeWriter(admin)
    const by = caller(ask, (await makeKey(admin, writer)).key)
    const persons = await deskOf(app, writer).begin()
    const id = idOf(await by.create(minimalPiece))
    assert.equal((await by.read(id)).json().piece.body_md, minimalPiece.body_md)
    assert.equal((await by.edit(id, { sub: 'Changed' }, '*')).statusCode, 200)
    const listed = (await by.list()).json().pieces.map((piece: { id: string }) => piece.id)
    assert.deepEqual(listed.sort(), [id, persons].sort())
    assert.equal((await by.remove(id, '*')).statusCode, 204)
    isRefused(await by.read(id), 404, 'not_found')
  })

  test('does not read, change or delete a draft of a person or another key, and is told what would', async () => {
    const writer = await makeWriter(admin)
    const desk = deskOf(app, writer)
    const { key } = await makeKey(admin, writer)
    const [by, other] = [caller(ask, key), caller(ask, (await makeKey(admin, writer)).key)]
    for (const id of [await desk.begin(), idOf(await other.create(minimalPiece))]) {
      const before = await desk.ask('GET', `pieces/${id}`)
      for (const [scope, answer] of [
        ['drafts:read', await by.read(id)],
        ['drafts:edit', await by.edit(id, { headline: 'Mine now' }, '*')],
        ['drafts:delete', await by.remove(id, '*')],
      ] as const) {
        isRefused(answer, 403, 'insufficient_scope')
        const { detail } = answer.json()
        assert.match(detail, new RegExp(`scope ${scope} to .+ drafts it did not make`))
        assert.match(detail, /Create one that has it at \/desk\/edit\/online-presence#api-keys/)
        assert.match(
          String(answer.headers['www-authenticate']),
          new RegExp(`error="insufficient_scope", scope="${scope}"`),
        )
      }
      const { call } = asking(app, '/api/v1/mcp', { authorization: `Bearer ${key}` })
      const tool = await call('update_draft', { id, revision: 1, headline: 'Mine now' })
      assert.equal(JSON.parse(tool.content[0].text).reason, 'insufficient_scope')
      assert.equal((await desk.ask('GET', `pieces/${id}`)).body, before.body)
    }
    assert.equal(await countRows(admin, 'app.audit where writer_id = $1', [writer.id]), 0)
  })
})

test('a key that only deletes says * for a revision it cannot read, and the draft lies in the trash', async () => {
  const writer = await makeWriter(admin)
  const desk = deskOf(app, writer)
  const { key, id: keyId } = await makeKey(admin, writer, { scopes: scopesOf(['drafts:delete']) })
  const id = await desk.begin()
  isRefused(await caller(ask, key).remove(id, '"2"'), 412, 'precondition_failed')
  isRefused(await caller(ask, key).remove(id), 428, 'precondition_required')
  assert.equal((await desk.ask('GET', `pieces/${id}`)).statusCode, 200, 'what was refused is undone')
  assert.equal((await caller(ask, key).remove(id, '*')).statusCode, 204)
  const { pieces } = (await desk.ask('GET', 'trash')).json()
  assert.deepEqual([pieces[0].id, pieces[0].deleted_by], [id, { kind: 'key', key: 'A key' }])
  assert.equal(
    await countRows(admin, `app.audit where act = 'delete' and piece_id = $1 and key_id = $2`, [id, keyId]),
    1,
  )
})

const scopeSets = [[], ...moreScopes.map((scope) => [scope]), [...moreScopes]].map(scopesOf)

/** Any number selects one of the existing drafts. */
const at = fc.nat(20)
const story: fc.Arbitrary<Story> = fc.record({
  scopes: fc.tuple(fc.constantFrom(...scopeSets, [], ['drafts:edit']), fc.constantFrom(...scopeSets)) as fc.Arbitrary<
    Story['scopes']
  >,
  acts: fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          who: fc.constantFrom(0, 1),
          act: fc.constantFrom(...keyActs),
          way: fc.constantFrom(...ways),
          at,
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ who: fc.constant('person' as const), act: fc.constantFrom(...personActs), at }),
      },
    ) as fc.Arbitrary<Story['acts'][number]>,
    { minLength: 3, maxLength: 25 },
  ),
})

/** Every key on every draft by every route, per scope: a bug in any one check shows here. */
const everything: readonly Story[] = scopeSets.map((scopes) => ({
  scopes: [scopes, scopesOf([])],
  acts: [
    { who: 1, act: 'create', way: 'rest', at: 0 },
    { who: 0, act: 'create', way: 'rest', at: 0 },
    ...[0, 1, 2].flatMap((draft) =>
      ways.flatMap((way) =>
        keyActs.filter((act) => act !== 'create').map((act) => ({ who: 0 as const, act, way, at: draft })),
      ),
    ),
    ...[0, 1, 2].flatMap((draft) => [
      { who: 'person' as const, act: 'restore' as const, at: draft },
      { who: 'person' as const, act: 'delete' as const, at: draft },
    ]),
  ],
}))

describe('keys in any order reach what their scopes say, and what they delete is in the trash', () => {
  for (const one of everything) test(one.scopes[0].join(' '), () => playScopes(site, one))
  test('in stories that nobody thought of', () =>
    fc.assert(
      fc.asyncProperty(story, (one) => playScopes(site, one)),
      { numRuns: 15 },
    ))
})

describe('a fault that is planted is found', () => {
  const careless = (head: string, body: string) =>
    `create or replace function app.${head} language plpgsql security definer
       set search_path = pg_catalog, pg_temp as $$ begin ${body} end $$`
  const faults: Readonly<Record<string, string>> = {
    'a key that may everything': `create or replace function app.key_may(p_scope text, p_begun_by uuid default null)
       returns boolean language sql as $$ select true $$`,
    'a body for every key of the writer': careless(
      'draft_body(p_piece uuid) returns text',
      'return (select p.body_md from app.pieces p where p.id = p_piece and p.writer_id = app.key_writer());',
    ),
    'a deletion that asks for no scope': careless(
      'delete_piece(p_piece uuid) returns integer',
      `update app.pieces set deleted_at = now() where id = p_piece and deleted_at is null;
       perform app.note_deletion('delete', p, (app.actor()).key_id, (app.actor()).account_id, (app.actor()).session_id)
          from app.pieces p where p.id = p_piece;
       return 1;`,
    ),
    'a deletion for good': careless(
      'delete_piece(p_piece uuid) returns integer',
      'delete from app.pieces where id = p_piece; return 1;',
    ),
    'a deletion without a trace': careless(
      'delete_piece(p_piece uuid) returns integer',
      'update app.pieces set deleted_at = now() where id = p_piece; return 1;',
    ),
    'a policy that lets every key change every draft': `alter policy key_edits_drafts on app.pieces
       using (writer_id = (select app.key_writer()) and editor_status = 'draft' and deleted_at is null)`,
    'a trash that keys can see': `alter policy key_reads_own on app.pieces
       using (writer_id = (select app.key_writer()))`,
  }
  for (const [name, statement] of Object.entries(faults)) {
    test(name, async () => {
      const faulty = await openSite()
      await faulty.admin.query(statement)
      await assert.rejects(async () => {
        for (const one of everything) await playScopes(faulty, one)
      }, assert.AssertionError)
    })
  }
})
