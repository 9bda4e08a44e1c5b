import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { renameWriter } from '../../server/features/authors/writers.ts'
import {
  claimFediverseDeliveries,
  expandFediverseChanges,
  settleFediverseDeliveries,
  sweepFediverseDeliveries,
} from '../../server/features/fediverse/delivery-queue.ts'
import { workerDatabase } from '../../testkit/database.ts'
import { inTransaction, makePiece, makeWriter, publish, unpublish } from '../../testkit/factories.ts'
import {
  expireLeases,
  follow,
  makeActor,
  makeDeliveriesDue,
  openFediverseSite,
  untilSent,
} from '../../testkit/fediverse-site.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { until } from '../../testkit/waiting.ts'

/** What servers of the fediverse get, with servers that are written from the specifications. */

const site = await openFediverseSite(2)
const { url, admin, base, ada, actor, siteActor, others } = site
const db = workerDatabase(url)
const worker = await site.work()

/** An inbox that nobody else uses, with a follower of an actor. */
async function followed(whom = actor, host = 0): Promise<string> {
  const inbox = others.inbox(randomUUID(), host)
  await follow(admin, whom, [inbox])
  return inbox
}

/** Nothing is sent meanwhile, and everything is ordered before something is. */
async function whileNothingIsSent(act: () => Promise<unknown>): Promise<void> {
  await admin.query(
    `insert into app.fediverse_hosts as h (host, rests_until) select host, now() + interval '1 day' from unnest($1::text[]) host
     on conflict (host) do update set rests_until = excluded.rests_until`,
    [others.hosts],
  )
  await act()
  await until(async () => {
    const { rows } = await admin.query(
      `select (select count(*) from app.fediverse_changes)
            + (select count(*) from app.fediverse_activities where not is_expanded) as left_over`,
    )
    return Number(rows[0].left_over) === 0
  }, 'everything is ordered')
  await admin.query('update app.fediverse_hosts set ready_at = clock_timestamp(), rests_until = null')
}

const typesAt = (inbox: string) => others.of(inbox).map(({ activity }) => activity.type)
const object = (piece: string, number = 0) => `${base}/fediverse/pieces/${piece}${number ? `?${number}` : ''}`
const dueUntil = (condition: () => boolean, what: string) =>
  until(async () => {
    await makeDeliveriesDue(admin)
    return condition()
  }, what)

