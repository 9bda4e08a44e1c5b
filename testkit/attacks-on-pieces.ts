import { type Attack, type AttackSite, by, hash, noRight, noRow } from './attacks.ts'
import { coAuthorAttacks } from './attacks-on-co-authors.ts'

/**
 * SQL attacks on the promises "drafts are private" and "no API call can make content public": a client with these roles
 * gets no further than this, whatever the code does.
 */

export const services = ['svc_public', 'svc_api', 'svc_desk', 'svc_worker']
const tables = (names: string): string[] => names.trim().split(/\s+/)
export const privateTables = tables(`
  accounts announcements api_keys audit blocked_servers challenges co_authors comments decisions deliveries
  delivery_attempts email_changes fediverse_activities fediverse_actors fediverse_changes fediverse_deliveries
  fediverse_followers fediverse_hosts fediverse_objects fediverse_reactions fediverse_received fediverse_server_days
  feed_changes feed_hosts feed_subscriptions feed_verifications follow_requests follower_days follower_import_rows
  follower_imports follows former_followers former_slugs front_page_saves idempotency imports invitations mail_domains
  mail_tokens media media_gone media_variants packed_revisions passkeys piece_media piece_reads piece_reads_daily
  piece_reads_hourly piece_sources pieces previews product_audit product_media product_slugs products provider_reports
  publish_nonces read_limits read_limits_even read_limits_odd read_marks read_marks_even read_marks_odd reader_emails
  reader_salts readers recent_revisions recovery_codes report_salts reports retired_slugs revision_names schedules
  security_events security_heads series series_pieces sessions sign_in_attempts sign_up_emails sources_cut
  suspended_rows suspensions translation_requests webhooks website_checks welcomes writer_audit writers`)
/** Some of it: a key and the desk read the rows of their own writer. */
const readable: Record<string, string[]> = {
  svc_api: tables('idempotency pieces'),
  svc_desk: tables(`
    audit co_authors deliveries delivery_attempts former_slugs imports packed_revisions piece_reads piece_reads_daily piece_sources pieces
    product_audit products recent_revisions revision_names schedules series series_pieces translation_requests webhooks website_checks
    writers`),
}
/** With a column of each that an attacker knows. */
const publicTables = {
  authors: 'id',
  former_slugs: 'slug',
  front_page_note: 'note',
  front_page_pins: 'piece_id',
  link_cards: 'title',
  media: 'hash',
  pieces: 'id',
  piece_co_authors: 'piece_id',
  piece_contents: 'html',
  piece_texts: 'body',
  piece_topics: 'name',
  products: 'name',
  receipt_keys: 'id',
  receipts: 'receipt',
  related: 'related',
  series: 'title',
  series_pieces: 'position',
  topics: 'name',
  trending: 'score',
}
/** Columns that decide whether a piece is public, with the values an attacker would set. */
const guarded = Object.entries({
  editor_status: "'approved'",
  slug: "'s'",
  first_published_at: 'now()',
  review_required: 'false',
  submitted_at: 'now()',
  revision: '1',
})

export const rendering = "row('a-slug', 'Summary', '<p>Text</p>', 'Text', 'headline', '', 'text')::app.rendering"
export const publishing = (piece: string, token: string | null, nonce: string | null, rendered = rendering) =>
  `select app.desk_publish('${piece}', ${hash(token)}, ${hash(nonce)}, ${rendered})`

const unpublishing = (piece: string, token: string | null) => `select app.desk_unpublish('${piece}', ${hash(token)})`

