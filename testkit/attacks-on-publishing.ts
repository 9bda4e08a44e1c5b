import { type Attack, type AttackSite, by, hash, noRight, noRow, signing } from './attacks.ts'
import { publishing, rendering, services } from './attacks-on-pieces.ts'

const inAnHour = "now() + interval '1 hour'"
const scheduling = (piece: string, token: string | null, nonce: string | null, at = inAnHour) =>
  `select app.desk_schedule('${piece}', ${hash(token)}, ${hash(nonce)}, ${rendering}, ${at})`
const publishingScheduled = (piece: string) => `select app.publish_scheduled('${piece}', 'off', 1, 3, 10)`

/** SQL attacks on the promise that only a person schedules, at the desk; and the time that comes publishes only what they consented to. */
function scheduleAttacks({ me, other, barred, expired, revoked, pieces, nonces }: AttackSite): Attack[] {
  const { draft, live, held, edited, theirs, scheduled } = pieces
  const token = me.sessionToken
  const good = scheduling(draft, token, nonces.good)
  const forged = `insert into app.schedules
    (piece_id, writer_id, account_id, session_id, revision, text_hash, publish_at, consented_at, proof, rendering)
    values ('${draft}', '${me.id}', '${me.accountId}', '${me.sessionId}', 1, sha256('x'), now(), now() - interval '1 day', '{}', '{}')`
  const moved = "update app.schedules set publish_at = now() - interval '1 second'"
  return [
    ...['svc_public', 'svc_api', 'svc_worker'].flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot schedule, were all else right`]: good,
        [`${role} cannot cancel a schedule`]: `select app.desk_unschedule('${scheduled}', ${hash(token)})`,
      }),
    ),
    ...['svc_public', 'svc_api', 'svc_desk'].flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot publish what is scheduled`]: publishingScheduled(scheduled),
        [`${role} cannot ask what is due`]: 'select app.due_schedules(1)',
      }),
    ),
    ...[...services, 'svc_owner', 'superuser'].flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot forge a consent`]: forged,
        [`${role} cannot move the time of a consent`]: moved,
      }),
    ),
    ...by('svc_desk', noRight, {
      'the desk cannot read what will be published': 'select rendering from app.schedules',
    }),
    ...by('superuser', noRight, {
      'a superuser cannot forge a consent while replicating': `set session_replication_role = replica; ${forged}`,
      'a superuser cannot move a consent while replicating': `set session_replication_role = replica; ${moved}`,
    }),
    ...by('svc_desk', noRow, {
      "the desk cannot read another writer's schedules": `select piece_id from app.schedules where writer_id <> '${me.id}'`,
    }),
    ...by('svc_worker', noRow, {
      'the worker cannot publish what is not scheduled': `select from (${publishingScheduled(draft)} as outcome) due
        where outcome is not null`,
      'the worker cannot publish before its time': `select from (${publishingScheduled(scheduled)} as outcome) due
        where outcome is not null`,
      'the worker cannot make the time come': `select app.due_schedules(10)`,
    }),
    ...by('svc_desk', 'SF401', {
      'nothing is scheduled without a session': scheduling(draft, null, nonces.good),
      'nothing is scheduled in an expired session': scheduling(draft, expired.token, nonces.ofExpired),
      'nothing is scheduled in a revoked session': scheduling(draft, revoked.token, nonces.ofRevoked),
      'nothing is scheduled by a disabled account': scheduling(pieces.barred, barred.sessionToken, nonces.ofBarred),
    }),
    ...by('svc_desk', 'SF404', {
      "nothing is scheduled in another writer's session": scheduling(draft, other.sessionToken, nonces.ofOther),
      "another writer's draft is not scheduled": scheduling(theirs, token, nonces.ofTheirs),
      "another writer's schedule is not cancelled": `select app.desk_unschedule('${scheduled}', ${hash(other.sessionToken)})`,
    }),
    ...by('svc_desk', 'SF409', {
      'a public piece is not scheduled': scheduling(live, token, nonces.ofLive),
      'a piece that needs a review is not scheduled': scheduling(held, token, nonces.ofHeld),
      'what is not scheduled is not cancelled': `select app.desk_unschedule('${draft}', ${hash(token)})`,
    }),
    ...by('svc_desk', 'SF412', {
      'nothing is scheduled without a nonce': scheduling(draft, token, null),
      'nothing is scheduled with a nonce that never was': scheduling(draft, token, 'guessed'),
      'nothing is scheduled with a used nonce': scheduling(draft, token, nonces.used),
      'nothing is scheduled with an expired nonce': scheduling(draft, token, nonces.late),
      'nothing is scheduled with the nonce of another piece': scheduling(draft, token, nonces.ofTheirs),
      'nothing is scheduled that was edited since it was shown': scheduling(edited, token, nonces.ofEdited),
    }),
    ...by('svc_desk', 'SF400', {
      'nothing is scheduled for the past': scheduling(draft, token, nonces.good, "now() - interval '1 second'"),
      'nothing is scheduled for more than a year ahead': scheduling(
        draft,
        token,
        nonces.good,
        "now() + interval '367 days'",
      ),
      'nothing is scheduled for no time': scheduling(draft, token, nonces.good, 'null'),
    }),
  ]
}

/** A date in the past is that of an import, which its writer confirmed at the desk. */
function importAttacks({ me, other, barred, expired, revoked, pieces }: AttackSite): Attack[] {
  const { draft, live } = pieces
  const token = me.sessionToken
  const stating = (given: string | null) =>
    `select app.desk_import('${draft}', ${hash(given)}, 'ghost', '2015-03-12', array[]::text[])`
  const confirming = (given: string | null, piece = draft) =>
    `select app.desk_confirm_imports(${hash(given)}, array['${piece}']::uuid[], array[1])`
  const publishingImported = (given: string | null, piece = draft) =>
    `select app.desk_publish_imported('${piece}', ${hash(given)}, ${rendering})`
  const forged = `insert into app.imports (piece_id, writer_id, service, original_at, imported_at, notes)
    values ('${draft}', '${me.id}', 'ghost', '2015-03-12', now(), '{}')`
  return [
    ...['svc_public', 'svc_api', 'svc_worker'].flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot state an import, were all else right`]: stating(token),
        [`${role} cannot confirm an import`]: confirming(token),
        [`${role} cannot publish an import`]: publishingImported(token),
      }),
    ),
    ...[...services, 'svc_owner', 'superuser'].flatMap((role) =>
      by(role, noRight, { [`${role} cannot forge an import`]: forged }),
    ),
    ...by('superuser', noRight, {
      'a superuser cannot forge an import while replicating': `set session_replication_role = replica; ${forged}`,
    }),
    ...by('svc_desk', noRight, {
      'what was written here is no import': stating(token),
      'the desk cannot read how an import was confirmed': 'select proof from app.imports',
    }),
    ...by('svc_desk', 'SF401', {
      'no import is confirmed without a session': confirming(null),
      'no import is confirmed in an expired session': confirming(expired.token),
      'no import is confirmed in a revoked session': confirming(revoked.token),
      'no import is published without a session': publishingImported(null),
      'no import is published by a disabled account': publishingImported(barred.sessionToken, pieces.barred),
    }),
    ...by('svc_desk', 'SF404', {
      "no import is published in another writer's session": publishingImported(other.sessionToken),
    }),
    ...by('svc_desk', 'SF409', {
      'what was not imported is not published with a date': publishingImported(token),
      'what is public is not published again with a date': publishingImported(token, live),
    }),
  ]
}

