import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashOf } from '../../server/platform/crypto.ts'
import { testSite } from '../../testkit/app.ts'
import { allRows, attempt } from '../../testkit/attacks.ts'
import { deskOf, makeModerator, makePieceByActs } from '../../testkit/desk.ts'
import { type MadeWriter, makeDraft, makeKey, makePiece, makeWriter } from '../../testkit/factories.ts'
import { deleteNow, testWorker } from '../../testkit/jobs.ts'
import { startMailbox } from '../../testkit/mailbox.ts'
import { startPurgeReceiver } from '../../testkit/receivers.ts'
import { until } from '../../testkit/waiting.ts'

/** Account deletion: seven days after the request all data of the person is removed at once, and nobody else's. */

const { url, admin, app } = await testSite()
const mailbox = await startMailbox()
const cache = await startPurgeReceiver()
await testWorker(url, { SMTP_URL: mailbox.url, PURGE_URL: cache.url })

const moderator = await makeModerator(admin)
const moderators = deskOf(app, moderator)
const asking = (who: MadeWriter, name = 'A Writer') => deskOf(app, who).ask('DELETE', 'account', { name })
/** Requests deletion and moves the request seven days into the past. */
const leaving = async (who: MadeWriter, name = 'A Writer') => {
  const answer = await asking(who, name)
  assert.equal(answer.statusCode, 202, answer.body)
  await deleteNow(admin, url, who.accountId)
}

test('whoever leaves is gone from every address and every table, and the caches and they are told', async () => {
  const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada Okafor', bio: 'Rooibos and patience.' })
  const bo = await makeWriter(admin, { slug: 'bo' })
  const theirs = await makePiece(admin, bo, { headline: 'Not hers' })
  const desk = deskOf(app, ada)
  const { key } = await makeKey(admin, ada)
  const piece = await makePiece(admin, ada, { headline: 'Rooibos in public', body_md: 'Rooibos.' })
  for (const status of ['draft', 'pending', 'approved', 'rejected', 'changes_requested'] as const) {
    await makePieceByActs(status, desk, moderators)
  }
  await desk.ask('PUT', 'profile/slug', { slug: 'ada-okafor' })
  await moderators.ask('PUT', 'review/writers/ada-okafor/identity', { verified: true, note: 'Rooibos passport seen.' })
  const read = await app.inject(`/api/public/pieces/${piece}`)
  assert.equal(read.statusCode, 200)

  await leaving(ada, ' Ada  Okafor ')

  for (const path of [
    `/api/public/pieces/${piece}`,
    '/api/public/authors/ada-okafor',
    '/api/public/authors/ada',
    '/author/ada-okafor',
    '/author/ada-okafor/feed.json',
    `/p/${piece}`,
  ]) {
    assert.equal((await app.inject(path)).statusCode, 404, path)
  }
  assert.equal((await desk.ask('GET', 'account')).statusCode, 401)
  const byKey = await app.inject({ url: '/api/v1/pieces/me', headers: { authorization: `Bearer ${key}` } })
  assert.equal(byKey.statusCode, 403)

  // No table keeps their words, and only audit trails keep their id; slugs stay reserved so nobody can reuse them.
  const tables = await allRows(admin)
  for (const [table, rows] of Object.entries(tables)) {
    const about = rows.filter((row) => /rooibos|okafor|ada@site/i.test(row) || row.includes(ada.id))
    if (table === 'app.audit' || table === 'app.writer_audit')
      assert.ok(about.every((row) => !/rooibos|okafor/i.test(row)))
    else if (table === 'app.retired_slugs') assert.equal(about.length, 1)
    else assert.deepEqual(about, [], table)
  }
  assert.ok(tables['app.audit']!.length > 5)
  assert.equal((await app.inject(`/api/public/pieces/${theirs}`)).statusCode, 200)

  await mailbox.waitForEmail('ada@site.test', /account at .* was deleted/)
  const purged = () => cache.received.flatMap(({ tags }) => tags)
  for (const tag of ['byline-ada', 'byline-ada-okafor', 'author-ada', 'pieces', 'authors'])
    await until(() => purged().includes(tag), `${tag} is purged`)
})

test('the addresses of whoever left are nobody’s again', async () => {
  const gone = await makeWriter(admin, { slug: 'known-once' })
  await leaving(gone)
  const other = deskOf(app, await makeWriter(admin))
  for (const slug of ['known-once', 'kn0wn-once']) {
    assert.equal((await other.ask('PUT', 'profile/slug', { slug })).statusCode, 409, slug)
  }
  await assert.rejects(makeWriter(admin, { slug: 'known-once' }), { code: '23505' })
})

test('the same person may come back under the same e-mail address', async () => {
  const once = await makeWriter(admin, { slug: 'comes-back' })
  await leaving(once)
  const { rowCount } = await admin.query("select from app.accounts where email = 'comes-back@site.test'")
  assert.equal(rowCount, 0)
})

describe('nobody leaves by mistake', () => {
  test('without their name as it is written', async () => {
    const who = await makeWriter(admin, { name: 'Bo Ek' })
    for (const name of ['bo ek', 'Bo', 'A Writer', 'x'.repeat(300)]) {
      const answer = await asking(who, name)
      assert.deepEqual([answer.statusCode, answer.json().errors[0].pointer], [400, '/name'])
    }
    assert.equal((await deskOf(app, who).ask('GET', 'account')).statusCode, 200)
  })

  test('in a session that is not fresh', async () => {
    const who = await makeWriter(admin)
    await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
      who.sessionId,
    ])
    const answer = await asking(who)
    assert.deepEqual([answer.statusCode, answer.json().reason], [403, 'fresh_sign_in_required'])
  })
})

