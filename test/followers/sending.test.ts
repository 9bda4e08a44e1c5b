import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { describe, test } from 'node:test'
import { expandAnnouncements } from '../../server/features/followers/email-queue.ts'
import { stopFollowing } from '../../server/features/followers/follow.ts'
import type { Frequency } from '../../server/features/followers/schema.ts'
import { testDatabase, workerDatabase } from '../../testkit/database.ts'
import { type MadeWriter, makeDraft, makePiece, makeWriter, publish, unpublish } from '../../testkit/factories.ts'
import {
  followSite,
  makeEmailsDue,
  makeFollower,
  readerKeys,
  readerWith,
  sendFollowForm,
} from '../../testkit/followers.ts'
import { testWorker } from '../../testkit/jobs.ts'
import { captureLog } from '../../testkit/log.ts'
import { type Mailbox, startMailbox } from '../../testkit/mailbox.ts'
import { until } from '../../testkit/waiting.ts'

/** Emails to followers, from publication to a mail server. */

const { url, admin } = await testDatabase()
const site = followSite({ url, admin })

/** Has confirmed, and the email about that has gone: nothing is under way to this reader. */
const follow = async (email: string, path = 'site', frequency?: Frequency): Promise<string> => {
  const reader = await makeFollower(site, email, path, frequency)
  await until(async () => {
    await admin.query(
      "delete from app.reader_emails where reader_id = $1 and kind = 'confirm' and lease_token is null",
      [reader],
    )
    const { rows } = await admin.query("select from app.reader_emails where reader_id = $1 and kind = 'confirm'", [
      reader,
    ])
    return rows.length === 0
  }, 'no worker sends the confirmation')
  return reader
}
const db = workerDatabase(url)
const mailbox = await startMailbox()
const ada = await makeWriter(admin, { slug: 'ada-okafor', name: 'Ada Okafor' })
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })

const settings = (box: Mailbox = mailbox) => ({
  SMTP_URL: box.url,
  SITE_NAME: 'The Daily',
  MAIL_FROM: 'The Daily <post@mail.site.test>',
  BOUNCE_ADDRESS: 'bounces@mail.site.test',
  DKIM_KEY: privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64'),
  DKIM_SELECTOR: 'news',
})
const { log, lines } = captureLog()
const work = (box?: Mailbox) => testWorker(url, settings(box), log)

let count = 0
/** At a domain of its own, so that tests do not slow each other down. */
const anyReader = () => `reader@domain-${++count}.test`
/** A worker may have sent the email that asks for a confirmation before it was deleted. */
const isNews = ({ headers }: { readonly headers: ReadonlyMap<string, string> }) => headers.has('list-unsubscribe')
const emailsTo = (address: string, box = mailbox) =>
  box.emails().filter((email) => email.to.includes(address) && isNews(email))
const rowOf = async (reader: string) =>
  (
    await admin.query(
      `select e.*, d.rests_until > clock_timestamp() as rests from app.reader_emails e
         join app.mail_domains d using (domain_hash) where e.reader_id = $1 and e.kind <> 'confirm'`,
      [reader],
    )
  ).rows[0]
const settled = (reader: string, state: string) =>
  until(async () => {
    const row = await rowOf(reader)
    return row?.state === state && row.lease_token === null && row
  }, `the email is ${state}`)
/** A new piece has reached another reader: whatever was due before has been claimed too. */
async function workerRound(box?: Mailbox): Promise<void> {
  const other = anyReader()
  const bo = await makeWriter(admin)
  await follow(other, `author/${bo.slug}`)
  await makePiece(admin, bo, { headline: 'A witness' })
  await (box ?? mailbox).waitForEmail(other, isNews)
}