/** A receipt says what the database wrote, is signed once, by the desk, and without one nothing is published. */
const receiptAttacks = ({ me, pieces: { draft, live, theirs }, nonces }: AttackSite): Attack[] => [
  ...['svc_public', 'svc_api'].flatMap((role) =>
    by(role, noRight, {
      [`${role} cannot ask for a receipt to sign`]: `select app.receipt_to_sign('${live}')`,
      [`${role} cannot sign a receipt`]: signing(live),
    }),
  ),
  ...services.flatMap((role) =>
    by(role, noRight, {
      [`${role} cannot order a receipt`]: 'select app.order_receipt()',
      [`${role} cannot unsign a receipt`]: 'update pub.receipts set signature = null',
      [`${role} cannot count receipts`]: 'update app.pieces set receipts = 0',
      [`${role} cannot break the chain of receipts`]: 'update app.pieces set receipt_hash = null',
      [`${role} cannot do without receipts`]: 'alter table app.audit disable trigger order_receipt',
    }),
  ),
  ...['svc_desk', 'svc_worker'].flatMap((role) =>
    by(role, 'SF409', {
      [`${role} does not sign again what is signed`]: signing(live),
      [`${role} signs no receipt of what is not public`]: signing(theirs),
    }),
  ),
  ...by('svc_desk', '23000', {
    'nothing is published without a signed receipt': publishing(draft, me.sessionToken, nonces.good),
  }),
  ...by('svc_desk', '23514', {
    'a receipt holds a hash and nothing else in its place': `${publishing(draft, me.sessionToken, nonces.good)};
      ${signing(draft).replace("repeat('0', 64)", "'a text that is private'")}`,
  }),
]