describe('a piece', () => {
  test('is sent when it is published, changed and unpublished, once each, signed by its author', async () => {
    const inbox = await followed()
    const piece = await makePiece(admin, ada, { headline: 'News', sub: 'In short' })
    const [{ activity }] = (await others.activities(inbox, 1)) as [(typeof others.received)[0]]
    assert.equal(activity.type, 'Create')
    assert.equal(activity.actor, `${base}/fediverse/actors/${actor}`)
    assert.deepEqual(
      [activity.object.id, activity.object.type, activity.object.name],
      [object(piece), 'Article', 'News'],
    )
    await site.update(piece, { headline: 'News, changed' })
    await others.activities(inbox, 2)
    await unpublish(admin, ada, piece)
    await others.activities(inbox, 3)
    await untilSent(admin)
    assert.deepEqual(typesAt(inbox), ['Create', 'Update', 'Delete'])
    const [, update, gone] = others.of(inbox).map((one) => one.activity)
    assert.equal(update!.object.name, 'News, changed')
    assert.deepEqual([gone!.object.id, gone!.object.type], [object(piece), 'Tombstone'])
    assert.equal(new Set(others.of(inbox).map((one) => one.activity.id)).size, 3)
    assert.deepEqual(others.refused, [])
  })

  test('that is published again after its Delete is another object', async () => {
    const inbox = await followed()
    const piece = await makePiece(admin, ada)
    await others.activities(inbox, 1)
    await unpublish(admin, ada, piece)
    await others.activities(inbox, 2)
    await publish(admin, ada, piece)
    await others.activities(inbox, 3)
    await unpublish(admin, ada, piece)
    await others.activities(inbox, 4)
    assert.deepEqual(
      others.of(inbox).map((one) => [one.activity.type, one.activity.object.id]),
      [
        ['Create', object(piece)],
        ['Delete', object(piece)],
        ['Create', object(piece, 1)],
        ['Delete', object(piece, 1)],
      ],
    )
  })

  test('that changes before it is sent is sent once, as it is then; one that was taken back is not sent', async () => {
    const inbox = await followed()
    let [kept, gone] = ['', '']
    await whileNothingIsSent(async () => {
      kept = await makePiece(admin, ada, { headline: 'Before' })
      await site.update(kept, { headline: 'After' })
      gone = await makePiece(admin, ada, { headline: 'Taken back' })
      await unpublish(admin, ada, gone)
    })
    await untilSent(admin)
    assert.deepEqual(
      others.of(inbox).map((one) => [one.activity.type, one.activity.object.name]),
      [['Create', 'After']],
    )
  })

  test('that is unpublished while its Create is under way is deleted after it, not before', async () => {
    const inbox = await followed()
    const waiting: ServerResponse[] = []
    others.behave(inbox, (_request, response) => void waiting.push(response))
    const piece = await makePiece(admin, ada)
    await until(() => waiting.length === 1, 'the Create is under way')
    await unpublish(admin, ada, piece)
    await until(
      async () =>
        (await admin.query("select from app.fediverse_activities where kind = 'delete' and is_expanded")).rowCount,
      'the Delete is ordered',
    )
    assert.equal(waiting.length, 1)
    others.behave(inbox, undefined)
    waiting[0]!.writeHead(202).end()
    await untilSent(admin)
    assert.deepEqual(typesAt(inbox), ['Delete'])
  })

  test('whose Create may have arrived is sent as it was ordered and then changed', async () => {
    const inbox = await followed()
    let tries = 0
    others.behave(inbox, (request) => {
      tries += 1
      request.socket.destroy()
    })
    const piece = await makePiece(admin, ada, { headline: 'First' })
    await until(() => tries === 1, 'the Create was lost')
    await site.update(piece, { headline: 'Second' })
    await until(async () => (await admin.query('select from app.fediverse_changes')).rowCount === 0, 'it is ordered')
    others.behave(inbox, undefined)
    await dueUntil(() => typesAt(inbox).length === 2, 'both have arrived')
    await untilSent(admin)
    assert.deepEqual(
      others.of(inbox).map((one) => [one.activity.type, one.activity.object.name]),
      [
        ['Create', 'Second'],
        ['Update', 'Second'],
      ],
    )
  })

  test('is sent by the site where its author has no actor, and shown by the site where they have one', async () => {
    const bo = await makeWriter(admin)
    const inbox = await followed(siteActor)
    const [theirs, hers] = [await makePiece(admin, bo), await makePiece(admin, ada)]
    await others.activities(inbox, 2)
    await unpublish(admin, ada, hers)
    await unpublish(admin, bo, theirs)
    await others.activities(inbox, 4)
    await untilSent(admin)
    const met = others
      .of(inbox)
      .map(({ activity }) => [activity.type, activity.actor.slice(-36), activity.object.id ?? activity.object])
    assert.deepEqual(met.slice(0, 2).sort(), [
      ['Announce', siteActor, object(hers)],
      ['Create', siteActor, object(theirs)],
    ])
    assert.deepEqual(
      met.slice(2).sort(),
      [
        ['Delete', actor, object(hers)],
        ['Delete', siteActor, object(theirs)],
      ].sort(),
    )
  })

  test('of an author whose actor is off is not sent by it', async () => {
    const cy = await makeWriter(admin)
    const off = await makeActor(admin, cy.id)
    await admin.query('update app.fediverse_actors set is_on = false where id = $1', [off])
    const inbox = await followed(off)
    await makePiece(admin, cy)
    await untilSent(admin)
    assert.deepEqual(others.of(inbox), [])
  })
})