describe('an email', () => {
  test('about a piece reaches each follower once, however many of its subjects they follow', async () => {
    const worker = await work()
    const [one, two, none] = [anyReader(), anyReader(), anyReader()]
    await follow(one)
    const reader = await follow(two)
    await follow(two, `author/${ada.slug}`)
    await follow(two, 'section/building')
    await sendFollowForm(site, none, 'site')
    await makePiece(admin, ada, { headline: 'On tea' })
    await Promise.all([one, two].map((to) => mailbox.waitForEmail(to, /On tea/)))
    await settled(reader, 'sent')
    await workerRound()
    assert.deepEqual(
      [one, two].map((to) => emailsTo(to).filter(({ subject }) => subject === 'On tea').length),
      [1, 1],
    )
    assert.deepEqual(emailsTo(none), [])

    const { id } = await rowOf(reader)
    const [email] = emailsTo(two)
    const header = (name: string) => email!.headers.get(name)
    assert.match(email!.from, /^"Ada Okafor, The Daily" <post@mail\.site\.test>$/)
    assert.equal(header('message-id'), `<${id}@mail.site.test>`)
    assert.equal(header('precedence'), 'bulk')
    assert.equal(header('list-id'), '<followers.mail.site.test>')
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    const [, token] = /^<https:\/\/site\.test\/desk\/following\/stop\/(.+)>$/.exec(header('list-unsubscribe')!) ?? []
    assert.equal(readerKeys.emailOf(token!), id)
    assert.match(email!.raw, /^List-Unsubscribe: <[^\r\n]+>\r$/m, 'on one line')
    const [, returned] = /^bounces\+(.+)@mail\.site\.test$/.exec(email!.returnPath) ?? []
    assert.equal(readerKeys.emailOfReturn(returned!), id)
    await worker.stop()
    assert.ok(!lines.some((line) => line.includes('@domain-')), 'no address in the log')
    assert.ok(lines.some((line) => line.includes(id) && line.includes('"outcome":"sent"')))
  })

  test('that asks for a confirmation is no bulk mail and cannot be unsubscribed from', async () => {
    const worker = await work()
    const address = anyReader()
    await sendFollowForm(site, address, 'site')
    const { headers, from, text } = await mailbox.waitForEmail(address)
    assert.equal(headers.get('auto-submitted'), 'auto-generated')
    assert.deepEqual([headers.get('precedence'), headers.get('list-unsubscribe')], [undefined, undefined])
    assert.match(from, /The Daily/)
    assert.ok(text.includes(readerKeys.readerToken((await readerWith(site, address))!)))
    await worker.stop()
  })

  test('is signed: body, sender, subject and both headers to unsubscribe', async () => {
    const { raw } = mailbox.emails().find(({ headers }) => headers.has('list-unsubscribe'))!
    const { tags, isValid } = checkDkim(raw, publicKey)
    assert.ok(isValid)
    assert.deepEqual([tags.get('d'), tags.get('s')], ['mail.site.test', 'news'])
    const signed = tags.get('h')!.split(':')
    for (const name of ['from', 'to', 'subject', 'date', 'message-id', 'list-unsubscribe', 'list-unsubscribe-post'])
      assert.ok(signed.includes(name), name)
    const changed = raw.replace('List-Unsubscribe=One-Click', 'List-Unsubscribe=Two-Clicks')
    assert.ok(!checkDkim(changed, publicKey).isValid)
  })

  test('is ordered before any worker runs, and not sent once its reader has unsubscribed', async () => {
    const [stays, leaves] = [anyReader(), anyReader()]
    await follow(stays)
    const leaving = await follow(leaves)
    await makePiece(admin, ada)
    while (await expandAnnouncements(db));
    await stopFollowing(site, leaving)
    const worker = await work()
    await mailbox.waitForEmail(stays, isNews)
    await workerRound()
    assert.equal(emailsTo(leaves).length, 0)
    await worker.stop()
  })
})