/** SQL attacks on the promise that the comments on a draft are between its writer and those who were asked. */
function commentAttacks({ me, other, expired, revoked, pieces }: AttackSite): Attack[] {
  const { draft, theirs, inviting, removed } = pieces
  const commenting = (piece: string, token: string | null) =>
    `select app.add_comment(gen_random_uuid(), '${piece}', ${hash(token)}, null, 'Hello', null, null, null, null, null)`
  const reading = (piece: string, token: string | null) => `select app.comments_of('${piece}', ${hash(token)})`
  const linking = `select app.comment_by_link(sha256('a guess'), gen_random_uuid(), null, 'Eve', 'Hello', null, null, null, null, null)`
  return [
    ...['svc_public', 'svc_api', 'svc_worker'].flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot comment, were all else right`]: commenting(draft, me.sessionToken),
        [`${role} cannot read comments, were all else right`]: reading(draft, me.sessionToken),
        [`${role} cannot comment by a link`]: linking,
      }),
    ),
    ...['svc_public', 'svc_api', 'svc_desk'].flatMap((role) =>
      by(role, noRight, {
        [`${role} cannot ask who commented`]: `select app.comment_email('${draft}', '${me.accountId}')`,
        [`${role} cannot take the notices of comments`]: 'select app.comments_to_tell()',
      }),
    ),
    ...by('svc_desk', 'SF401', {
      'nobody comments without a session': commenting(draft, null),
      'nobody comments in an expired session': commenting(draft, expired.token),
      'nobody reads comments in a revoked session': reading(draft, revoked.token),
    }),
    ...by('svc_desk', 'SF404', {
      "nobody comments on another writer's draft": commenting(theirs, me.sessionToken),
      "nobody reads the comments on another writer's draft": reading(draft, other.sessionToken),
      'nobody comments on what they are invited to sign before they agree': commenting(inviting, me.sessionToken),
      'nobody reads the comments on what they are invited to sign before they agree': reading(
        inviting,
        me.sessionToken,
      ),
      'nobody comments on a draft that they were removed from': commenting(removed, me.sessionToken),
      'nobody reads the comments on a draft that they were removed from': reading(removed, me.sessionToken),
      'nobody comments by a link that there is not': linking,
    }),
  ]
}

export const attacksOnPublishing = (site: AttackSite): Attack[] => [
  ...scheduleAttacks(site),
  ...commentAttacks(site),
  ...importAttacks(site),
  ...receiptAttacks(site),
]