/** What a key and the desk may both try. Updates are of a draft that was public once: only its status hides it. */
const writerAttacks = ({ me, other, pieces: { draft, live, theirs, hidden } }: AttackSite): Attack[] =>
  ['svc_api', 'svc_desk'].flatMap((role) => [
    ...guarded.flatMap(([column, value]) =>
      by(role, noRight, {
        [`${role} cannot insert ${column}`]: `insert into app.pieces (writer_id, headline, body_md, ${column})
          values ('${me.id}', 'h', 'b', ${value})`,
        [`${role} cannot update ${column}`]: `update app.pieces set ${column} = ${value} where id = '${hidden}'`,
      }),
    ),
    ...by(role, noRight, {
      [`${role} cannot give a piece away`]: `update app.pieces set writer_id = '${other.id}' where id = '${draft}'`,
      [`${role} cannot write for another writer`]: `insert into app.pieces (writer_id, headline, body_md)
        values ('${other.id}', 'h', 'b')`,
      [`${role} cannot overwrite another writer's draft`]: `insert into app.pieces (id, writer_id, headline, body_md)
        values ('${theirs}', '${me.id}', 'h', 'b') on conflict (id) do update set headline = excluded.headline`,
      [`${role} cannot empty the table of pieces`]: 'truncate app.pieces cascade',
      [`${role} cannot delete a draft past the trash`]: `delete from app.pieces where id = '${draft}'`,
      [`${role} cannot delete a public piece`]: `delete from app.pieces where id = '${live}'`,
      [`${role} cannot put a piece in the trash without a trace`]: `update app.pieces set deleted_at = now()
        where id = '${draft}'`,
    }),
    ...by(role, noRow, {
      [`${role} cannot delete a public piece by the function`]: `select from app.delete_piece('${live}') as revision
        where revision is not null`,
      [`${role} cannot read another writer's drafts`]: `select id from app.pieces where writer_id <> '${me.id}'`,
      [`${role} cannot learn another writer's headline from an error`]: `select id from app.pieces
        where case when writer_id <> '${me.id}' then headline::integer > 0 end`,
      [`${role} cannot edit another writer's draft`]: `update app.pieces set headline = 'h' where id = '${theirs}'`,
      [`${role} cannot delete another writer's draft`]: `select from app.delete_piece('${theirs}') as revision
        where revision is not null`,
      [`${role} reads nothing for nobody`]:
        "set app.key_hash = ''; set app.session_hash = ''; select id from app.pieces",
      [`${role} reads nothing with a made-up credential`]: `set app.key_hash = '${'ab'.repeat(32)}';
        set app.session_hash = '${'ab'.repeat(32)}'; select id from app.pieces`,
    }),
  ])

const keyAttacks = ({ me, pieces: { live, draft } }: AttackSite): Attack[] => [
  ...by('svc_api', noRow, {
    'a key cannot edit its public piece': `update app.pieces set headline = 'h' where id = '${live}'`,
    'a key without the scope cannot edit a draft it did not make': `update app.pieces set headline = 'h'
      where id = '${draft}'`,
    'a key without the scope cannot read a draft it did not make': `select from app.draft_body('${draft}') as body
      where body is not null`,
  }),
  ...by('svc_api', 'SF403', {
    'a key without the scope cannot delete a draft it did not make': `select app.delete_piece('${draft}')`,
  }),
  ...by('svc_api', noRight, {
    'a key cannot list the trash': `select app.trash_of(sha256('x'), now(), '${draft}', 1)`,
    'a key cannot restore from the trash': `select app.restore_piece(sha256('x'), '${draft}')`,
    'a key cannot empty the trash': `select app.empty_trash(sha256('x'), null, 1)`,
    'a key cannot overwrite its public piece': `insert into app.pieces (id, writer_id, headline, body_md)
      values ('${live}', '${me.id}', 'h', 'b') on conflict (id) do update set headline = excluded.headline`,
  }),
]

const deskAttacks = ({ me, other, pieces: { draft, live } }: AttackSite): Attack[] =>
  by('svc_desk', noRight, {
    'the desk cannot hide a public piece by itself': `update app.pieces set editor_status = 'draft'
      where id = '${live}'`,
    'the desk cannot open a session': `insert into app.sessions (account_id, token_hash, expires_at)
      values ('${me.accountId}', sha256('x'), 'infinity')`,
    'the desk cannot read what passwords prove': 'select password_proof from app.accounts',
    'the desk cannot make a moderator': "update app.accounts set role = 'moderator'",
    'the desk cannot enable an account': 'update app.accounts set disabled_at = null',
    'the desk cannot take over a writer': `update app.writers set account_id = null where id = '${other.id}'`,
    'the desk cannot use a nonce twice': 'update app.publish_nonces set used_at = null',
    'the desk cannot add to the audit trail': `insert into app.audit
      (act, piece_id, writer_id, revision, from_status, to_status)
      values ('publish', '${draft}', '${me.id}', 1, 'draft', 'approved')`,
    'the desk cannot take from the audit trail': 'delete from app.audit',
    'the desk cannot number the audit trail': "select setval('app.audit_id_seq', 1)",
    'the desk cannot show an author by itself': `select app.show_author('${other.id}')`,
    'the desk cannot ask for a session by itself': `select app.signed_in(${hash(me.sessionToken)})`,
    'the desk cannot lock a piece by itself': `select app.locked_piece('${live}')`,
    'the desk cannot ask for a slug by itself': `select app.free_piece_slug('${me.id}', 's')`,
  })