describe('a piece that was unpublished', () => {
  const withdrawn = async (writer: MadeWriter, isOrdered: boolean) => {
    const address = anyReader()
    await follow(address, `author/${writer.slug}`)
    const piece = await makeDraft(admin, writer, { headline: 'Not yet' })
    await publish(admin, writer, piece)
    if (isOrdered) while (await expandAnnouncements(db));
    await unpublish(admin, writer, piece)
    return { address, piece }
  }
  for (const isOrdered of [true, false])
    test(`sends nothing, and its return sends one email; ${isOrdered ? 'with' : 'without'} emails ordered`, async () => {
      const writer = await makeWriter(admin)
      const { address, piece } = await withdrawn(writer, isOrdered)
      const worker = await work()
      await workerRound()
      assert.equal(emailsTo(address).length, 0)
      await publish(admin, writer, piece)
      await mailbox.waitForEmail(address, /Not yet/)
      await unpublish(admin, writer, piece)
      await publish(admin, writer, piece)
      await workerRound()
      assert.equal(emailsTo(address).length, 1)
      await worker.stop()
    })

  test('keeps no digest of its day from being sent', async () => {
    const writer = await makeWriter(admin)
    const reader = anyReader()
    await follow(reader, `author/${writer.slug}`, 'daily')
    const gone = await makePiece(admin, writer, { headline: 'Gone' })
    await admin.query(
      `update app.announcements set subjects = app.announced_subjects(piece_id), daily = app.next_digest('daily', now()),
              weekly = app.next_digest('weekly', now()) where piece_id = $1`,
      [gone],
    )
    await unpublish(admin, writer, gone)
    await makePiece(admin, writer, { headline: 'Here' })
    while (await expandAnnouncements(db));
    await makeEmailsDue(admin)
    const worker = await work()
    const { text } = await mailbox.waitForEmail(reader, isNews)
    assert.deepEqual([text.includes('Here'), text.includes('Gone')], [true, false])
    await worker.stop()
  })
})

test('a digest is one email with all pieces of its day, and none of another frequency', async () => {
  const worker = await work()
  const [daily, weekly] = [anyReader(), anyReader()]
  const writer = await makeWriter(admin)
  const reader = await follow(daily, `author/${writer.slug}`, 'daily')
  await follow(weekly, `author/${writer.slug}`, 'weekly')
  for (const headline of ['First piece', 'Second piece', 'Third piece']) await makePiece(admin, writer, { headline })
  await workerRound()
  assert.deepEqual([emailsTo(daily).length, emailsTo(weekly).length], [0, 0])
  await makeEmailsDue(admin)
  for (const address of [daily, weekly]) {
    const { text } = await mailbox.waitForEmail(address, isNews)
    for (const headline of ['First piece', 'Second piece', 'Third piece']) assert.ok(text.includes(headline), headline)
  }
  await settled(reader, 'sent')
  await workerRound()
  assert.deepEqual([emailsTo(daily).length, emailsTo(weekly).length], [1, 1])
  await worker.stop()
})

describe('a mail server', () => {
  test('that refuses an address for good ends its follows; other refusals do not', async () => {
    const worker = await work()
    const writer = await makeWriter(admin)
    const answers = new Map([
      [anyReader(), '550 5.1.1 <reader@x> No such user'],
      [anyReader(), '550 No such user'],
      [anyReader(), '550 5.7.1 Refused by a policy'],
      [anyReader(), '554 relay access denied'],
    ])
    const readers: string[] = []
    for (const address of answers.keys()) readers.push(await follow(address, `author/${writer.slug}`))
    mailbox.refuse((to) => answers.get(to))
    await makePiece(admin, writer)
    await Promise.all(
      readers.map((reader) =>
        until(async () => (await rowOf(reader))?.attempts > 0 && (await rowOf(reader)).lease_token === null),
      ),
    )
    const { rows } = await admin.query(
      `select r.suppressed_for, r.sealed_address is null as forgotten, count(f.subject)::integer as follows
         from unnest($1::uuid[]) with ordinality as given (id, place) join app.readers r using (id)
              left join app.follows f on f.reader_id = r.id group by given.place, r.id order by given.place`,
      [readers],
    )
    const ended = { suppressed_for: 'bounced', forgotten: true, follows: 0 }
    const kept = { suppressed_for: null, forgotten: false, follows: 1 }
    assert.deepEqual(rows, [ended, ended, kept, kept])
    mailbox.refuse(undefined)
    assert.ok(!lines.some((line) => line.includes('reader@')), 'no address in the log')
    await worker.stop()
  })

  test('that defers one domain is tried again, while others get theirs', async () => {
    const worker = await work()
    const writer = await makeWriter(admin)
    const [slow, quick] = [anyReader(), anyReader()]
    const reader = await follow(slow, `author/${writer.slug}`)
    await follow(quick, `author/${writer.slug}`)
    mailbox.refuse((to) => (to === slow ? '451 4.7.1 Greylisted' : undefined))
    await makePiece(admin, writer, { headline: 'Slowly' })
    await mailbox.waitForEmail(quick, /Slowly/)
    const deferred = await until(async () => {
      const row = await rowOf(reader)
      return row?.rests && row
    }, 'the domain rests')
    assert.deepEqual([deferred.state, deferred.attempts], ['pending', 1])
    await workerRound()
    mailbox.refuse(undefined)
    await makeEmailsDue(admin)
    await mailbox.waitForEmail(slow, /Slowly/)
    assert.equal((await settled(reader, 'sent')).attempts, 2)
    await worker.stop()
  })

  test('that is away loses nothing: no attempt counts, no domain rests, and all is sent when it is back', async () => {
    const gone = await startMailbox()
    const writer = await makeWriter(admin)
    const addresses = Array.from({ length: 15 }, anyReader)
    const readers: string[] = []
    for (const address of addresses) readers.push(await follow(address, `author/${writer.slug}`))
    await gone.close()
    const worker = await work(gone)
    await makePiece(admin, writer, { headline: 'Away' })
    await until(() => lines.some((line) => line.includes('"outcome":"unsent"')), 'the server is away')
    await until(async () => (await rowOf(readers[0]!))?.lease_token === null, 'it is settled')
    const { rows } = await admin.query(
      'select from app.mail_domains where rests_until > clock_timestamp() and ready_at is not null',
    )
    assert.equal(rows.length, 0)
    const back = await startMailbox(gone.port)
    await Promise.all(addresses.map((address) => back.waitForEmail(address, /Away/)))
    for (const reader of readers) assert.equal((await settled(reader, 'sent')).attempts, 1)
    assert.deepEqual(new Set(addresses.map((address) => emailsTo(address, back).length)), new Set([1]))
    await worker.stop()
  })
})