describe('an inbox', () => {
  test('that many followers share gets an activity once', async () => {
    const inbox = others.inbox(randomUUID())
    await follow(admin, actor, [inbox], { each: 7 })
    await makePiece(admin, ada)
    await others.activities(inbox, 1)
    await untilSent(admin)
    assert.equal(others.of(inbox).length, 1)
  })

  test('of a follower who has left gets no new pieces, and is asked to delete those that it got', async () => {
    const inbox = await followed()
    const piece = await makePiece(admin, ada)
    await others.activities(inbox, 1)
    await admin.query('delete from app.fediverse_followers where shared_inbox = $1', [inbox])
    await makePiece(admin, ada)
    await unpublish(admin, ada, piece)
    await others.activities(inbox, 2)
    await untilSent(admin)
    assert.deepEqual(typesAt(inbox), ['Create', 'Delete'])
  })

  test('whose server was dead for a day gets everything that counts when it is back, and nothing twice', async () => {
    const inbox = await followed(actor, 1)
    others.behave(inbox, (request) => request.socket.destroy())
    const first = await makePiece(admin, ada, { headline: 'First' })
    const second = await makePiece(admin, ada, { headline: 'Second' })
    const third = await makePiece(admin, ada, { headline: 'Third' })
    await until(async () => {
      await makeDeliveriesDue(admin)
      const { rowCount } = await admin.query(
        'select from app.fediverse_deliveries where inbox = $1 and attempts >= 3',
        [inbox],
      )
      return rowCount === 3
    }, 'each was tried again and again')
    await site.update(first, { headline: 'First, changed' })
    await unpublish(admin, ada, second)
    others.behave(inbox, undefined)
    await dueUntil(() => typesAt(inbox).includes('Delete') && typesAt(inbox).length >= 4, 'all has arrived')
    await dueUntil(() => typesAt(inbox).includes('Update'), 'the change too')
    await untilSent(admin)
    const of = (piece: string) =>
      others
        .of(inbox)
        .filter((one) => one.activity.object.id === object(piece))
        .map((one) => one.activity.type)
    assert.deepEqual(of(first), ['Create', 'Update'])
    assert.deepEqual(of(second), ['Delete'])
    assert.deepEqual(of(third), ['Create'])
  })

  test('that has answered 410 for days ends: nobody follows from there any more', async () => {
    const inbox = await followed()
    let tries = 0
    others.behave(inbox, (_request, response) => {
      tries += 1
      response.writeHead(410).end()
    })
    await makePiece(admin, ada)
    const followers = async () =>
      (await admin.query('select from app.fediverse_followers where shared_inbox = $1', [inbox])).rowCount
    await until(() => tries === 1)
    assert.equal(await followers(), 1)
    await dueUntil(() => tries === 10, 'it was tried for three days')
    await until(async () => (await followers()) === 0, 'it has ended')
    others.behave(inbox, undefined)
    await makePiece(admin, ada)
    await untilSent(admin)
    assert.equal(tries, 10)
    assert.deepEqual(others.of(inbox), [])
  })

  test('on a blocked server, or below a blocked domain, gets nothing, also of what waits', async () => {
    const inbox = await followed(actor, 1)
    let tries = 0
    others.behave(inbox, (request) => {
      tries += 1
      request.socket.destroy()
    })
    await makePiece(admin, ada)
    await until(() => tries === 1)
    await admin.query("insert into app.blocked_servers (host) values ('127.0.1.2')")
    others.behave(inbox, undefined)
    await makeDeliveriesDue(admin)
    await makePiece(admin, ada)
    await untilSent(admin)
    assert.deepEqual(others.of(inbox), [])
    const { rows } = await admin.query(
      "select app.is_blocked_server('127.0.1.2') as host, app.is_blocked_server('one.127.0.1.2:80') as below, app.is_blocked_server('a127.0.1.2') as other",
    )
    assert.deepEqual(rows[0], { host: true, below: true, other: false })
    await admin.query('delete from app.blocked_servers')
  })
})

describe('a signature', () => {
  test('of the other kind is tried where one is refused, and first from then on', async () => {
    const inbox = await followed(actor, 1)
    await makePiece(admin, ada)
    await dueUntil(() => others.of(inbox).length === 1, 'it has arrived')
    others.accept(1, ['rfc9421'])
    await makePiece(admin, ada)
    await dueUntil(() => others.of(inbox).length === 2, 'it has arrived')
    await untilSent(admin)
    const { rows } = await admin.query('select signature from app.fediverse_hosts where host = $1', [others.hosts[1]])
    assert.equal(rows[0].signature, 'rfc9421')
    others.accept(1, ['draft-cavage', 'rfc9421'])
    await makePiece(admin, ada)
    await dueUntil(() => others.of(inbox).length === 3, 'it has arrived')
    assert.deepEqual(
      others.of(inbox).map(({ signature }) => signature),
      ['draft-cavage', 'rfc9421', 'rfc9421'],
    )
    assert.deepEqual(others.refused, [])
  })

  test('with a key that cannot be decrypted is not made: it waits until the key is there', async () => {
    const cy = await makeWriter(admin)
    const own = await makeActor(admin, cy.id)
    const { rows } = await admin.query('select private_key from app.fediverse_actors where id = $1', [own])
    await admin.query("update app.fediverse_actors set private_key = 'sealed with another key' where id = $1", [own])
    const inbox = await followed(own)
    await makePiece(admin, cy)
    await until(
      async () =>
        (
          await admin.query(
            'select from app.fediverse_deliveries where inbox = $1 and attempts > 0 and lease_token is null',
            [inbox],
          )
        ).rowCount,
    )
    await admin.query('update app.fediverse_actors set private_key = $2 where id = $1', [own, rows[0].private_key])
    await dueUntil(() => others.of(inbox).length === 1, 'it has arrived')
  })
})

