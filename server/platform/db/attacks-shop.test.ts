import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRows, attempt, hash, makeAttackSite, noRight, noRow, through } from '../../../testkit/attacks.ts'
import { makeProduct, makeProductDraft } from '../../../testkit/factories.ts'

/** SQL attacks, as in attacks.test.ts, on the promise "only a person at the desk makes a listing public". */

const site = await makeAttackSite()
const { url, admin, me, other, barred, expired, revoked, acting } = site

const products = {
  draft: await makeProductDraft(admin, me, { name: 'Mine, unfinished' }),
  live: await makeProduct(admin, me, { name: 'Mine, listed' }),
  theirs: await makeProductDraft(admin, other, { name: 'Theirs, unfinished' }),
  theirLive: await makeProduct(admin, other, { name: 'Theirs, listed' }),
}
const { draft, live, theirs, theirLive } = products
await admin.query(
  "insert into app.media (hash, writer_id, type, width, height, bytes) values ($1, $2, 'image/webp', 1, 1, 1)",
  ['b'.repeat(64), other.id],
)

const listing = (product: string, token: string | null, revision: number | null = 1) =>
  `select app.desk_list_product('${product}', ${hash(token)}, ${revision}, 'a-slug', 'name', 'text')`
const updating = (product: string, token: string | null, revision: number | null = 1) =>
  `select app.desk_update_product('${product}', ${hash(token)}, ${revision}, 'name', 'text')`
const withdrawing = (product: string, token: string | null) =>
  `select app.desk_withdraw_product('${product}', ${hash(token)})`
const ordering = (token: string | null, ...ids: string[]) =>
  `select app.desk_order_products(${hash(token)}, array['${ids.join("', '")}']::uuid[])`

const withholding = (reason: string) => `select app.withhold_product('mine-listed', ${reason})`

/** Columns that decide whether a listing is public, with the values an attacker would set. */
const guarded = {
  status: "'listed'",
  slug: "'s'",
  first_listed_at: 'now()',
  listed_revision: '1',
  revision: '9',
  position: '9',
  listed_related: "'{}'",
  withheld: 'null',
}

const token = me.sessionToken
const values = `values ('${me.id}', 'n', 'https://a.test'`
const nobody = 'nobody at all'

