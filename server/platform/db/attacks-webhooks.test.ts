import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRows, attempt, hash, makeAttackSite, noRight, noRow, signing, through } from '../../../testkit/attacks.ts'

/**
 * SQL attacks, as in attacks.test.ts, on the promises about webhooks: nothing unpublished is sent, and no secret is
 * read.
 */

const site = await makeAttackSite()
const { url, admin, me, other, barred, expired, revoked, pieces, nonces, acting } = site

const sealed = `'\\x${'ab'.repeat(80)}'::bytea`
for (const [writer, state] of [
  [me, 'live'],
  [other, 'live'],
] as const) {
  await admin.query(
    `insert into app.webhooks (writer_id, url, state, secret, secret_hint, former_secret, former_until, live_since)
     values ($1, 'https://hook.example/', $2, ${sealed}, '…abcd', ${sealed}, now() + interval '1 day', now())`,
    [writer.id, state],
  )
}
/** State after something was published, or is being sent. */
async function delivery(writer: string, piece: string, state: string, lease?: string): Promise<string> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body, due_at, attempts, tries, lease_token, leased_at)
     values ($1, 'piece.published', $2, 1, $3, '{"title":"CANARY"}', now() + interval '1 hour', 1, 1, $4, case when $4::uuid is not null then now() end)
     returning id`,
    [writer, piece, state, lease ?? null],
  )
  return rows[0]!.id
}
const leases = { mine: '00000000-0000-4000-8000-000000000001', theirs: '00000000-0000-4000-8000-000000000002' }
const mine = {
  done: await delivery(me.id, pieces.live, 'delivered'),
  underWay: await delivery(me.id, pieces.live, 'pending', leases.mine),
  waiting: await delivery(me.id, pieces.live, 'pending'),
}
const theirs = {
  done: await delivery(other.id, pieces.theirs, 'delivered'),
  underWay: await delivery(other.id, pieces.theirs, 'pending', leases.theirs),
}
await admin.query(
  `insert into app.delivery_attempts (delivery_id, attempt, writer_id, at, url, answer) values ($1, 1, $2, now(), 'https://hook.example/', 'CANARY')`,
  [theirs.done, other.id],
)

const token = me.sessionToken
const nobody = 'nobody at all'

const saving = (session: string | null) =>
  `select app.desk_set_webhook(${hash(session)}, 'https://evil.example/', ${sealed}, '…evil')`
const pinging = (session: string | null) => `select app.desk_ping(${hash(session)}, gen_random_uuid(), '{}')`
const rotating = (session: string | null) =>
  `select app.desk_rotate_webhook(${hash(session)}, ${sealed}, '…evil', interval '0', true)`
const moving = (act: string, session: string | null) => `select app.desk_${act}_webhook(${hash(session)})`
const resending = (session: string | null, id: string) =>
  `select app.desk_resend(${hash(session)}, '${id}', null, null, false)`
const settling = (id: string, lease: string | null, more = '') =>
  `select app.settle_deliveries('[{"id":"${id}","token":${lease === null ? 'null' : `"${lease}"`},"attempt":1,"ms":1,"url":"x","status":200${more}}]')`

const acts = {
  'give an address': saving,
  ping: pinging,
  'rotate a secret': rotating,
  'pause a webhook': (session: string | null) => moving('pause', session),
  'resume a webhook': (session: string | null) => moving('resume', session),
  'remove a webhook': (session: string | null) => moving('remove', session),
  resend: (session: string | null) => resending(session, mine.done),
}
const ordering = `insert into app.deliveries (writer_id, event, piece_id, sequence, state, body) values ('${me.id}', 'piece.published', '${pieces.draft}', 1, 'pending', '{}')`
const rendering = "row('a-slug', 'Summary', '<p>Text</p>', 'Text', 'headline', '', 'text')::app.rendering"
const publishing = `select app.desk_publish('${pieces.draft}', ${hash(token)}, ${hash(nonces.good)}, ${rendering}); ${signing(pieces.draft)}`

type Attack = [name: string, as: string, sql: string, outcome: string]

const services = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']
const attacks: Attack[] = [
  ...services.flatMap((role): Attack[] => [
    [`${role} cannot read a sealed secret`, role, 'select secret from app.webhooks', noRight],
    [`${role} cannot read a former secret`, role, 'select former_secret from app.webhooks', noRight],
    [`${role} cannot read a whole webhook`, role, 'select w from app.webhooks w', noRight],
    [
      `${role} cannot add a webhook`,
      role,
      `insert into app.webhooks (writer_id, url, secret, secret_hint) values ('${me.id}', 'u', ${sealed}, 'h')`,
      noRight,
    ],
    [`${role} cannot move a webhook`, role, "update app.webhooks set url = 'https://evil.example/'", noRight],
    [`${role} cannot make a webhook live`, role, "update app.webhooks set state = 'live', proven_at = now()", noRight],
    [`${role} cannot delete a webhook`, role, 'delete from app.webhooks', noRight],
    [`${role} cannot order a delivery`, role, ordering, noRight],
    [`${role} cannot change what is sent`, role, `update app.deliveries set body = '{}'`, noRight],
    [
      `${role} cannot change where a delivery stands`,
      role,
      "update app.deliveries set state = 'pending', due_at = now()",
      noRight,
    ],
    [
      `${role} cannot take a lease by hand`,
      role,
      'update app.deliveries set lease_token = gen_random_uuid(), leased_at = now()',
      noRight,
    ],
    [`${role} cannot delete a delivery`, role, 'delete from app.deliveries', noRight],
    [
      `${role} cannot write the log`,
      role,
      `insert into app.delivery_attempts (delivery_id, attempt, writer_id, at, url) values ('${mine.done}', 9, '${me.id}', now(), 'u')`,
      noRight,
    ],
    [`${role} cannot rewrite the log`, role, "update app.delivery_attempts set answer = 'x'", noRight],
    [`${role} cannot empty the log`, role, 'truncate app.delivery_attempts, app.deliveries', noRight],
    [`${role} cannot count its publications`, role, 'update app.writers set published = 0', noRight],
    [`${role} cannot put anybody into the line`, role, `select app.line_up('${me.id}')`, noRight],
    [`${role} cannot hold deliveries by itself`, role, `select app.hold_deliveries('${me.id}')`, noRight],
    [`${role} cannot release deliveries by itself`, role, `select app.release_deliveries('${other.id}')`, noRight],
    [`${role} cannot lock a webhook by itself`, role, `select app.own_webhook(${hash(token)})`, noRight],
    [`${role} cannot call what orders`, role, 'select app.order_delivery()', noRight],
    [`${role} cannot call what cancels`, role, 'select app.cancel_deliveries()', noRight],
    [`${role} cannot disable what orders`, role, 'alter table app.pieces disable trigger order_delivery', noRight],
    [`${role} cannot disable what cancels`, role, 'alter table pub.pieces disable trigger cancel_deliveries', noRight],
  ]),
  ...['svc_public', 'svc_api'].flatMap((role): Attack[] => [
    [`${role} cannot read deliveries`, role, 'select id from app.deliveries', noRight],
    [`${role} cannot read the log`, role, 'select answer from app.delivery_attempts', noRight],
    [`${role} cannot read where a webhook is`, role, 'select url from app.webhooks', noRight],
  ]),
  ...['svc_public', 'svc_api', 'svc_worker'].flatMap((role): Attack[] => [
    ...Object.entries(acts).map(([name, sql]): Attack => [`${role} cannot ${name}`, role, sql(token), noRight]),
  ]),
  ...['svc_public', 'svc_api'].flatMap((role): Attack[] => [
    [`${role} cannot ask for what is to be filled`, role, `select app.delivery_to_fill('${pieces.live}')`, noRight],
    [`${role} cannot fill a delivery`, role, `select app.fill_delivery('${pieces.live}', '{}')`, noRight],
  ]),
  // It fills those of scheduled publications, each in the transaction that orders it.
  [
    'the worker finds no delivery to fill afterwards',
    'svc_worker',
    `select 1 where app.delivery_to_fill('${pieces.live}') is not null`,
    noRow,
  ],
  ['the worker fills none afterwards', 'svc_worker', `select app.fill_delivery('${pieces.live}', '{}')`, through],
  ...['svc_public', 'svc_api', 'svc_desk'].flatMap((role): Attack[] => [
    [`${role} cannot claim`, role, 'select * from app.claim_deliveries(64, false)', noRight],
    [`${role} cannot settle`, role, settling(mine.underWay, leases.mine), noRight],
    [`${role} cannot sweep`, role, 'select app.sweep_deliveries(1000)', noRight],
  ]),
  ...Object.entries(acts).flatMap(([name, sql]): Attack[] => [
    [`nobody can ${name} without a session`, 'svc_desk', sql(null), 'SF401'],
    [`nobody can ${name} in a session that never was`, 'svc_desk', sql(nobody), 'SF401'],
    [`nobody can ${name} in an expired session`, 'svc_desk', sql(expired.token), 'SF401'],
    [`nobody can ${name} in a revoked session`, 'svc_desk', sql(revoked.token), 'SF401'],
    [`nobody can ${name} from a disabled account`, 'svc_desk', sql(barred.sessionToken), 'SF401'],
  ]),
  [
    'the desk reads no webhook of another',
    'svc_desk',
    `select url from app.webhooks where writer_id <> '${me.id}'`,
    noRow,
  ],
  [
    'the desk reads no delivery of another',
    'svc_desk',
    `select body from app.deliveries where writer_id <> '${me.id}'`,
    noRow,
  ],
  [
    'the desk reads no log of another',
    'svc_desk',
    `select answer from app.delivery_attempts where writer_id <> '${me.id}'`,
    noRow,
  ],
  ['the desk reads nothing for nobody', 'svc_desk', "set app.session_hash = ''; select id from app.deliveries", noRow],
  [
    'what is written for a piece that orders nothing changes nothing',
    'svc_desk',
    `select app.fill_delivery('${pieces.live}', '{"title":"Something else"}')`,
    through,
  ],
  [
    'nor does what is written for another’s',
    'svc_desk',
    `select app.fill_delivery('${pieces.theirs}', '{"title":"Something else"}')`,
    through,
  ],
  ['nothing is published without what its webhook is told', 'svc_desk', publishing, '23000'],
  [
    'nothing longer than 1 MiB is told',
    'svc_desk',
    `begin; ${publishing}; select app.fill_delivery('${pieces.draft}', convert_to(repeat('a', 1048577), 'utf8')); commit`,
    '23514',
  ],
  [
    'a delivery of another is not resent: none is',
    'svc_desk',
    `select 1 where app.desk_resend(${hash(token)}, '${theirs.done}', null, null, false) > 0`,
    noRow,
  ],
  [
    'a range takes none of another’s along',
    'svc_desk',
    `select 1 where app.desk_resend(${hash(other.sessionToken)}, '${mine.done}', null, null, false) > 0`,
    noRow,
  ],
  [
    'what is under way is not resent',
    'svc_desk',
    `select 1 where app.desk_resend(${hash(token)}, '${mine.underWay}', null, null, false) > 0`,
    noRow,
  ],
  ['the worker cannot read a delivery beside its claims', 'svc_worker', 'select body from app.deliveries', noRight],
  ['the worker cannot read the log', 'svc_worker', 'select answer from app.delivery_attempts', noRight],
  [
    'the owner of the tables cannot order a delivery that has no body',
    'svc_owner',
    `insert into app.deliveries (writer_id, event, piece_id, sequence, state) values ('${me.id}', 'piece.published', '${pieces.draft}', 1, 'pending')`,
    '23000',
  ],
  [
    'a superuser cannot, nor while replicating',
    'superuser',
    `set session_replication_role = replica; insert into app.deliveries (writer_id, event, piece_id, sequence, state) values ('${me.id}', 'piece.published', '${pieces.draft}', 1, 'pending')`,
    '23000',
  ],
  [
    'what is cancelled keeps no bytes, whoever cancels',
    'superuser',
    `update app.deliveries set state = 'cancelled' where id = '${mine.done}'`,
    '23514',
  ],
]

const before = await allRows(admin)

for (const [name, as, sql, outcome] of attacks) {
  test(name, async () => assert.equal(await attempt(url, as, sql, acting), outcome))
}

test('after every attack, each row of both wings is what it was', async () => {
  assert.equal(before['app.deliveries']!.length, 5)
  assert.deepEqual(await allRows(admin), before)
})

test('a lease of another, of nobody, or of long ago ends no delivery', async () => {
  const rows = async () => (await allRows(admin))['app.deliveries']
  const were = await rows()
  for (const [id, lease] of [
    [mine.underWay, leases.theirs],
    [mine.underWay, null],
    [mine.waiting, leases.mine],
    [mine.waiting, null],
    [mine.done, null],
    [theirs.underWay, leases.mine],
  ] as const) {
    assert.equal(await attempt(url, 'svc_worker', `${settling(id, lease, ',"gone":true')}`, {}), noRow)
    assert.deepEqual(await rows(), were)
  }
  const { rows: webhooks } = await admin.query("select from app.webhooks where state <> 'live' or failures > 0")
  assert.deepEqual(webhooks, [])
})

test('what was refused to all others the writer does at the desk, and the worker with its lease', async () => {
  await admin.query('update app.deliveries set lease_token = null, leased_at = null where id = $1', [mine.waiting])
  assert.equal(await attempt(url, 'svc_worker', settling(mine.underWay, leases.mine), {}), noRow)
  const { rows } = await admin.query('select state from app.deliveries where id = $1', [mine.underWay])
  assert.deepEqual(rows, [{ state: 'delivered' }])
  for (const sql of [
    resending(token, mine.done),
    rotating(token),
    moving('pause', token),
    moving('resume', token),
    pinging(token),
    saving(token),
    moving('remove', token),
  ])
    assert.equal(await attempt(url, 'svc_desk', sql, acting), through, sql)
  assert.equal((await admin.query('select from app.webhooks')).rowCount, 1)
})

test('what orders and what cancels fires always, replication or not', async () => {
  const { rows } = await admin.query<{ name: string; enabled: string }>(
    `select tgrelid::regclass || ' ' || tgname as name, tgenabled as enabled from pg_trigger
      where tgname in ('order_delivery', 'guard_delivery', 'cancel_deliveries') order by 1`,
  )
  assert.deepEqual(rows, [
    { name: 'app.deliveries guard_delivery', enabled: 'A' },
    { name: 'app.pieces order_delivery', enabled: 'A' },
    { name: 'pub.pieces cancel_deliveries', enabled: 'A' },
  ])
})