test('an activity that is ordered as a document is sent as it is, to the inboxes named or to all followers', async () => {
  const [one, other] = [await followed(), await followed()]
  const order = (kind: string, document: object, inboxes: string[] | null) =>
    admin.query('select app.order_fediverse_activity($1, $2, null, $3, $4)', [actor, kind, document, inboxes])
  const own = `${base}/fediverse/actors/${actor}`
  await order('accept', { type: 'Accept', actor: own, object: 'a follow' }, [one])
  await others.activities(one, 1)
  await order('update_actor', { id: `${own}#updated`, type: 'Update', actor: own, object: own }, null)
  await others.activities(one, 2)
  await others.activities(other, 1)
  await untilSent(admin)
  assert.deepEqual(typesAt(one), ['Accept', 'Update'])
  assert.deepEqual(typesAt(other), ['Update'])
  assert.match(others.of(one)[0]!.activity.id, /\/fediverse\/activities\/[\da-f-]{36}$/)
  assert.equal(others.of(one)[1]!.activity.id, `${own}#updated`)
})

describe('an author', () => {
  test('who has another name and address is the same actor, and followers see the new one', async () => {
    const cy = await makeWriter(admin, { slug: 'cy', name: 'Cy' })
    const own = await makeActor(admin, cy.id)
    const inbox = await followed(own)
    await inTransaction(admin, (client) => renameWriter(client, 'cy', 'cyrus'))
    await makePiece(admin, cy)
    await dueUntil(() => typesAt(inbox).length >= 2, 'both have arrived')
    await untilSent(admin)
    const [update] = others.of(inbox).filter(({ activity }) => activity.type === 'Update')
    assert.equal(update!.activity.object.id, `${base}/fediverse/actors/${own}`)
    assert.equal(update!.activity.object.preferredUsername, 'cyrus')
    assert.deepEqual(typesAt(inbox).sort(), ['Create', 'Update'])
  })

  test('who closes the account is deleted where they had followers, with all pieces, and then forgotten', async () => {
    const cy = await makeWriter(admin)
    const own = await makeActor(admin, cy.id)
    const inbox = await followed(own)
    const piece = await makePiece(admin, cy)
    await dueUntil(() => others.of(inbox).length === 1, 'the piece has arrived')
    await admin.query(
      "update app.accounts set delete_asked_at = now(), delete_at = now() + interval '1 day' where id = $1",
      [cy.accountId],
    )
    await deleteNow(admin, url, cy.accountId)
    await dueUntil(() => others.of(inbox).length === 3, 'all is deleted')
    await untilSent(admin)
    const gone = others
      .of(inbox)
      .slice(1)
      .map(({ activity }) => [activity.type, activity.object.id ?? activity.object])
    assert.deepEqual(
      gone.sort(),
      [
        ['Delete', `${base}/fediverse/actors/${own}`],
        ['Delete', object(piece)],
      ].sort(),
    )
    await sweepFediverseDeliveries(db)
    const left = await admin.query(
      `select (select count(*)::integer from app.fediverse_actors where id = $1) as actors,
              (select count(*)::integer from app.fediverse_deliveries where inbox = $2) as deliveries`,
      [own, inbox],
    )
    assert.deepEqual(left.rows, [{ actors: 0, deliveries: 0 }])
  })
})

describe('a worker that ends in the middle', () => {
  test('loses nothing: another takes over what it had when its lease is over, and it changes nothing any more', async () => {
    await admin.query('delete from app.fediverse_followers')
    const inbox = await followed()
    await worker.stop()
    await makePiece(admin, ada, { headline: 'Half-way' })
    while (await expandFediverseChanges(db));
    const claimed = await claimFediverseDeliveries(db, { healthy: 50, failing: 50 })
    assert.ok(claimed.some((one) => one.inbox === inbox))
    const again = await claimFediverseDeliveries(db, { healthy: 50, failing: 50 })
    assert.ok(!again.some(({ id }) => claimed.some((one) => one.id === id)), 'nobody else has it meanwhile')
    assert.deepEqual(others.of(inbox), [])
    const other = await site.work()
    await expireLeases(admin)
    await dueUntil(() => others.of(inbox).length === 1, 'it has arrived')
    await untilSent(admin)
    await other.stop()
    const state = async () =>
      (await admin.query('select id, has, activity_id, due_at, attempts from app.fediverse_deliveries order by id'))
        .rows
    const before = await state()
    await settleFediverseDeliveries(
      db,
      claimed.map(({ id, lease_token: token, activity_id: activity, kind }) => ({
        id,
        token,
        activity,
        kind,
        outcome: 'ended',
        is_up: false,
      })),
    )
    assert.deepEqual(await state(), before)
    assert.equal(others.of(inbox).length, 1)
  })
})
