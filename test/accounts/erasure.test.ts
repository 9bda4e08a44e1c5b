import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { stopFollowing } from '../../server/features/followers/follow.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import { testSite } from '../../testkit/app.ts'
import { type Desk, deskOf, makeModerator } from '../../testkit/desk.ts'
import { asDesk, makePiece, makeProduct, makeWriter } from '../../testkit/factories.ts'
import { followSite, makeFollower } from '../../testkit/followers.ts'
import { deleteNow } from '../../testkit/jobs.ts'
import { mediaFolder, photograph, uploaderOf } from '../../testkit/media.ts'
import { countsOf, readPixel, scoreNow } from '../../testkit/read-counts.ts'
import { until } from '../../testkit/waiting.ts'

/** Closing an account erases what names its owner, wherever it was kept; docs/protection.md says what stays. */

const { url, admin, app } = await testSite({ MEDIA_URL: mediaFolder().url })

/** Part of everything she writes and of everything written about her. */
const canary = 'quillfeather'
const illness = 'lupus'
const email = `ada@${canary}.example`

const moderators: Desk = deskOf(app, await makeModerator(admin))
const ada = await makeWriter(admin, { slug: `ada-${canary}`, name: 'Ada Quillfeather', bio: `A ${canary}.` })
const bo = await makeWriter(admin, { slug: 'bo' })
const desk = deskOf(app, ada)

/** What identifies her: words, ids and hashes. */
const words = [canary, illness, email]
const ids = new Set([ada.id, ada.accountId, ada.sessionId])
const hashes = new Set([hashOf(ada.sessionToken).toString('hex')])

const asked = async (method: string, path: string, payload?: object, headers?: Record<string, string>) => {
  const answer = await desk.ask(method, path, payload, headers)
  assert.ok(answer.statusCode < 300, `${method} ${path}: ${answer.body}`)
  return answer.body === '' ? undefined : answer.json()
}
const acted = async (by: Desk, ...act: Parameters<Desk['act']>) => {
  const answer = await by.act(...act)
  assert.equal(answer.statusCode, 200, `${act[0]}: ${answer.body}`)
}

before(async () => {
  await admin.query('update app.accounts set email = $2 where id = $1', [ada.accountId, email])
  await pieces()
  await profile()
  await shop()
  await programs()
  await account()
  await invitation()
  await reportOfHers()
  await followers()
})

async function pieces(): Promise<void> {
  const uploader = uploaderOf(app, ada)
  const picture = await uploader.upload(await photograph(1))
  const avatar = (await uploader.send('PUT', 'profile/avatar', await photograph(2))).json()
  assert.ok(avatar.ok, JSON.stringify(avatar))
  for (const { hash } of (await admin.query('select hash from app.media')).rows) hashes.add(hash)
  const body_md = `A ${canary} text.\n\n![A ${canary}](/media/${picture})`
  const made: string[] = []
  for (const number of [1, 2, 3]) {
    const tags = [`Of a ${canary}`]
    made.push(await desk.begin({ headline: `A ${canary} ${number}`, body_md, tags }))
  }
  const [open, refused, live] = made as [string, string, string]
  for (const id of made) ids.add(id)
  const scheduled = await desk.begin({ headline: `A ${canary} to come`, body_md })
  ids.add(scheduled)
  const { nonce } = (await desk.ask('POST', `pieces/${scheduled}/preview`)).json()
  await asked('POST', `pieces/${scheduled}/schedule`, { nonce, at: new Date(Date.now() + 86_400_000).toISOString() })
  const deleted = await desk.begin({ headline: `A ${canary} in the trash`, body_md })
  ids.add(deleted)
  await asked('DELETE', `pieces/${deleted}`)
  await asked('PATCH', `pieces/${open}`, { headline: `Another ${canary}` }, { 'if-match': '*' })
  await asked('PUT', `pieces/${open}/revisions/1/name`, { name: `First ${canary}` })
  await admin.query("update app.recent_revisions set saved_at = saved_at - interval '2 days'")
  await admin.query('select app.pack_history(100)')
  await asked('PATCH', `pieces/${open}`, { headline: `Yet another ${canary}` }, { 'if-match': '*' })
  await asked('POST', `pieces/${open}/links`, { days: 1 })
  await asked('POST', `pieces/${open}/preview`)

  await acted(desk, 'submit', refused)
  await acted(moderators, 'request_changes', refused, { note: `Her ${illness} is nobody's business.` })
  await acted(desk, 'resubmit', refused)
  await acted(moderators, 'reject', refused, { reason: `Says that a ${canary} cures ${illness}.` })
  const { decisions } = await asked('GET', `decisions?about=${refused}`)
  await asked('POST', `decisions/${decisions[0].id}/appeal`, { text: `A ${canary} knows about ${illness}.` })

  await acted(desk, 'publish', live)
  await read(live)
  await report(live, `It is about her ${illness}.`)
  const dismissed = await moderators.ask('POST', `reports/${live}/dismiss`, {})
  await report(live, `Still about her ${illness}.`)
  assert.ok(dismissed.statusCode < 300, dismissed.body)
  await acted(moderators, 'take_down', live, { reason: `She wrote of her ${illness}.`, to: 'changes_requested' })
  await acted(desk, 'resubmit', live)
  await acted(moderators, 'approve', live)
  const pins = [{ id: live, ends_at: new Date(Date.now() + 86_400_000).toISOString() }]
  const pinned = await moderators.ask('PUT', 'front-page', { version: 0, pins, note: null })
  assert.equal(pinned.statusCode, 200, pinned.body)
  await read(live)
  await report(live, `And again of her ${illness}.`)
}

