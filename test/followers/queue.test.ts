import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findPerson, type Writer } from '../../server/features/accounts/sessions.ts'
import type { ClaimedEmail } from '../../server/features/followers/email-queue.ts'
import { claimEmails, expandAnnouncements, settleEmails } from '../../server/features/followers/email-queue.ts'
import { followsOf, setFrequency, stopEmail, stopFollowing } from '../../server/features/followers/follow.ts'
import { agreeToImport, applyImport, uploadFollowers } from '../../server/features/followers/imports.ts'
import { translatorOf } from '../../server/messages/translator.ts'
import { hashOf } from '../../server/platform/crypto.ts'
import { testDatabase, workerDatabase } from '../../testkit/database.ts'
import { asDesk, makeDraft, makePiece, makeSeries, makeWriter, publish, unpublish } from '../../testkit/factories.ts'
import { followSite, makeEmailsDue, makeFollower, readerWith, sendFollowForm } from '../../testkit/followers.ts'

/** Which emails readers get of what is published, and when. */

const { url, admin } = await testDatabase()
const site = followSite({ url, admin })
const worker = workerDatabase(url)
const ada = await makeWriter(admin, { slug: 'ada', name: 'Ada' })
const bo = await makeWriter(admin, { slug: 'bo', name: 'Bo' })
await makePiece(admin, ada, { headline: 'The first', tags: ['Tea'], category: 'life' })
await expandAll()

async function expandAll(): Promise<void> {
  while (await expandAnnouncements(worker));
}

/** Everything that is due, claimed and sent. */
async function sendDue(): Promise<ClaimedEmail[]> {
  await expandAll()
  const sent: ClaimedEmail[] = []
  for (;;) {
    const claimed = await claimEmails(worker, 50)
    if (claimed.length === 0) return sent
    sent.push(...claimed)
    await settleEmails(
      worker,
      claimed.map((email) => result(email, 'sent')),
    )
  }
}

const result = (
  { id, lease_token }: ClaimedEmail,
  outcome: Parameters<typeof settleEmails>[1][number]['outcome'],
  wait: number | null = null,
) => ({ id, token: lease_token, outcome, wait })

/** By name: emails that are claimed together have no order. */
const ofReader = (emails: readonly ClaimedEmail[], reader: string): string[] =>
  emails
    .filter(({ reader_id }) => reader_id === reader)
    .map(({ kind }) => kind)
    .sort()

const turnClock = () => makeEmailsDue(admin)

describe('who gets an email', () => {
  test('nobody before they have confirmed, by a link that the first email brings', async () => {
    await sendFollowForm(site, 'unsure@one.test', 'author/ada')
    const reader = (await readerWith(site, 'unsure@one.test'))!
    assert.deepEqual(ofReader(await sendDue(), reader), ['confirm'])
    await makePiece(admin, ada)
    assert.deepEqual(ofReader(await sendDue(), reader), [])
    assert.deepEqual(
      (await followsOf(site, reader)).map(({ isConfirmed }) => isConfirmed),
      [false],
    )
  })

  test('followers of the author, the site, the section, a topic and the series get one email each, others none', async () => {
    const first = await makePiece(admin, ada, { headline: 'Part one', tags: ['Kettles'], category: 'money' })
    await makeSeries(admin, ada, 'On kettles', [first])
    const paths = ['author/ada', 'site', 'section/money', 'topic/kettles', 'series/ada/on-kettles', 'author/bo']
    await makePiece(admin, bo)
    await expandAll()
    const readers = new Map<string, string>()
    for (const path of [...paths.slice(0, 5), 'section/life'])
      readers.set(path, await makeFollower(site, `${path.replaceAll('/', '-')}@two.test`, path))
    const all = await makeFollower(site, 'all@two.test', 'author/ada')
    for (const path of ['site', 'section/money', 'topic/kettles']) await makeFollower(site, 'all@two.test', path)
    await sendDue()

    const second = await makeDraft(admin, ada, { headline: 'Part two', tags: ['kettles'], category: 'money' })
    await publish(admin, ada, second)
    await makeSeries(admin, ada, 'Other', [])
    const sent = (await sendDue()).filter(({ piece_id }) => piece_id === second)
    for (const path of ['author/ada', 'site', 'section/money', 'topic/kettles'])
      assert.deepEqual(ofReader(sent, readers.get(path)!), ['piece'], path)
    for (const path of ['section/life', 'series/ada/on-kettles'])
      assert.deepEqual(ofReader(sent, readers.get(path)!), [], path)
    assert.deepEqual(ofReader(sent, all), ['piece'])
    assert.deepEqual(await sendDue(), [])
  })

  test('nobody hears of a piece again when it is updated, unpublished and published again', async () => {
    const reader = await makeFollower(site, 'again@three.test', 'author/ada')
    const piece = await makePiece(admin, ada)
    assert.deepEqual(ofReader(await sendDue(), reader), ['confirm', 'piece'])
    await unpublish(admin, ada, piece)
    await publish(admin, ada, piece)
    assert.deepEqual(await sendDue(), [])
  })

  test('what was unpublished before it was sent is sent to nobody, and once when it is public again', async () => {
    const reader = await makeFollower(site, 'later@three.test', 'author/ada')
    await sendDue()
    const piece = await makePiece(admin, ada)
    await expandAll()
    await unpublish(admin, ada, piece)
    assert.deepEqual(ofReader(await sendDue(), reader), [])
    await publish(admin, ada, piece)
    await turnClock()
    assert.deepEqual(ofReader(await sendDue(), reader), ['piece'])
  })

  test('nobody gets an email of what was public before they followed, or arrived with an earlier date', async () => {
    await makePiece(admin, ada)
    const reader = await makeFollower(site, 'new@three.test', 'author/ada')
    await expandAll()
    assert.deepEqual(ofReader(await sendDue(), reader), ['confirm'])
  })
})

