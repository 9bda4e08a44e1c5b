import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Attack,
  type AttackSite,
  allRows,
  attempt,
  by,
  makeAttackSite,
  signing,
  through,
} from '../../../testkit/attacks.ts'
import { attacksOn, privateTables, publishing } from '../../../testkit/attacks-on-pieces.ts'
import { attacksOnPublishing } from '../../../testkit/attacks-on-publishing.ts'
import { asDesk, publish, unpublish } from '../../../testkit/factories.ts'

/** The attacks of testkit/attacks-on-pieces.ts and attacks-on-publishing.ts are refused, and would not be if their walls were down. */

const attemptOn = ({ url, acting }: AttackSite, { as, sql }: Attack) => attempt(url, as, sql, acting)

const site = await makeAttackSite()
const before = await allRows(site.admin)

const allAttacks = (on: AttackSite): Attack[] => [...attacksOn(on), ...attacksOnPublishing(on)]

for (const attack of allAttacks(site)) {
  test(attack.name, async () => {
    assert.equal(await attemptOn(site, attack), attack.outcome)
  })
}

test('after every attack, each row of both wings is what it was', async () => {
  assert.ok(before['pub.pieces']!.length > 0 && before['app.pieces']!.length > 0)
  assert.deepEqual(await allRows(site.admin), before)
})

test('the list of private tables is whole', async () => {
  const { rows } = await site.admin.query("select tablename from pg_tables where schemaname = 'app' order by 1")
  assert.deepEqual(
    rows.map(({ tablename }) => tablename),
    privateTables,
  )
})

async function stateOf(id: string) {
  const { rows } = await site.admin.query(
    `select p.editor_status, p.slug, p.revision, s.slug as public_slug, s.headline as public_headline, s.published_at,
            (select array_agg(act order by id) from app.audit where piece_id = p.id) as acts
       from app.pieces p left join pub.pieces s on s.id = p.id where p.id = $1`,
    [id],
  )
  return rows[0]
}

test('what was refused to all others publishes for the desk, once', async () => {
  const { admin, me, pieces, nonces } = site
  const [asked] = by('svc_desk', through, {
    'the desk publishes': `${publishing(pieces.draft, me.sessionToken, nonces.good)}; ${signing(pieces.draft)}`,
  })
  assert.equal(await attemptOn(site, asked!), through)
  const { editor_status, public_slug, acts } = await stateOf(pieces.draft)
  assert.deepEqual([editor_status, public_slug, acts], ['approved', 'a-slug', ['publish']])

  await unpublish(admin, me, pieces.draft)
  assert.equal(await attemptOn(site, asked!), 'SF412')
})

test('editing a public piece makes a new revision and leaves the public text alone', async () => {
  const { admin, me, pieces } = site
  const { revision } = await stateOf(pieces.live)
  await asDesk(admin, me, (client) =>
    client.query("update app.pieces set headline = 'Mine, rewritten' where id = $1", [pieces.live]),
  )
  const after = await stateOf(pieces.live)
  assert.deepEqual(
    [after.revision, after.editor_status, after.public_headline],
    [revision + 1, 'approved', 'Mine, public'],
  )
})

test('unpublishing hides a piece, and publishing it again keeps its slug and its date', async () => {
  const { admin, me, pieces } = site
  const first = await stateOf(pieces.live)
  await unpublish(admin, me, pieces.live)
  const hidden = await stateOf(pieces.live)
  assert.deepEqual([hidden.editor_status, hidden.public_slug], ['draft', null])

  await publish(admin, me, pieces.live)
  const again = await stateOf(pieces.live)
  assert.deepEqual([again.public_slug, again.published_at], [first.public_slug, first.published_at])
  assert.equal(again.public_headline, 'Mine, rewritten')
  assert.deepEqual(again.acts, ['publish', 'unpublish', 'publish'])
})

/** Each attack with the barriers before it, in the order in which they are removed. */
const walls: Record<string, string[]> = {
  'svc_api cannot update editor_status': [
    'grant update (editor_status) on app.pieces to svc_api',
    'alter table app.pieces disable trigger guard_status',
    'alter policy key_edits_drafts on app.pieces using (true) with check (true)',
  ],
  'svc_desk cannot update editor_status': [
    'alter table app.pieces disable trigger guard_status',
    'grant update (editor_status) on app.pieces to svc_desk',
  ],
  'a superuser cannot approve a draft': ['alter table app.pieces disable trigger guard_status'],
  "svc_api cannot read another writer's drafts": ['alter policy key_reads_own on app.pieces using (true)'],
  'svc_public cannot read app.pieces': [
    'grant usage on schema app to svc_public',
    'grant select (id) on app.pieces to svc_public',
    'create policy open on app.pieces to svc_public using (true)',
  ],
  'svc_desk cannot shadow a table': [
    "do $$ begin execute format('grant temp on database %I to svc_desk', current_database()); end $$",
  ],
  'superuser cannot update pub.pieces': [
    'alter table pub.pieces disable trigger guard_public',
    'alter table pub.piece_topics disable trigger guard_public',
  ],
  'svc_api cannot schedule, were all else right': ['grant execute on function app.desk_schedule to svc_api'],
  'superuser cannot forge a consent': ['alter table app.schedules disable trigger guard_schedule'],
  'a key cannot publish, were all else right': [
    'grant execute on function app.desk_publish to svc_api',
    'alter table pub.receipts disable trigger guard_receipt',
  ],
}

for (const [name, standing] of Object.entries(walls)) {
  test(`with its walls down the list would tell that it is false: ${name}`, async () => {
    const weak = await makeAttackSite()
    const attack = allAttacks(weak).find((one) => one.name === name)!
    for (const wall of standing) {
      assert.notEqual(await attemptOn(weak, attack), through, `already before: ${wall}`)
      await weak.admin.query(wall)
    }
    assert.equal(await attemptOn(weak, attack), through)
  })
}