function surfaceAttacks({ me, other, barred, expired, revoked, pieces, nonces }: AttackSite): Attack[] {
  const { draft, live, held, edited, theirs } = pieces
  const token = me.sessionToken
  const good = publishing(draft, token, nonces.good)
  return [
    ...by('svc_public', noRight, { 'a public surface cannot publish, were all else right': good }),
    ...by('svc_api', noRight, {
      'a key cannot publish, were all else right': good,
      'a key cannot unpublish, were all else right': unpublishing(live, token),
    }),
    ...by('svc_worker', noRight, { 'the worker cannot publish, were all else right': good }),
    ...by('svc_desk', 'SF401', {
      'nothing is published without a session': publishing(draft, null, nonces.good),
      'nothing is published in a session that never was': publishing(draft, 'guessed', nonces.good),
      'nothing is published with the id of a session': publishing(draft, me.sessionId, nonces.good),
      'nothing is published in an expired session': publishing(draft, expired.token, nonces.ofExpired),
      'nothing is published in a revoked session': publishing(draft, revoked.token, nonces.ofRevoked),
      'nothing is published by a disabled account': publishing(pieces.barred, barred.sessionToken, nonces.ofBarred),
      'nothing is unpublished without a session': unpublishing(live, null),
      'nothing is unpublished in a revoked session': unpublishing(live, revoked.token),
    }),
    ...by('svc_desk', 'SF404', {
      "nothing is published in another writer's session": publishing(draft, other.sessionToken, nonces.ofOther),
      "another writer's draft is not published": publishing(theirs, token, nonces.ofTheirs),
      'a piece that never was is not published': publishing(me.id, token, nonces.good),
      "nothing is unpublished in another writer's session": unpublishing(live, other.sessionToken),
    }),
    ...by('svc_desk', 'SF409', {
      'a public piece is not published again': publishing(live, token, nonces.ofLive),
      'a piece that needs a review is not published': publishing(held, token, nonces.ofHeld),
      'a draft is not unpublished': unpublishing(draft, token),
    }),
    ...by('svc_desk', 'SF412', {
      'nothing is published without a nonce': publishing(draft, token, null),
      'nothing is published with a nonce that never was': publishing(draft, token, 'guessed'),
      'nothing is published with a used nonce': publishing(draft, token, nonces.used),
      'nothing is published with an expired nonce': publishing(draft, token, nonces.late),
      'nothing is published with the nonce of another piece': publishing(draft, token, nonces.ofTheirs),
      'nothing is published with the nonce of another session': publishing(draft, token, nonces.ofOther),
      'nothing is published that was edited since it was shown': publishing(edited, token, nonces.ofEdited),
    }),
    ...by('svc_desk', '23514', {
      'nothing is published without its rendering': publishing(draft, token, nonces.good, 'null'),
    }),
  ]
}

/** From a connection that signed in as the service: tests leaving the role, not only entering it. */
const escapes: Record<string, string> = {
  'become the publisher': 'set role svc_publisher',
  'become the owner': 'set role svc_owner',
  'sign in as the publisher': 'set session authorization svc_publisher',
  'join the publisher': 'grant svc_publisher to current_user',
  'make itself a superuser': 'alter role current_user superuser',
  'pass by row security': 'alter role current_user bypassrls',
  'switch row security off': 'set row_security = off; select id from app.pieces',
  'take row security from pieces': 'alter table app.pieces disable row level security',
  'add a policy': 'create policy mine on app.pieces using (true)',
  'pose as replication': 'set session_replication_role = replica',
  'put a guard to sleep': 'alter table app.pieces disable trigger guard_status',
  'drop a guard': 'drop trigger guard_public on pub.pieces',
  'rewrite a guard':
    "create or replace function app.guard_status() returns trigger language plpgsql as 'begin return new; end'",
  'unpin the publishing function': 'alter function app.desk_publish reset search_path',
  'let everyone publish': 'grant execute on all functions in schema app to public',
  'shadow a table': 'create temp table sessions (id uuid)',
  'shadow a function': "create function pg_temp.sha256(bytea) returns bytea language sql as 'select $1'",
  'shadow a type': "create type pg_temp.uuid as enum ('me')",
  'build in the private schema': 'create table app.mine ()',
  'build in the public wing': 'create view pub.mine as select 1',
  'build in the hall': "create function public.lower(text) returns text language sql as 'select $1'",
  'build a wing': 'create schema mine',
  'change the server': "alter system set session_replication_role = 'replica'",
  'read a file': "select pg_read_file('/etc/passwd')",
  'import a file': "select lo_import('/etc/passwd')",
  'export a file': "select lo_export(0, '/tmp/mine')",
  'copy from a file': "copy app.pieces from '/etc/passwd'",
  'copy to a program': "copy (select 1) to program 'true'",
  'copy from a program': "copy app.pieces from program 'true'",
  'read passwords': 'select rolpassword from pg_authid',
}