describe('a digest', () => {
  const pieces = async (email: ClaimedEmail) =>
    (
      await worker.run<{ piece_id: string }>({
        text: 'select * from app.digest_of_email($1)',
        values: [email.id],
      })
    ).map(({ piece_id }) => piece_id)

  test('is one email of the pieces of its day or week, newest first, without those that came one by one', async () => {
    const daily = await makeFollower(site, 'daily@four.test', 'author/bo', 'daily')
    const weekly = await makeFollower(site, 'weekly@four.test', 'author/bo', 'weekly')
    const mixed = await makeFollower(site, 'mixed@four.test', 'site', 'weekly')
    await makeFollower(site, 'mixed@four.test', 'author/bo', 'each')
    await sendDue()
    const one = await makePiece(admin, bo)
    const two = await makePiece(admin, bo)
    const other = await makePiece(admin, ada)
    const now = await sendDue()
    assert.deepEqual(ofReader(now, mixed), ['piece', 'piece'])
    assert.deepEqual(ofReader(now, daily), [])
    await turnClock()
    const sent = await sendDue()
    const digestOf = (reader: string) => {
      const emails = sent.filter(({ reader_id }) => reader_id === reader)
      assert.equal(emails.length, 1)
      return pieces(emails[0]!)
    }
    assert.deepEqual(await digestOf(daily), [two, one])
    assert.deepEqual(await digestOf(weekly), [two, one])
    assert.deepEqual(await digestOf(mixed), [other])
  })

  test('waits until every piece of its day has been looked at', async () => {
    const reader = await makeFollower(site, 'patient@four.test', 'author/ada', 'daily')
    await sendDue()
    await makePiece(admin, ada)
    await sendDue()
    await admin.query(
      'update app.announcements set done_at = null where piece_id = (select max(piece_id::text)::uuid from app.announcements where daily is not null)',
    )
    await turnClock()
    assert.deepEqual(ofReader(await claimEmails(worker, 500), reader), [])
    await turnClock()
    assert.deepEqual(ofReader(await sendDue(), reader), ['daily'])
  })
})

