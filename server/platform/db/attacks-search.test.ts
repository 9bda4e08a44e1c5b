import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt, makeAttackSite, noRight, through } from '../../../testkit/attacks.ts'
import { unpublish } from '../../../testkit/factories.ts'
import { readIndex } from '../../../testkit/search.ts'

/** SQL attacks on the search index: it only contains public text, and only the worker writes it. */

const site = await makeAttackSite()
const tables = {
  trees: 'pieces',
  volumes: 'pieces',
  pages: 'part',
  members: 'ordinal',
  waiting: 'piece_id',
  changes: 'piece_id',
  lease: 'token',
  lexicon: 'word',
}
const ask = (as: string, sql: string) => attempt(site.url, as, sql, site.acting)

for (const [table, column] of Object.entries(tables)) {
  for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_publisher']) {
    test(`${role} cannot write search.${table}`, async () => {
      for (const sql of [
        `insert into search.${table} default values`,
        `update search.${table} set ${column} = ${column}`,
        `delete from search.${table}`,
        `truncate search.${table}`,
      ])
        assert.equal(await ask(role, sql), noRight, sql)
    })
  }
  for (const role of ['svc_api', 'svc_desk', 'svc_publisher']) {
    test(`${role} cannot read search.${table}`, async () => {
      assert.equal(await ask(role, `select from search.${table}`), noRight)
    })
  }
}

test('svc_public reads what it needs to search, and not which pieces are gone', async () => {
  assert.equal(await ask('svc_public', 'select from search.waiting'), through)
  assert.equal(await ask('svc_public', 'select from search.changes'), noRight)
})

test('svc_worker reads what is public to file it, and changes none of it', async () => {
  assert.equal(await ask('svc_worker', 'select from pub.piece_texts'), through)
  for (const table of ['pub.pieces', 'pub.piece_texts']) {
    assert.equal(await ask('svc_worker', `delete from ${table}`), noRight)
    assert.equal(await ask('svc_worker', `update ${table} set published_at = now()`), noRight)
  }
})

for (const role of ['svc_public', 'svc_api', 'svc_desk', 'svc_worker', 'svc_publisher']) {
  test(`${role} cannot call or put to sleep what notes a change`, async () => {
    for (const name of ['note_new', 'note_changed', 'note_gone'])
      assert.equal(await ask(role, `alter table pub.piece_texts disable trigger ${name}`), noRight)
    assert.equal(await ask(role, 'alter table pub.authors disable trigger note_name'), noRight)
    for (const name of ['note_piece', 'note_author']) assert.equal(await ask(role, `select search.${name}()`), noRight)
  })
}

test('only what is public waits to be filed, and what goes leaves the line with it', async () => {
  const { pieces, admin, me } = site
  assert.deepEqual((await readIndex(admin)).waiting, [pieces.live])
  await unpublish(admin, me, pieces.live)
  assert.deepEqual((await readIndex(admin)).waiting, [])
})