/** Images: no function of the desk makes one public or shows another writer's, and a key may call none of them. */
const pictureAttacks = ({ me, other, pieces: { draft, theirs } }: AttackSite): Attack[] => {
  const picture = `'${'a'.repeat(64)}'`
  const own = hash(me.sessionToken)
  return [
    ...by('svc_desk', noRight, {
      'the desk cannot add a picture to the public wing': `insert into pub.media
        select ${picture}, '${draft}', '${me.id}', 'image/webp', 1`,
      'the desk cannot say that a piece names a picture': `insert into app.piece_media values ('${draft}', ${picture}, '${me.id}')`,
      'the desk cannot call what shows a profile': `select app.show_author('${me.id}')`,
    }),
    ...by('svc_desk', 'SF404', {
      'the desk cannot make a picture a portrait that is not theirs': `select app.set_portrait(${own}, ${picture}, 'https://a.test/media/' || ${picture})`,
      'the desk cannot upload for the piece of another': `select app.add_media(${own}, '${theirs}', ${picture}, 'image/webp', 1, 1, 1)`,
      'the desk cannot preview the piece of another': `select app.make_preview_page('${theirs}', ${own}, 1, ${hash('t')})`,
      'the desk cannot link to the piece of another': `select app.make_preview_link('${theirs}', ${own}, 1, ${hash('t')})`,
    }),
    ...by('svc_desk', 'SF401', {
      'nobody uploads without a session': `select app.add_media(${hash('none')}, null, ${picture}, 'image/webp', 1, 1, 1)`,
      'nobody links without a session': `select app.make_preview_link('${theirs}', ${hash('none')}, 1, ${hash('t')})`,
    }),
    ...by('svc_desk', noRow, {
      'nobody reads a preview without its token': `select * from app.previewed(${hash('none')})`,
      'nobody sees a picture of a preview without its token': `select * from app.previewed_media(${hash('none')}, ${picture})`,
      'the desk learns no sizes of the pictures of another': `select * from app.pictures_of('${theirs}', ${own})`,
      'the desk sees no picture of another': `select * from app.desk_media(${hash(other.sessionToken)}, ${picture})`,
    }),
    ...by('svc_api', noRight, {
      'a key cannot upload': `select app.add_media(${own}, null, ${picture}, 'image/webp', 1, 1, 1)`,
      'a key cannot make a portrait': `select app.set_portrait(${own}, null, null)`,
      'a key cannot make a link': `select app.make_preview_link('${draft}', ${own}, 1, ${hash('t')})`,
      'a key cannot read a preview': `select * from app.previewed(${hash('t')})`,
    }),
    ...by('superuser', noRight, {
      'a superuser cannot add a picture to the public wing while replicating': `set session_replication_role = replica;
        insert into pub.media select ${picture}, '${draft}', '${me.id}', 'image/webp', 1`,
    }),
  ]
}