describe('a reader who stops', () => {
  test('gets nothing that waits, and is forgotten with the last of what they follow', async () => {
    const reader = await makeFollower(site, 'leaving@five.test', 'author/ada')
    await makeFollower(site, 'leaving@five.test', 'author/bo')
    await sendDue()
    await makePiece(admin, ada)
    await makePiece(admin, bo)
    await expandAll()
    const [, bos] = await followsOf(site, reader)
    await stopFollowing(site, reader, `author:${ada.id}`)
    assert.deepEqual(ofReader(await sendDue(), reader), ['piece'])
    await stopFollowing(site, reader, bos!.subject.key)
    assert.equal(await readerWith(site, 'leaving@five.test'), undefined)
    const { rows } = await admin.query('select from app.reader_emails where reader_id = $1', [reader])
    assert.equal(rows.length, 0)
  })

  test('is forgotten with a series that was all they followed, when its writer deletes it', async () => {
    const first = await makePiece(admin, ada)
    const series = await makeSeries(admin, ada, 'On spoons', [first])
    const reader = await makeFollower(site, 'spoons@five.test', 'series/ada/on-spoons')
    const both = await makeFollower(site, 'both@five.test', 'series/ada/on-spoons')
    await makeFollower(site, 'both@five.test', 'author/bo')
    await asDesk(admin, ada, (client) =>
      client.query('select app.desk_delete_series($1, $2)', [hashOf(ada.sessionToken), series]),
    )
    const { rows } = await admin.query('select id from app.readers where id = any ($1)', [[reader, both]])
    assert.deepEqual(rows, [{ id: both }])
    const { rowCount } = await admin.query('select from app.follows where subject = $1', [`series:${series}`])
    assert.equal(rowCount, 0)
  })

  test('stops, by one email, all that it was sent for and nothing else; twice is the same', async () => {
    const reader = await makeFollower(site, 'click@five.test', 'author/ada')
    await makeFollower(site, 'click@five.test', 'site')
    await makeFollower(site, 'click@five.test', 'author/bo')
    await sendDue()
    await makePiece(admin, ada)
    const [email] = (await sendDue()).filter(({ reader_id }) => reader_id === reader)
    await stopEmail(site, email!.id)
    await stopEmail(site, email!.id)
    assert.deepEqual(
      (await followsOf(site, reader)).map(({ subject }) => subject.path),
      ['author/bo'],
    )
  })

  test('gets digests instead when they change to them, also of what waits', async () => {
    const reader = await makeFollower(site, 'change@five.test', 'author/ada')
    await sendDue()
    await setFrequency(site, reader, `author:${ada.id}`, 'weekly')
    await makePiece(admin, ada)
    assert.deepEqual(ofReader(await sendDue(), reader), [])
    await turnClock()
    assert.deepEqual(ofReader(await sendDue(), reader), ['weekly'])
  })
})