test('whoever only moderates can leave too', async () => {
  const judge = await makeModerator(admin)
  await admin.query('delete from app.writers where id = $1', [judge.id])
  await leaving(judge)
  assert.equal((await admin.query('select from app.accounts where id = $1', [judge.accountId])).rowCount, 0)
})

test('with two thousand pieces it is still one transaction for readers', async () => {
  const many = await makeWriter(admin, { slug: 'many' })
  await admin.query(
    `insert into app.pieces (writer_id, headline, body_md)
     select $1, 'Piece ' || n, repeat('Words of it. ', 200) from generate_series(1, 2000) n`,
    [many.id],
  )
  const last = await makePiece(admin, many, { headline: 'Public' })
  const [, during] = await Promise.all([leaving(many), app.inject(`/api/public/pieces/${last}`)])
  assert.ok([200, 404].includes(during.statusCode))
  assert.equal((await app.inject(`/api/public/pieces/${last}`)).statusCode, 404)
})

test('with pieces that were read for a year nothing of their counts is left', async () => {
  const read = await makeWriter(admin, { slug: 'much-read' })
  await admin.query(
    `with made as (
       insert into app.pieces (writer_id, headline, body_md)
       select $1, 'Piece ' || n, 'Words.' from generate_series(1, 30) n returning id
     ), kept as (insert into app.piece_reads select id, $1, 1 from made returning piece_id)
     select from kept`,
    [read.id],
  )
  for (const [table, rows] of [
    ['piece_reads_hourly', 'k.piece_id, now() - make_interval(hours => n), 1 from generate_series(1, 744) n'],
    ['piece_reads_daily', 'k.piece_id, k.author_id, current_date - n, 1 from generate_series(1, 365) n'],
    ['piece_sources', "k.piece_id, k.author_id, current_date - n / 20, 's-' || n, 1 from generate_series(1, 1840) n"],
  ]) {
    await admin.query(`insert into app.${table} select ${rows}, app.piece_reads k where k.author_id = $1`, [read.id])
  }
  await leaving(read)
  const { rows } = await admin.query('select from app.piece_sources where author_id = $1', [read.id])
  assert.deepEqual(rows, [])
})

describe('with SQL as the desk speaks it', () => {
  const hash = (one: MadeWriter) => `'\\x${hashOf(one.sessionToken).toString('hex')}'::bytea`

  test('nobody removes anybody but themselves, nor without a fresh session', async () => {
    const victim = await makeWriter(admin, { name: 'Victim' })
    await makeDraft(admin, victim)
    const stale = await makeWriter(admin)
    await makeDraft(admin, stale)
    await admin.query("update app.sessions set authenticated_at = now() - interval '11 minutes' where id = $1", [
      stale.sessionId,
    ])
    const as = (role: string, sql: string) =>
      attempt(url, role, sql, { 'app.session_hash': hashOf(moderator.sessionToken).toString('hex') })
    assert.equal(await as('svc_desk', `select app.ask_deletion(${hash(stale)}, 'A Writer')`), 'SF428')
    assert.equal(await as('svc_desk', `select app.ask_deletion(${hash(victim)}, 'Somebody')`), 'SF400')
    assert.equal(await as('svc_desk', "select app.ask_deletion(sha256('x'), 'Victim')"), 'SF401')
    assert.equal(await as('svc_worker', `select app.delete_account('${victim.accountId}')`), 'SF404')
    await attempt(url, 'svc_worker', `select app.remove_pieces('${victim.accountId}', 10)`, {})
    for (const role of ['svc_desk', 'svc_api', 'svc_public', 'svc_worker']) {
      assert.equal(await as(role, `select app.hide_author('${victim.id}')`), '42501', role)
      for (const table of ['accounts', 'writers', 'writer_audit', 'retired_slugs']) {
        assert.equal(await as(role, `delete from app.${table}`), '42501', `${role} ${table}`)
      }
      if (role !== 'svc_desk')
        assert.equal(await as(role, `select app.ask_deletion(${hash(victim)}, 'Victim')`), '42501')
      if (role !== 'svc_worker')
        for (const act of [`delete_account('${victim.accountId}')`, `remove_pieces('${victim.accountId}', 10)`])
          assert.equal(await as(role, `select app.${act}`), '42501', act)
    }
    const { rowCount } = await admin.query('select from app.pieces where writer_id = any ($1)', [[victim.id, stale.id]])
    assert.equal(rowCount, 2)
  })

  test('the trail is only ever added to, by whomever', async () => {
    for (const role of ['svc_publisher', 'svc_owner', 'superuser']) {
      for (const sql of [
        "update app.writer_audit set act = 'rename'",
        "update app.writer_audit set note = 'Other words'",
        'update app.writer_audit set account_id = null',
        'delete from app.writer_audit',
        'truncate app.writer_audit',
      ]) {
        assert.equal(await attempt(url, role, sql, {}), '42501', `${role}: ${sql}`)
      }
    }
  })
})