const attacks: [name: string, as: string, sql: string, outcome: string][] = [
  ...['svc_public', 'svc_api', 'svc_worker'].flatMap((role): typeof attacks => [
    [`${role} cannot list a product, were all else right`, role, listing(draft, token), noRight],
    [`${role} cannot update a listing`, role, updating(live, token), noRight],
    [`${role} cannot withdraw a listing`, role, withdrawing(live, token), noRight],
    [`${role} cannot order a shop`, role, ordering(token, draft, live), noRight],
    [`${role} cannot take a listing out of the shop`, role, withholding("'spam'"), noRight],
    [`${role} cannot allow a listing`, role, withholding('null'), noRight],
    [
      `${role} cannot add a product`,
      role,
      `insert into app.products (writer_id, name, payment_url) ${values})`,
      noRight,
    ],
    [`${role} cannot change a product`, role, "update app.products set name = 'n'", noRight],
    [`${role} cannot delete a product`, role, 'delete from app.products', noRight],
  ]),
  ...Object.entries(guarded).flatMap(([column, value]): typeof attacks => [
    [
      `the desk cannot add a product with ${column}`,
      'svc_desk',
      `insert into app.products (writer_id, name, payment_url, ${column}) ${values}, ${value})`,
      noRight,
    ],
    [
      `the desk cannot set ${column}`,
      'svc_desk',
      `update app.products set ${column} = ${value} where id = '${draft}'`,
      noRight,
    ],
  ]),
  ...(['status', 'slug', 'first_listed_at', 'position'] as const).map((column): (typeof attacks)[number] => [
    `a superuser cannot set ${column}`,
    'superuser',
    `update app.products set ${column} = ${guarded[column]} where id = '${draft}'`,
    noRight,
  ]),
  ['the desk cannot give a listing away', 'svc_desk', `update app.products set writer_id = '${other.id}'`, noRight],
  [
    'the desk cannot add for another writer',
    'svc_desk',
    `insert into app.products (writer_id, name, payment_url) values ('${other.id}', 'n', 'https://a.test')`,
    'SF401',
  ],
  [
    'the desk cannot add for nobody',
    'svc_desk',
    `set app.session_hash = ''; insert into app.products (writer_id, name, payment_url) ${values})`,
    'SF401',
  ],
  [
    'the desk cannot overwrite another’s',
    'svc_desk',
    `insert into app.products (id, writer_id, name, payment_url) values ('${theirs}', '${me.id}', 'n', 'https://a.test') on conflict (id) do update set name = 'n'`,
    noRight,
  ],
  ['the desk cannot read another’s', 'svc_desk', `select id from app.products where writer_id <> '${me.id}'`, noRow],
  ['the desk cannot change another’s', 'svc_desk', `update app.products set name = 'n' where id = '${theirs}'`, noRow],
  ['the desk cannot delete another’s', 'svc_desk', `delete from app.products where id = '${theirs}'`, noRow],
  ['the desk cannot delete what is listed', 'svc_desk', `delete from app.products where id = '${live}'`, noRow],
  ['the desk reads nothing for nobody', 'svc_desk', "set app.session_hash = ''; select id from app.products", noRow],
  ['the desk cannot empty the shop', 'svc_desk', 'truncate app.products cascade', noRight],
  [
    'the desk cannot name a picture of another',
    'svc_desk',
    `update app.products set image = '${'b'.repeat(64)}' where id = '${draft}'`,
    'SF404',
  ],
  [
    'the desk cannot send buyers to http',
    'svc_desk',
    `update app.products set payment_url = 'http://a.test' where id = '${draft}'`,
    '23514',
  ],
  [
    'the desk cannot add to the trail',
    'svc_desk',
    `insert into app.product_audit (act, product_id, writer_id, revision, from_status, to_status) values ('list', '${draft}', '${me.id}', 1, 'draft', 'listed')`,
    noRight,
  ],
  [
    'the desk cannot copy to the public wing by itself',
    'svc_desk',
    `select app.copy_product(p, 's', now(), 'n', 't') from app.products p where id = '${draft}'`,
    noRight,
  ],
  [
    'the desk cannot take an address by itself',
    'svc_desk',
    `select app.keep_product_slug(p, 's') from app.products p where p.id = '${draft}'`,
    noRight,
  ],
  ['the desk cannot read the public wing of the shop', 'svc_desk', 'select id from pub.products', noRight],
  ['nothing is listed without a session', 'svc_desk', listing(draft, null), 'SF401'],
  ['nothing is listed in a session that never was', 'svc_desk', listing(draft, nobody), 'SF401'],
  ['nothing is listed with the id of a session', 'svc_desk', listing(draft, me.sessionId), 'SF401'],
  ['nothing is listed in an expired session', 'svc_desk', listing(draft, expired.token), 'SF401'],
  ['nothing is listed in a revoked session', 'svc_desk', listing(draft, revoked.token), 'SF401'],
  ['nothing is listed by a disabled account', 'svc_desk', listing(draft, barred.sessionToken), 'SF401'],
  ['nothing is listed in another writer’s session', 'svc_desk', listing(draft, other.sessionToken), 'SF404'],
  ['another’s draft is not listed', 'svc_desk', listing(theirs, token), 'SF404'],
  ['what never was is not listed', 'svc_desk', listing(me.id, token), 'SF404'],
  ['what is listed is not listed again', 'svc_desk', listing(live, token), 'SF409'],
  ['nothing is listed without the revision that was seen', 'svc_desk', listing(draft, token, null), 'SF412'],
  ['no other revision is listed', 'svc_desk', listing(draft, token, 2), 'SF412'],
  ['another’s listing is not updated', 'svc_desk', updating(theirLive, token), 'SF404'],
  ['nothing is updated without a session', 'svc_desk', updating(live, null), 'SF401'],
  ['a draft is not updated in public', 'svc_desk', updating(draft, token), 'SF409'],
  ['no other revision becomes public by an update', 'svc_desk', updating(live, token, 2), 'SF412'],
  ['nothing becomes public by an update without a revision', 'svc_desk', updating(live, token, null), 'SF412'],
  ['another’s listing is not withdrawn', 'svc_desk', withdrawing(theirLive, token), 'SF404'],
  ['nothing is withdrawn without a session', 'svc_desk', withdrawing(live, null), 'SF401'],
  ['a draft is not withdrawn', 'svc_desk', withdrawing(draft, token), 'SF409'],
  ['another’s shop is not ordered', 'svc_desk', ordering(token, theirs, theirLive), 'SF400'],
  ['nothing is ordered with another’s listing', 'svc_desk', ordering(token, live, draft, theirLive), 'SF400'],
  ['a shop is not ordered in part', 'svc_desk', ordering(token, live), 'SF400'],
  ['a shop is not ordered without a session', 'svc_desk', ordering(null, live, draft), 'SF401'],
  ['the owner of the tables cannot read a listing', 'svc_owner', 'select id from app.products', noRow],
  [
    'a superuser cannot add a public listing',
    'superuser',
    `insert into app.products (writer_id, name, payment_url, status, slug, first_listed_at, listed_revision) ${values}, 'listed', 's', now(), 1)`,
    noRight,
  ],
  [
    'a superuser cannot list while replicating',
    'superuser',
    `set session_replication_role = replica; update app.products set status = 'listed', listed_revision = 1, slug = 's', first_listed_at = now() where id = '${draft}'`,
    noRight,
  ],
  [
    'a superuser cannot write the public shop while replicating',
    'superuser',
    "set session_replication_role = replica; update pub.products set name = 'n'",
    noRight,
  ],
  ['a superuser cannot delete what is listed', 'superuser', `delete from app.products where id = '${live}'`, noRight],
  ['a superuser cannot truncate the shop', 'superuser', 'truncate app.products cascade', noRight],
  ['a superuser cannot change the trail', 'superuser', "update app.product_audit set act = 'none'", noRight],
  ['the desk cannot take a listing out of the shop by itself', 'svc_desk', withholding("'spam'"), noRight],
  ['the desk cannot allow a listing', 'svc_desk', withholding('null'), noRight],
  ['a superuser cannot write a reason into the trail', 'superuser', "update app.product_audit set note = 'x'", noRight],
  [
    'a superuser cannot keep a listing from its writer without a trail',
    'superuser',
    `update app.products set withheld = 'x' where id = '${draft}'`,
    noRight,
  ],
  ['a superuser cannot delete from the trail', 'superuser', 'delete from app.product_audit', noRight],
]

const before = await allRows(admin)

for (const [name, as, sql, outcome] of attacks) {
  test(name, async () => assert.equal(await attempt(url, as, sql, acting), outcome))
}

test('after every attack, each row of both wings is what it was', async () => {
  assert.deepEqual(
    before['pub.products']!.map((row) => /listed/.test(row)),
    [true, true],
  )
  assert.deepEqual(await allRows(admin), before)
})

test('what was refused to all others the desk does, and each act leaves a row of the trail', async () => {
  for (const sql of [
    listing(draft, token),
    updating(draft, token),
    withdrawing(draft, token),
    ordering(token, live, draft),
  ])
    assert.equal(await attempt(url, 'svc_desk', sql, acting), through, sql)
  const { rows } = await admin.query(
    'select act, account_id, session_id, revision, from_status, to_status from app.product_audit where product_id = $1 order by id',
    [draft],
  )
  const who = { account_id: me.accountId, session_id: me.sessionId, revision: 1 }
  assert.deepEqual(rows, [
    { act: 'list', ...who, from_status: 'draft', to_status: 'listed' },
    { act: 'update', ...who, from_status: 'listed', to_status: 'listed' },
    { act: 'withdraw', ...who, from_status: 'listed', to_status: 'draft' },
  ])
})