describe('sending', () => {
  test('an email that a server does not take is tried again, and its domain rests while others go on', async () => {
    const slow = await makeFollower(site, 'reader@slow.test', 'author/ada')
    const quick = await makeFollower(site, 'reader@quick.test', 'author/ada')
    await sendDue()
    await makePiece(admin, ada)
    await expandAll()
    const claimed = await claimEmails(worker, 500)
    await settleEmails(
      worker,
      claimed.map((email) => (email.reader_id === slow ? result(email, 'later', 60) : result(email, 'sent'))),
    )
    assert.deepEqual(ofReader(claimed, quick), ['piece'])
    assert.deepEqual(await claimEmails(worker, 50), [])
    await turnClock()
    assert.deepEqual(ofReader(await sendDue(), slow), ['piece'])
  })

  test('what a worker took and never settled is sent by another, and the first changes nothing any more', async () => {
    const reader = await makeFollower(site, 'crash@six.test', 'author/ada')
    await sendDue()
    await makePiece(admin, ada)
    await expandAll()
    const [lost] = (await claimEmails(worker, 500)).filter(({ reader_id }) => reader_id === reader)
    assert.deepEqual(ofReader(await claimEmails(worker, 500), reader), [])
    await turnClock()
    const [again] = (await claimEmails(worker, 500)).filter(({ reader_id }) => reader_id === reader)
    assert.equal(again!.id, lost!.id)
    await settleEmails(worker, [result(lost!, 'failed')])
    await settleEmails(worker, [result(again!, 'sent')])
    const { rows } = await admin.query('select state from app.reader_emails where id = $1', [lost!.id])
    assert.deepEqual(rows, [{ state: 'sent' }])
    await turnClock()
    await sendDue()
  })

  test('a refused address gets nothing more, is kept as a hash alone, and a form for it sends nothing for a month', async () => {
    const reader = await makeFollower(site, 'gone@seven.test', 'author/ada')
    await sendDue()
    await makePiece(admin, ada)
    await expandAll()
    const claimed = await claimEmails(worker, 500)
    await settleEmails(
      worker,
      claimed.map((email) => result(email, email.reader_id === reader ? 'refused' : 'sent')),
    )
    const { rows } = await admin.query('select sealed_address, suppressed_for from app.readers where id = $1', [reader])
    assert.deepEqual(rows, [{ sealed_address: null, suppressed_for: 'bounced' }])
    await sendFollowForm(site, 'gone@seven.test', 'site')
    assert.deepEqual(ofReader(await sendDue(), reader), [])
    await admin.query("update app.readers set suppressed_at = suppressed_at - interval '31 days' where id = $1", [
      reader,
    ])
    await sendFollowForm(site, 'gone@seven.test', 'site')
    const back = (await readerWith(site, 'gone@seven.test'))!
    assert.deepEqual(ofReader(await sendDue(), back), ['confirm'])
  })

  test('one address gets three confirmations a day at most', async () => {
    for (let form = 0; form < 5; form += 1) {
      await sendFollowForm(site, 'often@seven.test', 'site')
      await sendDue()
    }
    const reader = (await readerWith(site, 'often@seven.test'))!
    const { rows } = await admin.query('select from app.reader_emails where reader_id = $1', [reader])
    assert.equal(rows.length, 3)
  })

  test('full mailboxes end after days of it, a complaint at once', async () => {
    const full = await makeFollower(site, 'full@eight.test', 'site')
    const cross = await makeFollower(site, 'cross@eight.test', 'site')
    const emails = await sendDue()
    const of = (reader: string) => emails.find(({ reader_id }) => reader_id === reader)!.id
    const bounce = (reader: string, kind: string) =>
      worker.run({ text: 'select app.note_bounce($1, $2)', values: [of(reader), kind] })
    const suppressed = async (reader: string) =>
      (await admin.query('select suppressed_for from app.readers where id = $1', [reader])).rows[0].suppressed_for
    for (let times = 0; times < 6; times += 1) await bounce(full, 'temporary')
    assert.equal(await suppressed(full), null)
    await admin.query("update app.readers set bounced_since = bounced_since - interval '6 days' where id = $1", [full])
    await bounce(full, 'temporary')
    assert.equal(await suppressed(full), 'bounced')
    await bounce(cross, 'complained')
    assert.equal(await suppressed(cross), 'complained')
  })
})

test('no address is anywhere in the database', async () => {
  await makeFollower(site, 'quillfeather@nowhere.test', 'site')
  await stopFollowing(site, await makeFollower(site, 'quillfeather@elsewhere.test', 'author/ada'))
  const desk = await findPerson(site.db, ada.sessionToken)
  const file = [2, 3].map((n) => `quillfeather@list-${n}.test,2024-01-02,by quillfeather@list-${n}.test`).join('\n')
  const upload = () =>
    uploadFollowers(site, desk as Writer, Buffer.from(`email,consent date,text\n${file}`), translatorOf('en'))
  const { id } = await upload()
  await agreeToImport(site, desk as Writer, id, '192.0.2.1')
  await applyImport(worker, { import: id }, new AbortController().signal)
  await upload()
  const { rows: tables } = await admin.query(
    "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_schema in ('app', 'pub', 'jobs') and table_type = 'BASE TABLE'",
  )
  for (const { name } of tables) {
    const { rows } = await admin.query(`select from ${name} t where t::text ~* 'quillfeather|7175696c6c66656174686572'`)
    assert.equal(rows.length, 0, name)
  }
})

test('an email is claimed without reading those of others, also while statistics are those of an empty table', async () => {
  const own = await testDatabase()
  const ownSite = followSite(own)
  const writer = await makeWriter(own.admin)
  const path = `author/${writer.slug}`
  for (let number = 0; number < 400; number += 1)
    await makeFollower(ownSite, `reader-${number}@domain-${number % 80}.test`, path)
  await own.admin.query('delete from app.reader_emails')
  await own.admin.query('analyze')
  await makePiece(own.admin, writer)
  const ownWorker = workerDatabase(own.url)
  while (await expandAnnouncements(ownWorker));
  const { rows } = await own.admin.query(
    'explain (analyze, buffers, format json) select * from app.claim_reader_emails(20)',
  )
  const { 'Actual Rows': claimed, 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = rows[0]['QUERY PLAN'][0].Plan
  assert.equal(claimed, 20)
  assert.ok((hit + read) / claimed < 500, `${(hit + read) / claimed} buffers for each email`)
})