async function followers(): Promise<void> {
  await asDesk(admin, ada, (client) => client.query('select app.set_welcome($1)', [`From a ${canary}.`]))
  const { rows } = await admin.query('select slug from pub.authors where id = $1', [ada.id])
  const site = followSite({ url, admin })
  await makeFollower(site, 'reader@one.test', `author/${rows[0].slug}`)
  await stopFollowing(site, await makeFollower(site, 'former@one.test', `author/${rows[0].slug}`))
  const list = Buffer.from(`email,consent date,text\nreader@two.test,2024-01-02,For ${canary}\n`)
  await asked('POST', 'followers/imports', list, { 'content-type': 'text/csv' })
  await asked('PUT', 'fediverse', { is_on: true })
  const { rows: actors } = await admin.query('select id from app.fediverse_actors')
  const actor = actors[0].id
  ids.add(actor)
  await admin.query(
    `insert into app.fediverse_followers (actor_id, key, follower, inbox, server)
     values ($1, sha256('bo'), 'https://one.test/bo', 'https://one.test/inbox', 'one.test')`,
    [actor],
  )
  const sent = await admin.query(
    `with object as (
       insert into app.fediverse_objects (piece_id, number, actor_id)
       select id, 0, $1 from pub.pieces where author_id = $2 limit 1 returning id, piece_id
     ), changed as (
       insert into app.fediverse_changes (piece_id, is_new) select piece_id, false from object
     ), activity as (
       insert into app.fediverse_activities (actor_id, kind, object_id) select $1, 'create', id from object returning id, object_id
     )
     insert into app.fediverse_deliveries (object_id, inbox, host, activity_id, due_at)
     select object_id, 'https://one.test/inbox', 'one.test', id, now() from activity returning object_id`,
    [actor, ada.id],
  )
  ids.add(sent.rows[0].object_id)
  await admin.query(
    `insert into app.fediverse_reactions (piece_id, kind, actor, object, server)
     select id, 'like', sha256('bo'), sha256('like'), 'one.test' from pub.pieces where author_id = $1 limit 1`,
    [ada.id],
  )
}

async function invitation(): Promise<void> {
  const answer = await moderators.ask('POST', 'review/invitations', { email })
  assert.equal(answer.statusCode, 201, answer.body)
}

async function read(piece: string): Promise<void> {
  await readPixel(app, piece, { from: '203.0.113.7', headers: { 'user-agent': `Mozilla ${Math.random()}` } })
  const { pathname } = new URL((await asked('GET', `pieces/${piece}`)).piece.url)
  await app.inject({ url: `${pathname}?ref=${canary}`, headers: { accept: 'text/html', 'user-agent': 'Mozilla' } })
  await until(async () => (await countsOf(admin))[piece], 'her readers are counted')
  const named = () => admin.query('select from app.piece_sources where source = $1', [canary])
  await until(async () => (await named()).rowCount, 'her visitors are counted')
  await scoreNow(admin)
  await admin.query('select app.count_topics()')
}