/** Reads: a public surface can add to the counts of public pieces, and learns nothing of them. */
const readAttacks = ({ me, pieces: { draft, live, hidden } }: AttackSite): Attack[] => {
  const today = "(now() at time zone 'UTC')::date"
  const mark = `'${'0'.repeat(32)}'::uuid`
  const add = (piece: string, day = today) =>
    `select from pub.add_reads(${day}, array[${mark}], array['${piece}'::uuid], array[null::text], array[${mark}],
       array[${mark}], 60, 5) where counted > 0`
  return [
    ...by('svc_public', noRight, {
      'a public surface cannot read what a writer is told of their readers': `select reads from app.piece_reads where author_id = '${me.id}'`,
      'a public surface cannot set a count': 'update app.piece_reads set reads = 1000000',
      'a public surface cannot delete the marks of readers': 'delete from app.read_marks',
      'a public surface cannot lift the limit of a network': 'delete from app.read_limits',
      'a public surface cannot choose what is read most': `insert into pub.trending values ('7d', 1, 'life', 1, '${live}', 1)`,
      'a public surface cannot score': 'select app.score_trending()',
      'a public surface cannot sweep': 'select app.sweep_reads()',
      'a public surface cannot cut sources': 'select app.cut_sources()',
      'a public surface cannot forget readers': 'select app.forget_readers()',
      'a public surface cannot hold a piece': `select app.hold_pieces(array['${live}'::uuid])`,
    }),
    ...by('svc_public', noRow, {
      'a read of a draft counts for nothing': add(draft),
      'a read of what was public once counts for nothing': add(hidden),
      'a read of a day before yesterday counts for nothing': add(live, `${today} - 2`),
      'a read of tomorrow counts for nothing': add(live, `${today} + 1`),
    }),
    ...['svc_api', 'svc_desk', 'svc_worker'].flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot add reads`]: add(live),
        [`${role} cannot ask for the salt of readers`]: 'select * from pub.reader_salt()',
      }),
    ),
    ...by('svc_desk', noRight, {
      'the desk cannot add to its own counts': `insert into app.piece_reads values ('${live}', '${me.id}', 1000)`,
      'the desk cannot change its own counts': `update app.piece_reads_daily set reads = 1000 where author_id = '${me.id}'`,
      'the desk cannot score': 'select app.score_trending()',
    }),
    ...by('svc_desk', noRow, {
      "the desk cannot read another writer's counts": `select reads from app.piece_reads where author_id <> '${me.id}'`,
      "the desk cannot read where another writer's readers came from": `select source from app.piece_sources where author_id <> '${me.id}'`,
    }),
  ]
}

const roleAttacks = (): Attack[] =>
  services.flatMap((role) => [
    ...Object.entries(escapes).flatMap(([action, sql]) =>
      by(`${role} itself`, noRight, { [`${role} cannot ${action}`]: sql }),
    ),
    ...privateTables
      .filter((table) => !readable[role]?.includes(table))
      .flatMap((table) => by(role, noRight, { [`${role} cannot read app.${table}`]: `select from app.${table}` })),
  ])

/** Only the publishing functions write the public schema pub: not its owner, not a superuser. */
const publicSchemaAttacks = (): Attack[] =>
  [...services, 'svc_owner', 'superuser'].flatMap((role) =>
    Object.entries(publicTables).flatMap(([table, key]) =>
      by(role, noRight, {
        [`${role} cannot insert into pub.${table}`]: `insert into pub.${table} default values`,
        [`${role} cannot update pub.${table}`]: `update pub.${table} set ${key} = ${key}`,
        [`${role} cannot delete from pub.${table}`]: `delete from pub.${table}`,
        [`${role} cannot truncate pub.${table}`]: `truncate pub.${table} cascade`,
      }),
    ),
  )

const superuserAttacks = ({ me, other, pieces: { live, hidden } }: AttackSite): Attack[] =>
  by('superuser', noRight, {
    'a superuser cannot approve a draft': `update app.pieces set editor_status = 'approved' where id = '${hidden}'`,
    'a superuser cannot insert an approved piece': `insert into app.pieces
      (writer_id, headline, body_md, editor_status, slug, first_published_at)
      values ('${me.id}', 'h', 'b', 'approved', 's', now())`,
    'a superuser cannot approve while replicating': `set session_replication_role = replica;
      update app.pieces set editor_status = 'approved' where id = '${hidden}'`,
    'a superuser cannot fill the public wing while replicating': `set session_replication_role = replica;
      update pub.pieces set headline = 'h'`,
    'a superuser cannot copy into the public wing': "copy pub.pieces from '/dev/null'",
    'a superuser cannot merge into the public wing': `merge into pub.authors using app.writers w on false
      when not matched then insert (id) values (w.id)`,
    'a superuser cannot move a slug': `update app.pieces set slug = 's' where id = '${live}'`,
    'a superuser cannot move a first publication': 'update app.pieces set first_published_at = now()',
    'a superuser cannot require a review': 'update app.pieces set review_required = not review_required',
    'a superuser cannot give a piece away': `update app.pieces set writer_id = '${other.id}' where id = '${hidden}'`,
    'a superuser cannot delete a public piece': `delete from app.pieces where id = '${live}'`,
    'a superuser cannot truncate the pieces': 'truncate app.pieces cascade',
    'a superuser cannot change the audit trail': "update app.audit set act = 'nothing'",
    'a superuser cannot delete from the audit trail': 'delete from app.audit',
    'a superuser cannot truncate the audit trail': 'truncate app.audit',
  })

export const attacksOn = (site: AttackSite): Attack[] => [
  ...writerAttacks(site),
  ...keyAttacks(site),
  ...deskAttacks(site),
  ...coAuthorAttacks(site, services),
  ...surfaceAttacks(site),
  ...pictureAttacks(site),
  ...readAttacks(site),
  ...roleAttacks(),
  ...publicSchemaAttacks(),
  ...superuserAttacks(site),
  ...by('svc_owner', noRow, { 'the owner of the tables cannot read a piece': 'select id from app.pieces' }),
]