test('what a worker sent and did not record is sent again by another, with the same Message-ID', async () => {
  const first = await work()
  const writer = await makeWriter(admin)
  const address = anyReader()
  const reader = await follow(address, `author/${writer.slug}`)
  mailbox.refuse('unconfirmed')
  await makePiece(admin, writer, { headline: 'Twice' })
  await mailbox.waitForEmail(address, /Twice/)
  const second = await work()
  await makeEmailsDue(admin)
  await until(() => emailsTo(address).length === 2, 'it is sent again')
  const [once, again] = emailsTo(address)
  assert.equal(once!.headers.get('message-id'), again!.headers.get('message-id'))
  mailbox.refuse(undefined)
  assert.equal((await settled(reader, 'sent')).attempts, 2)
  await Promise.all([first.stop(), second.stop()])
})

/** RFC 6376, relaxed/relaxed, as any receiver does. */
function checkDkim(raw: string, key: KeyObject) {
  const end = raw.indexOf('\r\n\r\n')
  const fields = raw
    .slice(0, end)
    .split(/\r\n(?![ \t])/)
    .map((field) => ({
      name: field.slice(0, field.indexOf(':')).toLowerCase(),
      value: field.slice(field.indexOf(':') + 1),
    }))
  const relaxed = (name: string, value: string) =>
    `${name}:${value
      .replace(/\r\n/g, '')
      .replace(/[ \t]+/g, ' ')
      .trim()}`
  const { value: signature } = fields.find(({ name }) => name === 'dkim-signature')!
  const tags = new Map(
    signature
      .replace(/\s+/g, '')
      .split(';')
      .filter(Boolean)
      .map((tag): [string, string] => [tag.slice(0, tag.indexOf('=')), tag.slice(tag.indexOf('=') + 1)]),
  )
  const body = `${raw
    .slice(end + 4)
    .replace(/[ \t]+\r\n/g, '\r\n')
    .replace(/[ \t]+/g, ' ')
    .replace(/(\r\n)*$/, '')}\r\n`
  const signed = [
    ...tags
      .get('h')!
      .split(':')
      .map((name) => relaxed(name, fields.findLast((field) => field.name === name)?.value ?? '')),
    relaxed('dkim-signature', signature.replace(/\bb=[^;]*$/, 'b=')),
  ].join('\r\n')
  const isValid =
    createHash('sha256').update(body, 'latin1').digest('base64') === tags.get('bh') &&
    verify('sha256', Buffer.from(signed, 'latin1'), key, Buffer.from(tags.get('b')!, 'base64'))
  return { tags, isValid }
}