async function report(piece: string, note: string, from?: string): Promise<void> {
  const illegal = {
    reason: 'illegal',
    place: 'Everywhere.',
    good_faith: 'yes',
    name: `Ada ${canary}`,
    email: from ?? '',
  }
  const form = new URLSearchParams({ reason: 'other', note, ...(from ? illegal : {}) })
  const answer = await app.inject({
    method: 'POST',
    url: `/desk/report/${piece}`,
    payload: form.toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(answer.statusCode, 303, answer.body)
}

async function profile(): Promise<void> {
  await asked('PATCH', 'profile', { bio: `Of the ${canary}s.`, website: `https://${canary}.example` })
  await asked('POST', 'profile/website/check')
  await asked('PUT', 'profile/slug', { slug: `ada-o-${canary}` })
  const identity = { verified: true, note: `Passport of a ${canary} with ${illness}.` }
  const answer = await moderators.ask('PUT', `review/writers/ada-o-${canary}/identity`, identity)
  assert.equal(answer.statusCode, 200, answer.body)
}

async function shop(): Promise<void> {
  const { rows } = await admin.query('select hash from app.media limit 1')
  for (const name of [`A ${canary} pen`, `A ${canary} book`])
    ids.add(await makeProduct(admin, ada, { name, summary: `By a ${canary}.`, image: rows[0].hash, image_alt: canary }))
  const withheld = { slug: `a-${canary}-pen`, reason: `She has ${illness}.` }
  await admin.query('select app.withhold_product($1, $2)', [withheld.slug, withheld.reason])
  const lamp = await makeProduct(admin, ada, { name: `A ${canary} lamp` })
  ids.add(lamp)
  const taken = await moderators.ask('POST', `review/listings/${lamp}/take-down`, { reason: `It cures no ${illness}.` })
  assert.equal(taken.statusCode, 200, taken.body)
}

async function programs(): Promise<void> {
  const { id, key } = await asked('POST', 'keys', { name: `Key of a ${canary}` })
  ids.add(id)
  const { rows } = await admin.query('select * from app.api_keys where id = $1', [id])
  for (const held of Object.values(rows[0])) if (Buffer.isBuffer(held)) hashes.add(held.toString('hex'))
  words.push(rows[0].head)
  const drafted = await app.inject({
    method: 'POST',
    url: '/api/v1/pieces',
    headers: { authorization: `Bearer ${key}`, 'idempotency-key': 'once' },
    payload: { headline: `A ${canary} by key`, body_md: 'x' },
  })
  assert.equal(drafted.statusCode, 201, drafted.body)
  ids.add(drafted.json().id)
  await asked('PUT', 'webhook', { url: `https://${canary}.example/hook` })
  await admin.query("update app.webhooks set state = 'live' where writer_id = $1", [ada.id])
  const deliveredPiece = await desk.begin({ headline: `A ${canary} that is told`, body_md: 'x' })
  ids.add(deliveredPiece)
  await acted(desk, 'publish', deliveredPiece)
  const imported = randomUUID()
  ids.add(imported)
  const draft = { headline: `A ${canary} from elsewhere`, body_md: 'x' }
  const kept = { service: 'ghost', date: '2015-03-12T08:30:00.000Z', notes: [`A poll of a ${canary} was left.`] }
  await asked('PUT', `imports/${imported}`, { draft, ...kept })
  const comment = randomUUID()
  ids.add(comment)
  await asked('PUT', `pieces/${imported}/comments/${comment}`, { body: `A ${canary} says so.` })
  const original = await makePiece(admin, await makeWriter(admin))
  const translation = await desk.begin({ headline: `A ${canary} in translation`, translation_of: original })
  ids.add(translation)
  await asked('POST', `pieces/${translation}/ask-author`)
  const other = await makeWriter(admin)
  await asked('PUT', `pieces/${deliveredPiece}/co-authors`, { authors: [other.slug] })
  const othersDesk = deskOf(app, other)
  const signed = await othersDesk.begin({ headline: 'Of two' })
  await othersDesk.ask('PUT', `pieces/${signed}/co-authors`, { authors: [ada.slug] })
  await asked('POST', `co-authors/${signed}/answer`, { agreed: true })
  await acted(othersDesk, 'publish', signed)
  const series = randomUUID()
  ids.add(series)
  const parts = { pieces: [deliveredPiece, translation], revision: null }
  await asked('PUT', `series/${series}`, { title: `A ${canary} series`, description: `Of a ${canary}.`, ...parts })
  await admin.query('select app.keep_related($1, $2)', [original, [deliveredPiece]])
  await admin.query(
    `insert into app.delivery_attempts (delivery_id, attempt, writer_id, at, url, answer)
     select id, 1, writer_id, now(), $2, $2 from app.deliveries where writer_id = $1`,
    [ada.id, `https://${canary}.example/hook`],
  )
}

async function account(): Promise<void> {
  await asked('POST', 'account/recovery-codes')
  await asked('POST', 'account/email', { email: `other@${canary}.example` })
  for (const path of ['forgot-password', 'sign-up']) await asked('POST', path, { email })
  await desk.ask('POST', 'sign-in', { email, password: 'a wrong password of hers' })
  await admin.query(
    `with made as (insert into app.passkeys (account_id, credential_id, public_key, counter, name, seal_hash)
                   values ($1, 'credential', 'key', 0, $2, sha256('seal')))
     insert into app.challenges (challenge_hash, purpose, account_id) values (sha256('challenge'), 'register', $1)`,
    [ada.accountId, `Phone of a ${canary}`],
  )
  // A job that was given up stays in the job table, with an error that names her.
  await admin.query(`insert into jobs.job (name, data, output) values ('dead', $1, $2), ('mail.reporter', $1, null)`, [
    { email: email.toUpperCase(), letter: 'report-kept', params: {} },
    { message: `550 no mailbox ${email}` },
  ])
}

/** She is a reader too, and left her address with a report. */
async function reportOfHers(): Promise<void> {
  const theirs = await makePiece(admin, bo, { headline: 'Of somebody else' })
  await report(theirs, 'Not hers to judge.', email)
}

/** Every row of every table of ours as text. */
async function everything(): Promise<Map<string, string[]>> {
  const { rows: tables } = await admin.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema' order by 1`,
  )
  const found = new Map<string, string[]>()
  for (const { name } of tables) {
    const { rows } = await admin.query<{ row: string }>(`select t::text as row from ${name} t`)
    found.set(
      name,
      rows.map(({ row }) => row.toLowerCase()),
    )
  }
  return found
}

/** The value may be stored as text or as bytes. */
const inBytes = (word: string) => Buffer.from(word).toString('hex')
const naming = (rows: readonly string[]) =>
  rows.filter((row) => words.some((word) => row.includes(word.toLowerCase()) || row.includes(inBytes(word))))
const identifying = (rows: readonly string[]) =>
  rows.filter((row) => [...ids, ...hashes].some((id) => row.includes(id) || row.includes(id.replaceAll('-', ''))))

/** Tables that never hold personal data. */
const ofNobody: Readonly<Record<string, string>> = {
  'app.read_limits_even': 'salted marks',
  'app.read_limits_odd': 'salted marks',
  'app.read_marks_even': 'salted marks',
  'app.read_marks_odd': 'salted marks',
  'app.reader_salts': 'one salt for all',
  'app.report_salts': 'one salt for all',
  'app.follow_requests': 'salted marks',
  'app.blocked_servers': 'what moderators decided about servers',
  'app.fediverse_hosts': 'hosts of followers',
  'app.fediverse_received': 'hashes, for days',
  'app.fediverse_server_days': 'counts of servers, for days',
  'app.feed_hosts': 'hosts of subscribers of feeds',
  'app.feed_subscriptions': 'of subscribers of feeds, who hear that hers is gone: test/websub/delivering.test.ts',
  'app.feed_verifications': 'of subscribers of feeds, for minutes',
  'app.mail_domains': 'hashes of domains, with a key that is not in the database',
  'app.provider_reports': 'hashes of reports about emails, for days',
  'app.readers': 'of readers, who are forgotten when they follow nothing: test/followers/queue.test.ts',
  'app.sources_cut': 'how far a sweep has come',
  'app.sign_up_emails': 'a count for each hour',
  'app.suspensions': 'of suspended writers alone: test/moderation/suspension.test.ts',
  'app.suspended_rows': 'of suspended writers alone: test/moderation/suspension.test.ts',
  'app.sign_in_attempts': 'hashes of addresses, for hours',
  'app.retired_slugs': 'written when an account is closed',
  'app.media_gone': 'written when an account is closed',
  'pub.front_page_note': 'what moderators tell readers',
  'pub.link_cards': 'of pieces with a link alone on a line, gone with them: test/pieces/link-cards.test.ts',
  'pub.receipt_keys': 'keys of the site',
}

/** What stays of a closed account, and why. */
const staysInWords: Readonly<Record<string, string>> = {
  'app.retired_slugs': 'nobody else shall be found at her address',
  'app.product_slugs': 'nor at that of what she sold',
  'pub.topics': 'a tag that only she used, until the next count, in ten minutes; no page shows it',
  'jobs.job_common': 'the caches forget her pages, and she is told that all is gone: for an hour',
}
const staysAsIds: Readonly<Record<string, string>> = {
  'app.audit': 'what was done, by whom, without what was said; the ids lead nowhere',
  'app.writer_audit': 'the same',
  'app.product_audit': 'the same',
  'app.front_page_saves': 'the same',
  'app.product_slugs': 'whose address it was',
  'app.fediverse_activities':
    'until the servers of followers have been asked to forget her, within a week: test/fediverse/delivering.test.ts',
  'app.fediverse_actors': 'the same',
  'app.fediverse_changes': 'the same',
  'app.fediverse_deliveries': 'the same',
  'app.fediverse_followers': 'the same',
  'app.fediverse_objects': 'the same',
  'app.media_gone': 'until the pictures are deleted from the store',
  'pub.related': 'until what to read after the pieces of others is found again, within two weeks',
  'pub.trending': 'until the next scoring, in five minutes',
  'search.changes': 'until the index has forgotten them, within a minute',
  'jobs.job_common': 'the caches forget her pieces: for an hour',
}

describe('of a writer with everything a person can leave behind', () => {
  test('something is in every table that can tell of one', async () => {
    const rows = await everything()
    const empty = [...rows].filter(
      ([name, held]) => /^(app|pub)\./.test(name) && !naming(held).length && !identifying(held).length,
    )
    assert.deepEqual(empty.map(([name]) => name).sort(), Object.keys(ofNobody).sort())
    assert.ok(rows.get('app.audit')!.some((row) => row.includes(illness)))
  })

  test('no word is left when the account is closed, but where it must be', async () => {
    const answer = await desk.ask('DELETE', 'account', { name: 'Ada Quillfeather' })
    assert.equal(answer.statusCode, 202, answer.body)
    await deleteNow(admin, url, ada.accountId)
    const rows = await everything()
    const named = [...rows].filter(([, held]) => naming(held).length > 0).map(([name]) => name)
    assert.deepEqual(named, Object.keys(staysInWords).sort())
    const identified = [...rows].filter(([, held]) => identifying(held).length > 0).map(([name]) => name)
    assert.deepEqual(identified, Object.keys(staysAsIds).sort())
    for (const [name, held] of rows) assert.ok(!held.some((row) => row.includes(illness)), `${name} names an illness`)
    const jobs = naming(rows.get('jobs.job_common')!)
    assert.deepEqual(
      jobs.filter((row) => !/,cache\.purge,|,mail\.former,.*account-deleted/.test(row)),
      [],
    )
    assert.equal(jobs.filter((row) => row.includes(email)).length, 1)
    const { rows: slugs } = await admin.query('select slug from app.retired_slugs order by slug')
    assert.deepEqual(
      slugs.map(({ slug }) => slug),
      [`ada-o-${canary}`, `ada-${canary}`],
    )
  })

  test('what others wrote stays', async () => {
    assert.equal((await admin.query('select from pub.pieces where author_id = $1', [bo.id])).rowCount, 1)
    assert.equal((await admin.query("select from app.reports where note = 'Not hers to judge.'")).rowCount, 1)
  })
})

test('a note of the trail is emptied by nothing but the closing of an account, and nothing else of it changes', async () => {
  const other = deskOf(app, bo)
  const id = await other.begin({ headline: 'Noted' })
  await acted(other, 'submit', id)
  await acted(moderators, 'reject', id, { reason: 'A reason.' })
  for (const role of ['svc_desk', 'svc_api', 'svc_worker', 'svc_owner', 'svc_publisher', undefined])
    for (const change of [
      "note = 'Another reason.'",
      'at = now()',
      "note = null, act = 'approve'",
      ...(role === 'svc_publisher' ? [] : ['note = null']),
    ]) {
      const client = await admin.connect()
      try {
        await client.query('begin')
        if (role) await client.query(`set local role ${role}`)
        const changed = client.query(`update app.audit set ${change} where piece_id = '${id}'`)
        await assert.rejects(changed, { code: '42501' }, `${role}: ${change}`)
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
})
